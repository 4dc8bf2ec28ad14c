import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../edge/auth/index.js';
import { DemoMailbox } from '../../edge/mail/index.js';
import { PageController, Pages } from '../../edge/page/index.js';
import { Config } from '../../platform/config/index.js';
import { demoMailPage } from './demo-mail.view.js';

/** `/demo/mail`: the messages that a demo has sent, to all of its people. */
@PageController('demo/mail')
export class DemoMailController {
  private readonly mailbox: DemoMailbox;

  constructor(
    config: Config,
    private readonly pages: Pages,
  ) {
    this.mailbox = new DemoMailbox(config.dataDir);
  }

  @Public()
  @Get()
  async show(@Res() reply: FastifyReply): Promise<void> {
    this.pages.send(reply, { kind: 'gate' }, demoMailPage(this.pages.frame(), await this.mailbox.list()));
  }
}
