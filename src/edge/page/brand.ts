import { Injectable } from '@nestjs/common';
import { assetOf, ASSETS, type Asset } from './assets.js';
import { paletteOf } from './brand-color.js';
import { BrandSettings, readMark } from './brand.settings.js';

/** How this installation presents itself to people. The software is called Sluice in documents, commands and the log. */
@Injectable()
export class Brand {
  readonly name: string;
  /** The operator's own, if there is one. */
  readonly ownMark: Asset | null;
  readonly mark: Asset;
  readonly style: Asset;
  /** Where people get help: a link and its text. */
  readonly support: { readonly href: string; readonly text: string } | null;

  constructor({ BRAND_NAME, BRAND_MARK, BRAND_COLOR, BRAND_SUPPORT: href }: BrandSettings) {
    const own = BRAND_MARK === undefined ? null : readMark(BRAND_MARK);
    this.name = BRAND_NAME;
    this.ownMark = own && assetOf('mark', own.extension, own.body);
    this.mark = this.ownMark ?? ASSETS.mark;
    this.style = BRAND_COLOR === undefined ? ASSETS.style : assetOf('style', 'css', styleIn(BRAND_COLOR));
    this.support = href === undefined ? null : { href, text: href.replace(/^(?:mailto:|https:\/\/)/, '') };
  }

  find(name: string): Asset | null {
    return [this.mark, this.style].find((asset) => asset.name === name) ?? null;
  }
}

function styleIn(color: string): Buffer {
  const tokens = Object.entries(paletteOf(color)).map(([token, [light, dark]]) => `--${token}:light-dark(${light},${dark})`);
  return Buffer.concat([ASSETS.style.body, Buffer.from(`:root{${tokens.join(';')}}`)]);
}
