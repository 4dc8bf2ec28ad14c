import { readFileSync, statSync } from 'node:fs';
import { IsOptional, Matches, MaxLength } from 'class-validator';
import { Setting } from '../../platform/config/index.js';
import { darkEnough } from './brand-color.js';

const MAX_MARK_BYTES = 65_536;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** @throws Error with the end of a sentence about the file */
export function readMark(path: string): { readonly extension: 'svg' | 'png'; readonly body: Buffer } {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error('names no file that can be read');
  if (statSync(path).size > MAX_MARK_BYTES) throw new Error(`names a file of more than ${MAX_MARK_BYTES} bytes`);
  const body = readFileSync(path);
  if (body.subarray(0, PNG.length).equals(PNG)) return { extension: 'png', body };
  if (/<svg[\s>]/.test(body.toString())) return { extension: 'svg', body };
  throw new Error('names a file that is neither an SVG nor a PNG');
}

export class BrandSettings {
  static readonly title = 'Brand';

  @Setting('the name of this installation, 1 to 40 characters: on pages, mail and receipts, and in authenticator apps')
  @Matches(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,40}(?<=\S)$/u, {
    message: '$property must be 1 to 40 printable characters, without spaces at its ends',
  })
  BRAND_NAME = 'Sluice';

  @Setting('file of the mark beside the name: an SVG, or a PNG, of at most 64 KiB. It is read at start')
  @IsOptional()
  @MaxLength(4_096, { message: '$property must be a path of at most 4096 characters' })
  BRAND_MARK?: string;

  @Setting(
    'colour of links and buttons, such as `#0a6274`. Dark pages use a lighter shade of it. Choose none that looks like the amber of what moves money',
  )
  @IsOptional()
  @Matches(/^#[0-9a-f]{6}$/i, { message: '$property must be # and six hexadecimal digits' })
  BRAND_COLOR?: string;

  @Setting('where people get help: `mailto:help@example.com`, or a page (`https://…`). It stands at the end of every page and message')
  @IsOptional()
  @Matches(/^(?:mailto:[^\s@?<>"]+@[^\s@?<>"]+|https:\/\/[^\s<>"]+)$/, {
    message: '$property must be mailto: with an e-mail address, or a URL that starts with https://',
  })
  BRAND_SUPPORT?: string;

  problems(): readonly string[] {
    const problems: string[] = [];
    const nearest = this.BRAND_COLOR === undefined ? undefined : darkEnough(this.BRAND_COLOR);
    if (nearest !== this.BRAND_COLOR?.toLowerCase())
      problems.push(
        `BRAND_COLOR is too light: text in it has less contrast on light pages than the 4.5 of WCAG AA. ${nearest} is the nearest that has it`,
      );
    try {
      if (this.BRAND_MARK !== undefined) readMark(this.BRAND_MARK);
    } catch (error) {
      problems.push(`BRAND_MARK ${(error as Error).message}`);
    }
    return problems;
  }
}
