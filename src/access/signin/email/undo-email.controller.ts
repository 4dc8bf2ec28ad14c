import { Get, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageError, PageForm, Pages, type Form } from '../../../edge/page/index.js';
import { EmailLinks, EmailService, RESET_LINK_HOURS, ResetLinkService, type EmailLink } from '../../user/index.js';
import { PreSession } from '../pre-session.js';
import { undoEmailPage, undoneEmailPage } from './email.view.js';

/** `/undo-email-change`: the owner of the former address takes a change back, and may choose a new password. */
@PageController('undo-email-change')
export class UndoEmailController {
  constructor(
    private readonly preSession: PreSession,
    private readonly links: EmailLinks,
    private readonly emails: EmailService,
    private readonly resets: ResetLinkService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  async show(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    const { address } = await this.linkOf(token);
    this.preSession.send(reply, (form) => undoEmailPage({ ...form, address, token: String(token) }), 200);
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async undo(@PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const { userId, address } = await this.linkOf(form.text('token'));
    const outcome = await this.emails.undo(userId, address);
    if (outcome !== 'changed') throw new PageError({ kind: 'error', error: 'link' });
    const { link } = await this.resets.create(userId, RESET_LINK_HOURS.default);
    this.pages.send(reply, { kind: 'gate' }, undoneEmailPage(this.pages.frame(), address, new URL(link)));
  }

  /** @throws PageError also once the change was undone */
  private async linkOf(token: unknown): Promise<EmailLink> {
    const link = await this.links.find('undo', token);
    if (!link || link.email === link.address) throw new PageError({ kind: 'error', error: 'link' });
    return link;
  }
}
