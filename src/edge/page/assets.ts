import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { GraphqlSettings } from '../graphql/index.js';

const HASH_LENGTH = 12;
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml', png: 'image/png' } as const;
type Extension = keyof typeof TYPES;

/** Its name contains a hash of its bytes, so it may be cached indefinitely. */
interface ServedFile {
  readonly name: string;
  readonly href: string;
  readonly type: string;
}

export interface Asset extends ServedFile {
  readonly body: Buffer;
}

/** A file of a package. Only the compressed text is kept and sent: a quarter of the size, and every browser accepts it. */
export interface EditorFile extends ServedFile {
  readonly gzipped: Buffer;
}

function servedAs(stem: string, extension: Extension, body: Buffer): ServedFile {
  const name = `${stem}.${createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH)}.${extension}`;
  return { name, href: `/assets/${name}`, type: TYPES[extension] };
}

export const assetOf = (stem: string, extension: Extension, body: Buffer): Asset => ({ ...servedAs(stem, extension, body), body });

const LINE_END = /([{};,:])\n/g;
/** Around operators, and beside brackets: no text of the scripts has one there. */
const SPACE = / ([=<>?&|+*!]{1,3}) |(?<=\(\{) | (?=\}\))|(?<=\)|\b(?:if|for)) (?=[({])/g;

function load(stem: string, extension: Extension): Asset {
  const text = readFileSync(new URL(`./${stem}.${extension}`, import.meta.url), 'utf8');
  // Browsers need no indentation, comments and spaces, and CSS no line ends after its punctuation; a script may depend on its own.
  const lines = text.replace(/^\s+/gm, '').replace(/^\/\/.*\n/gm, '');
  const body = Buffer.from(lines.replace(extension === 'css' ? LINE_END : SPACE, '$1'));
  return assetOf(stem, extension, body);
}

export const ASSETS = {
  style: load('style', 'css'),
  mark: load('mark', 'svg'),
  enhance: load('enhance', 'js'),
  passkey: load('passkey', 'js'),
  editorStyle: load('editor', 'css'),
  editorScript: load('editor', 'js'),
  documentStyle: load('document', 'css'),
} as const;

/** Browsers request it themselves if a page names no icon: for responses of the API that are opened in a tab. */
export const FAVICON = readFileSync(new URL('./favicon.ico', import.meta.url));

const byName: ReadonlyMap<string, Asset> = new Map(Object.values(ASSETS).map((asset) => [asset.name, asset]));

/** A name of another release is not found. */
export const findAsset = (name: string): Asset | null => byName.get(name) ?? null;

const compress = promisify(gzip);
const require = createRequire(import.meta.url);

/** In the order of execution; `require.resolve` finds the manifests of `react` and `react-dom`, but not their files. */
const SOURCES = [
  { stem: 'react', extension: 'js', path: 'umd/react.production.min.js' },
  { stem: 'react-dom', extension: 'js', path: 'umd/react-dom.production.min.js' },
  { stem: 'graphiql', extension: 'js', path: 'graphiql.min.js' },
  { stem: 'graphiql', extension: 'css', path: 'graphiql.min.css' },
] as const;

/** @param source a file of the package whose name is its stem */
async function loadEditorFile({ stem, extension, path }: (typeof SOURCES)[number]): Promise<EditorFile> {
  const body = await readFile(join(dirname(require.resolve(`${stem}/package.json`)), path));
  return { ...servedAs(stem, extension, body), gzipped: await compress(body, { level: constants.Z_BEST_COMPRESSION }) };
}

/** GraphiQL and its dependencies: read and compressed at the first request for the page, so that other servers pay nothing. */
@Injectable()
export class EditorFiles {
  private loading: Promise<readonly EditorFile[]> | undefined;

  constructor(private readonly settings: GraphqlSettings) {}

  /** @returns null if the operator has turned the editor off */
  all(): Promise<readonly EditorFile[]> | null {
    if (!this.settings.GRAPHIQL) return null;
    this.loading ??= Promise.all(SOURCES.map(loadEditorFile)).catch((error: unknown) => {
      // Files may be missing while packages are being installed; the next request retries.
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  /** Other names cause no read. */
  async find(name: string): Promise<EditorFile | null> {
    if (!SOURCES.some(({ stem, extension }) => name.startsWith(`${stem}.`) && name.endsWith(`.${extension}`))) return null;
    return (await this.all())?.find((file) => file.name === name) ?? null;
  }
}
