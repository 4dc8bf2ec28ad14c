import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Controller, Get, Injectable, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DAY_SECONDS } from '../../platform/kernel/clock.js';
import { Public } from '../auth/index.js';
import { GraphqlSettings } from '../graphql/index.js';

const HASH_LENGTH = 12;
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;
type Extension = keyof typeof TYPES;

/** Its name contains a hash of its bytes, so it may be cached indefinitely. */
interface ServedFile {
  readonly name: string;
  readonly href: string;
  readonly type: string;
}

interface Asset extends ServedFile {
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

const LINE_END = /([{};,:])\n/g;
/** Around operators, and beside brackets: no text of the scripts has one there. */
const SPACE = / ([=<>?&|+*!]{1,3}) |(?<=\(\{) | (?=\}\))|(?<=\)|\b(?:if|for)) (?=[({])/g;

function load(stem: string, extension: Extension): Asset {
  const text = readFileSync(new URL(`./${stem}.${extension}`, import.meta.url), 'utf8');
  // Browsers need no indentation, comments and spaces, and CSS no line ends after its punctuation; a script may depend on its own.
  const lines = text.replace(/^\s+/gm, '').replace(/^\/\/.*\n/gm, '');
  const body = Buffer.from(lines.replace(extension === 'css' ? LINE_END : SPACE, '$1'));
  return { ...servedAs(stem, extension, body), body };
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

const YEAR_SECONDS = 31_536_000;

@Controller('assets')
export class AssetController {
  constructor(private readonly editor: EditorFiles) {}

  @Public()
  @Get(':name')
  async serve(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asset = findAsset(name);
    const file = asset ?? (await this.editor.find(name));
    void reply.headers({ 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'none'" });
    if (file === null) {
      void reply.code(404).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send('Asset not found.\n');
      return;
    }
    void reply.header('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`).type(file.type);
    if (!('gzipped' in file)) return void reply.send(file.body);
    void reply.header('Vary', 'accept-encoding');
    if (takesGzip(request.headers['accept-encoding'])) return void reply.header('Content-Encoding', 'gzip').send(file.gzipped);
    const text = 'This file is sent with the content coding gzip only.\n';
    void reply.code(406).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send(text);
  }
}

/** Its name has no hash, so browsers revalidate it after a day. */
@Controller('favicon.ico')
export class FaviconController {
  @Public()
  @Get()
  serve(@Res() reply: FastifyReply): void {
    void reply
      .headers({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': `public, max-age=${DAY_SECONDS}` })
      .type('image/x-icon')
      .send(FAVICON);
  }
}

/** Without the header every coding is acceptable (RFC 9110 section 12.5.3). To unpack the file would cost far more than the request. */
function takesGzip(accepted: string | string[] = 'gzip'): boolean {
  const weightOf = (coding: string): number | undefined => {
    const range = new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=([\\d.]+)\\s*)?(?:,|$)`, 'i').exec(String(accepted));
    return range ? Number(range[1] ?? 1) : undefined;
  };
  return (weightOf('(?:x-)?gzip') ?? weightOf('\\*') ?? 0) > 0;
}
