import { Global, Module } from '@nestjs/common';
import { AssetController, FaviconController } from './asset.controller.js';
import { Csrf } from './csrf.js';
import { Pages } from './pages.js';

/** The look of every page, and the two things a page needs to be safe: its headers and its tokens. */
@Global()
@Module({ controllers: [AssetController, FaviconController], providers: [Csrf, Pages], exports: [Csrf, Pages] })
export class PageModule {}
