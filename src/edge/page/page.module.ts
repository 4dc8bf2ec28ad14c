import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ApiPageHook } from './api-page.js';
import { Csrf } from './csrf.js';
import { DocumentController } from './document.controller.js';
import { AssetController, FaviconController } from './asset.controller.js';
import { EditorFiles } from './assets.js';
import { Brand } from './brand.js';
import { ErrorPageRenderer } from './error-page-renderer.js';
import { Menu, type MenuEntry } from './frame.js';
import { PageRenderer, Pages } from './pages.js';

@Global()
@Module({
  controllers: [AssetController, DocumentController, FaviconController],
  providers: [ApiPageHook, Brand, Csrf, EditorFiles, ErrorPageRenderer, PageRenderer, Pages],
  exports: [Brand, Csrf, ErrorPageRenderer, PageRenderer, Pages],
})
export class PageModule {
  static forRoot(menu: readonly MenuEntry[]): DynamicModule {
    return { module: PageModule, providers: [{ provide: Menu, useValue: new Menu(menu) }] };
  }
}
