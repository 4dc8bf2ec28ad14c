import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/index.js';
import { FAVICON, findAsset } from './assets.js';

const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;

/** `/assets/*`: the stylesheet, the mark and the script, kept by browsers for as long as they like. */
@Controller('assets')
export class AssetController {
  @Public()
  @Get(':name')
  serve(@Param('name') name: string, @Res() reply: FastifyReply): void {
    const asset = findAsset(name);
    void reply.headers({ 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'none'" });
    if (asset === null) {
      void reply.code(404).header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send('There is no such asset.\n');
      return;
    }
    void reply.header('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`).type(asset.type).send(asset.body);
  }
}

/** Its name holds no hash, so browsers ask again after a day. */
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
