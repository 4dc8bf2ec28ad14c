import { createGunzip } from 'node:zlib';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { DAY_SECONDS } from '../../platform/kernel/clock.js';
import { FAVICON, findAsset, EditorFiles, type EditorFile } from './assets.js';

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
    if ('gzipped' in file) sendCompressed(request, reply, file);
    else void reply.send(file.body);
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

/** A client without gzip gets the text decompressed as a stream. */
function sendCompressed({ headers }: FastifyRequest, reply: FastifyReply, { gzipped }: EditorFile): void {
  void reply.header('Vary', 'accept-encoding');
  if (takesGzip(headers['accept-encoding'])) {
    void reply.header('Content-Encoding', 'gzip').send(gzipped);
    return;
  }
  const unpacked = createGunzip();
  unpacked.end(gzipped);
  void reply.send(unpacked);
}

function takesGzip(accepted: string | string[] = ''): boolean {
  const range = /(?:^|,)\s*(?:x-)?gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i.exec(String(accepted));
  return range !== null && Number(range[1] ?? 1) > 0;
}
