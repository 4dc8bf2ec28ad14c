import { Get, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageError, PageForm, Pages, type Form } from '../../../edge/page/index.js';
import { RateLimiter } from '../../../edge/rate-limit/index.js';
import { ApiKeyService } from '../../api-key/index.js';
import { ResetLinkService, type ResetLinkOwner } from '../../user/index.js';
import { ENDED, endingKeys } from '../ended-credentials.js';
import { PreSession } from '../pre-session.js';
import { passwordFault, type Said } from '../register/register.view.js';
import { RequiresPasswords } from '../sign-in-ways.js';
import { passwordChangedPage, resetPage } from './reset.view.js';

/** `/reset-password`: a person sets a new password with a link of the operator, or from `/forgot-password`. GET changes nothing, because programs that scan mail follow links. */
@PageController('reset-password')
@UseGuards(RequiresPasswords)
export class ResetController {
  constructor(
    private readonly preSession: PreSession,
    private readonly links: ResetLinkService,
    private readonly limiter: RateLimiter,
    private readonly keys: ApiKeyService,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  async show(@Query('token') token: unknown, @Req() { address }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const typed = typeof token === 'string' ? token : '';
    this.render(reply, await this.ownerOf(typed, address), typed, null);
  }

  @Post()
  @Public()
  @BoundTo(PreSession)
  async reset(@PageForm() form: Form, @Req() { address }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [token, password, ended] = [form.text('token'), form.text('password'), form.list('end')];
    const owner = await this.ownerOf(token, address);
    const outcome = await this.links.use(owner, password, endingKeys(this.keys, ended), !ended.includes('apps'));
    if (outcome.kind === 'not_found') throw new PageError({ kind: 'error', error: 'link' });
    if (outcome.kind === 'invalid') return this.render(reply, owner, token, passwordFault(password), ended);
    const keys = (await this.keys.listInUse(owner.id)).map(({ name }) => name);
    this.pages.send(reply, { kind: 'gate' }, passwordChangedPage(this.pages.frame(), keys, ended));
  }

  /** A wrong link counts as a wrong password. @throws PageError */
  private async ownerOf(token: string, address: string): Promise<ResetLinkOwner> {
    const { isBlocked, resetSeconds } = await this.limiter.peek('signInAddress', address);
    if (isBlocked) throw new PageError({ kind: 'error', error: 'slow', retryAfterSeconds: resetSeconds });
    const owner = await this.links.find(token);
    if (owner && !owner.disabledAt) return owner;
    if (!owner) await this.limiter.consume('signInAddress', address);
    throw new PageError({ kind: 'error', error: owner ? 'disabled' : 'link' });
  }

  private render(reply: FastifyReply, { email }: ResetLinkOwner, token: string, fault: Said | null, ended = ENDED): void {
    this.preSession.send(reply, (form) => resetPage({ ...form, email, token, fault, ended }), fault ? 422 : 200);
  }
}
