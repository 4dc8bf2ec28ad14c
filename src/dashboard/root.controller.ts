import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../edge/auth/index.js';
import { seeOther } from '../edge/page/index.js';
import { paths } from './paths.js';

@Controller()
export class RootController {
  @Get()
  @Public()
  front(@Res() reply: FastifyReply): void {
    seeOther(reply, paths.wallet);
  }
}
