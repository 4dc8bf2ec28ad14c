import { Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../edge/auth/index.js';
import { DemoMailbox } from '../../edge/mail/index.js';
import { cardPage, empty, html, PageController, Pages, raw, untrustedText } from '../../edge/page/index.js';
import { Config } from '../../platform/config/index.js';

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
    const list = (await this.mailbox.list()).map(
      ({ at, to, subject, html: body }) =>
        html`<div class="card">
          <h2>${untrustedText(subject, 200)}</h2>
          <p class="sub">To ${untrustedText(to, 200)}, ${at.slice(0, 19).replace('T', ' ')} UTC</p>
          ${raw(body)}
        </div>`,
    );
    const none = empty('No mail yet', 'Messages of this demo appear here. They are written to the data folder, and go to no one.');
    const body = html`<h1>Mail of this demo</h1>
      ${list.length > 0 ? list : none}`;
    this.pages.send(reply, { kind: 'gate' }, cardPage(this.pages.frame(), { title: 'Mail of this demo', body }));
  }
}
