import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { CSS, hashedName, SCRIPT } from './assets.js';
import { GraphqlSettings } from '../graphql/index.js';

const compress = promisify(gzip);
const require = createRequire(import.meta.url);

/** A file of a package, as served. Only the compressed text is kept: a quarter of the size, and every browser accepts it. */
export interface EditorFile {
  readonly name: string;
  readonly href: string;
  readonly type: string;
  readonly gzipped: Buffer;
}

/** In the order of execution; `require.resolve` finds the manifests of `react` and `react-dom`, but not their files. */
const SOURCES = [
  { stem: 'react', extension: 'js', type: SCRIPT, from: 'react', path: 'umd/react.production.min.js' },
  { stem: 'react-dom', extension: 'js', type: SCRIPT, from: 'react-dom', path: 'umd/react-dom.production.min.js' },
  { stem: 'graphiql', extension: 'js', type: SCRIPT, from: 'graphiql', path: 'graphiql.min.js' },
  { stem: 'graphiql', extension: 'css', type: CSS, from: 'graphiql', path: 'graphiql.min.css' },
] as const;

async function load({ stem, extension, type, from, path }: (typeof SOURCES)[number]): Promise<EditorFile> {
  const body = await readFile(join(dirname(require.resolve(`${from}/package.json`)), path));
  const name = hashedName(stem, extension, body);
  return { name, href: `/assets/${name}`, type, gzipped: await compress(body, { level: constants.Z_BEST_COMPRESSION }) };
}

/** GraphiQL and its dependencies: read and compressed at the first request for the page, so that other servers pay nothing. */
@Injectable()
export class EditorFiles {
  private loading: Promise<readonly EditorFile[]> | undefined;

  constructor(private readonly settings: GraphqlSettings) {}

  /** @returns null if the operator has turned the editor off */
  all(): Promise<readonly EditorFile[]> | null {
    if (!this.settings.GRAPHIQL) return null;
    this.loading ??= Promise.all(SOURCES.map(load)).catch((error: unknown) => {
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
