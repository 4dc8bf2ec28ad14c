import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { basedOn } from '../../budget/index.js';
import { Csrf, Pages, type Form } from '../../page/index.js';
import { GrantService } from '../grant/grant.service.js';
import type { OpenConsent } from './consent-binding.js';
import { consentPage, type ConsentModel, type TypedConsent } from './consent.view.js';

/** A form that comes back to the person. */
export interface ReturnedForm {
  readonly typed: TypedConsent;
  readonly limitError?: string;
  readonly isStale?: boolean;
  readonly isRestored?: boolean;
}

export const typedIn = (form: Form): TypedConsent => ({
  scopes: form.list('scope'),
  limit: form.text('limit').trim(),
  window: form.text('window'),
  based: form.text('based'),
});

/** Sends the consent page, with the limits of now. */
@Injectable()
export class ConsentPages {
  constructor(
    private readonly grants: GrantService,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {}

  async send(reply: FastifyReply, { interaction, visitor: { user } }: OpenConsent, returned?: ReturnedForm): Promise<void> {
    const { client, scopes, lastsUntil, asksAgainDays, redirectUri } = interaction;
    const limits = await this.grants.limitsOf(user.id, client.id);
    const based = returned?.typed.based ?? '';
    const model: ConsentModel = {
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
      ...returned,
      isStale: returned?.isStale === true || (based !== '' && based !== basedOn(limits)),
    };
    const isRefused = returned !== undefined && returned.isRestored !== true;
    this.pages.send(reply, { kind: 'consent', redirectUri }, consentPage(model), isRefused ? 422 : 200);
  }
}
