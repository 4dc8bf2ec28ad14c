import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ADDED_LIMIT_RANGE, LIMIT_RANGE, windowLimitTyped, type BudgetLimits, type WindowLimit } from '../../limit/index.js';
import { Csrf, Pages, type Form } from '../../../edge/page/index.js';
import { AppService } from '../app/app.service.js';
import { GrantService } from '../grant/grant.service.js';
import { choiceOf, type Choice, type ChoiceFault } from '../interaction/choice.js';
import type { OpenInteraction } from '../interaction/interaction.outcome.js';
import type { OpenConsent } from './consent-binding.js';
import { consentPage, type ConsentErrors, type TypedConsent } from './consent.view.js';

export interface ReturnedForm {
  readonly typed: TypedConsent;
  /** It was sent to allow something, and has a fault. */
  readonly isRefused?: boolean;
}

export const typedIn = (form: Form): TypedConsent => ({
  scopes: form.list('scope'),
  limit: form.text('limit').trim(),
  window: form.text('window'),
});

@Injectable()
export class ConsentPages {
  constructor(
    private readonly apps: AppService,
    private readonly grants: GrantService,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {}

  async send(reply: FastifyReply, { interaction, visitor: { user } }: OpenConsent, returned?: ReturnedForm): Promise<void> {
    const { client, scopes, lastsUntil, asksAgainDays, redirectUri } = interaction;
    const [app, limits] = await Promise.all([this.apps.find(user.id, client.id), this.grants.limitsOf(user.id, client.id)]);
    const { typed, isRefused } = returned ?? {};
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
      held: app && { scopes: app.scopes, disconnectHref: `/dashboard/apps/${client.id}/disconnect` },
      limits,
      typed,
      errors: typed && isRefused ? errorsIn(typed, interaction, limits) : {},
    });
    this.pages.send(reply, { kind: 'consent', redirectUri }, page, typed ? 422 : 200);
  }
}

function errorsIn(typed: TypedConsent, interaction: OpenInteraction, limits: BudgetLimits | undefined): ConsentErrors {
  const choice = choiceIn(typed, interaction);
  const limit = limitIn(typed, interaction, limits ? ADDED_LIMIT_RANGE : LIMIT_RANGE);
  return { choice: choice.kind === 'chosen' ? undefined : choice.kind, limit: typeof limit === 'string' ? limit : undefined };
}

export const choiceIn = (typed: TypedConsent, { scopes, client }: OpenInteraction): Choice | ChoiceFault =>
  choiceOf({ scopes, asksForKeys: client.managesKeys }, typed.scopes);

export const limitIn = (typed: TypedConsent, { scopes }: OpenInteraction, rule?: string): WindowLimit | null | string =>
  scopes.some(({ movesMoney }) => movesMoney) ? windowLimitTyped(typed.limit, typed.window, rule) : null;
