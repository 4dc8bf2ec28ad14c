import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { Gate } from './gate.js';
import { LiveFeed } from './live-feed.js';
import { PageFilter } from './page.filter.js';
import { PageRefusal } from './page-refusal.js';

/** `/dashboard/events`: what has just happened to the money, in words, for pages that are open. */
@Controller('dashboard/events')
@UseFilters(PageFilter)
export class LiveController {
  constructor(
    private readonly gate: Gate,
    private readonly feed: LiveFeed,
  ) {}

  /** It reads the page's cookie, so only a page of ours may listen. */
  @Get()
  @Public()
  async listen(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (request.headers['sec-fetch-site'] !== 'same-origin') throw new PageRefusal({ kind: 'error', error: 'form' });
    const visitor = await this.gate.visitor(request);
    if (!visitor) throw new PageRefusal({ kind: 'error', error: 'missing' });
    await this.feed.open(reply, visitor.session.id, visitor.user.id);
  }
}
