import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Its name contains a hash of its bytes, so it may be cached indefinitely. */
export interface Asset {
  readonly name: string;
  readonly href: string;
  readonly type: string;
  readonly body: Buffer;
}

const HASH_LENGTH = 12;
export const CSS = 'text/css; charset=utf-8';
export const SCRIPT = 'text/javascript; charset=utf-8';

export const hashedName = (stem: string, extension: string, body: Buffer): string =>
  `${stem}.${createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH)}.${extension}`;

function load(stem: string, extension: string, type: string): Asset {
  const text = readFileSync(new URL(`./${stem}.${extension}`, import.meta.url), 'utf8');
  // Browsers need no indentation and no comments, and CSS no line ends after its punctuation; a script may depend on its own.
  const lines = text.replace(/^\s+/gm, '').replace(/^\/\/.*\n/gm, '');
  const body = Buffer.from(extension === 'css' ? lines.replace(/([{};,:])\n/g, '$1') : lines);
  const name = hashedName(stem, extension, body);
  return { name, href: `/assets/${name}`, type, body };
}

export const ASSETS = {
  style: load('style', 'css', CSS),
  mark: load('mark', 'svg', 'image/svg+xml'),
  enhance: load('enhance', 'js', SCRIPT),
  editorStyle: load('editor', 'css', CSS),
  editorScript: load('editor', 'js', SCRIPT),
} as const;

/** Browsers request it themselves if a page names no icon: for responses of the API that are opened in a tab. */
export const FAVICON = readFileSync(new URL('./favicon.ico', import.meta.url));

const byName: ReadonlyMap<string, Asset> = new Map(Object.values(ASSETS).map((asset) => [asset.name, asset]));

/** A name of another release is not found. */
export const findAsset = (name: string): Asset | null => byName.get(name) ?? null;
