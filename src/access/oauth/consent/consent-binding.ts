import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../../../edge/auth/index.js';
import { PageError, type CsrfBinding, type FormBinding } from '../../../edge/page/index.js';
import type { OpenInteraction } from '../interaction/interaction.outcome.js';
import { InteractionService } from '../interaction/interaction.service.js';
import { pageErrorOf } from '../interaction/pending-interaction.js';

export interface OpenConsent {
  readonly challenge: string;
  readonly interaction: OpenInteraction;
  readonly visitor: Visitor;
}

/** Binds the consent form to the authorization request, as shown to this session. */
@Injectable()
export class ConsentBinding implements FormBinding {
  private readonly opened = new WeakMap<FastifyRequest, OpenConsent>();

  constructor(private readonly interactions: InteractionService) {}

  async bindingOf(request: FastifyRequest): Promise<CsrfBinding> {
    return (await this.open(request)).interaction.csrfBinding;
  }

  /**
   * The authorization request that this page is about; looked up once.
   * @throws PageError unless it is open, in this browser, and the signed-in person may answer it
   */
  async open(request: FastifyRequest): Promise<OpenConsent> {
    const known = this.opened.get(request);
    if (known) return known;
    const { consent_challenge: challenge } = request.query as Readonly<Record<string, unknown>>;
    if (typeof challenge !== 'string') throw pageErrorOf({ kind: 'ended', client: null });
    const { visitor } = request;
    const found = await this.interactions.find(challenge, request.cookies, visitor);
    if (found.kind !== 'open') throw pageErrorOf(found);
    const { interaction } = found;
    if (!visitor || interaction.needsLogin) {
      throw new PageError({ kind: 'redirect', to: request.method === 'POST' ? interaction.sessionEndedUrl : interaction.loginUrl });
    }
    const open = { challenge, interaction, visitor };
    this.opened.set(request, open);
    return open;
  }
}
