import { Global, Module } from '@nestjs/common';
import { ApiPageHook } from './api-page-hook.js';
import { AssetController, FaviconController } from './asset.controller.js';
import { Csrf } from './csrf.js';
import { EditorFiles } from './editor-files.js';
import { Pages } from './pages.js';

/** The layout of every page, its security headers and its CSRF tokens. */
@Global()
@Module({
  controllers: [AssetController, FaviconController],
  providers: [ApiPageHook, Csrf, EditorFiles, Pages],
  exports: [ApiPageHook, Csrf, Pages],
})
export class PageModule {}
