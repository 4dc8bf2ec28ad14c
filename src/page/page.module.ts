import { Global, Module } from '@nestjs/common';
import { ApiPageHook } from './api-page-hook.js';
import { AssetController, FaviconController } from './asset.controller.js';
import { Csrf } from './csrf.js';
import { EditorFiles } from './editor-files.js';
import { Pages } from './pages.js';

/** The look of every page, and the two things a page needs to be safe: its headers and its tokens. */
@Global()
@Module({
  controllers: [AssetController, FaviconController],
  providers: [ApiPageHook, Csrf, EditorFiles, Pages],
  exports: [ApiPageHook, Csrf, Pages],
})
export class PageModule {}
