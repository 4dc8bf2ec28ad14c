import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/index.js';
import { PageFilter } from './page.filter.js';
import { PageRefusal } from './page-refusal.js';
import { paths } from './view/index.js';

/** The bare address, and addresses of the dashboard that lead nowhere. */
@Controller()
@UseFilters(PageFilter)
export class FrontController {
  @Get()
  @Public()
  front(@Res() reply: FastifyReply): void {
    void reply.code(303).header('location', paths.wallet).send();
  }

  @Get('dashboard/*')
  @Public()
  nowhere(): never {
    throw new PageRefusal({ kind: 'error', error: 'missing' });
  }
}
