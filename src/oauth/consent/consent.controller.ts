import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageSession } from '../../auth/index.js';
import { limitsSeen, windowLimitTyped, type LimitsChange, type WindowLimit } from '../../budget/index.js';
import { BoundTo, Csrf, PageController, PageForm, Pages, seeOther, type Form } from '../../page/index.js';
import { InteractionService } from '../interaction/interaction.service.js';
import { pageErrorOf } from '../interaction/pending-interaction.js';
import { GrantService } from '../grant/grant.service.js';
import { ConsentBinding, type OpenConsent } from './consent-binding.js';
import { consentPage, type ConsentModel } from './consent.view.js';

/** `/consent`: asks the person whether an app may use the wallet. A GET never grants anything. */
@PageController('consent')
@PageSession({ optional: true })
export class ConsentController {
  constructor(
    private readonly binding: ConsentBinding,
    private readonly interactions: InteractionService,
    private readonly grants: GrantService,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.render(reply, await this.binding.open(request));
  }

  @Post()
  @BoundTo(ConsentBinding)
  async decide(@PageForm() form: Form, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const open = await this.binding.open(request);
    const typed = { scopes: form.list('scope'), limit: form.text('limit').trim(), window: form.text('window') };
    const decision = form.text('decision');
    // A form without limits sets none, whatever was sent with it.
    const hasLimits = decision === 'allow' && open.interaction.scopes.some(({ movesMoney }) => movesMoney);
    const limit = hasLimits ? windowLimitTyped(typed.limit, typed.window) : null;
    if (typeof limit === 'string') return this.render(reply, open, { typed, limitError: limit });
    const limits = hasLimits ? limitsOf(form.text('based'), limit) : null;
    if (limits === 'stale') return this.render(reply, open, { typed, isStale: true });
    const choice = { decision, scopes: typed.scopes, limits };
    const outcome = await this.interactions.decide(open.challenge, request.cookies, open.visitor, choice);
    if (outcome.kind === 'undecided') return this.render(reply, open, { typed });
    if (outcome.kind === 'stale') return this.render(reply, open, { typed, isStale: true });
    if (outcome.kind === 'needs_login' || outcome.kind === 'redirect') return seeOther(reply, outcome.url);
    throw pageErrorOf(outcome);
  }

  private async render(
    reply: FastifyReply,
    { interaction, visitor: { user } }: OpenConsent,
    again: Pick<ConsentModel, 'typed' | 'limitError' | 'isStale'> = {},
  ): Promise<void> {
    const { client, scopes, lastsUntil, asksAgainDays, redirectUri } = interaction;
    const limits = await this.grants.limitsOf(user.id, client.id);
    const page = consentPage({
      frame: this.pages.frame(),
      csrf: this.csrf.token(interaction.csrfBinding),
      action: interaction.consentUrl,
      app: client,
      scopes,
      managesKeys: client.managesKeys,
      username: user.username,
      switchHref: interaction.switchUrl,
      lastsUntil,
      asksAgainDays,
      limits,
      ...again,
    });
    this.pages.send(reply, { kind: 'consent', redirectUri }, page, again.limitError === undefined && !again.isStale ? 200 : 422);
  }
}

/** The limits that the person saw and the one that was entered; null for a form with neither, which overwrites none. */
function limitsOf(based: string, limit: WindowLimit | null): LimitsChange | null | 'stale' {
  const seen = limitsSeen(based);
  if (seen) return { seen, wanted: limit ? { [limit.window]: limit.limitSats } : {} };
  return limit ? 'stale' : null;
}
