import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { DAY_SECONDS } from '../../platform/kernel/clock.js';
import { Public } from '../auth/index.js';
import { EditorFiles, FAVICON, findAsset } from './assets.js';
import { Brand } from './brand.js';

const YEAR_SECONDS = 31_536_000;

/** The operator's mark may be an SVG with scripts: opened in a tab, `sandbox` gives it an opaque origin and runs none (CSP3 section 6.3.3). */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

@Controller('assets')
export class AssetController {
  constructor(
    private readonly brand: Brand,
    private readonly editor: EditorFiles,
  ) {}

  @Public()
  @Get(':name')
  async serve(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asset = this.brand.find(name) ?? findAsset(name);
    const file = asset ?? (await this.editor.find(name));
    void reply.headers(HEADERS);
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
  constructor(private readonly brand: Brand) {}

  @Public()
  @Get()
  serve(@Res() reply: FastifyReply): void {
    const { type, body } = this.brand.ownMark ?? { type: 'image/x-icon', body: FAVICON };
    void reply
      .headers({ ...HEADERS, 'Cache-Control': `public, max-age=${DAY_SECONDS}` })
      .type(type)
      .send(body);
  }
}

/** Without the header every coding is acceptable (RFC 9110 section 12.5.3). To unpack the file would cost far more than the request. */
const takesGzip = (accepted: string | string[] = 'gzip'): boolean =>
  new Negotiator({ headers: { 'accept-encoding': String(accepted).replace(/x-gzip/gi, 'gzip') } }).encodings(['gzip']).length > 0;
