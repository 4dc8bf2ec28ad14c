import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../auth/index.js';
import { InteractionService, type OpenInteraction } from '../oauth/index.js';
import { PageError, type CsrfBinding, type FormBinding } from '../page/index.js';
import { refusalOf } from './login-interaction.js';
import { challengeIn } from './return-to.js';

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
    const challenge = challengeIn(request.query as Readonly<Record<string, unknown>>, 'consent_challenge');
    if (challenge === undefined) throw new PageError({ kind: 'ended', ending: 'ended', client: null });
    const { visitor } = request;
    const found = await this.interactions.find(challenge, request.cookies, visitor);
    if (found.kind !== 'open') throw refusalOf(found);
    const { interaction } = found;
    if (!visitor || interaction.needsLogin) throw new PageError({ kind: 'redirect', to: againIf(request, interaction.loginUrl) });
    const open = { challenge, interaction, visitor };
    this.opened.set(request, open);
    return open;
  }
}

/** The sign-in page then says that an answer without a session was not counted. */
export const againIf = ({ method }: FastifyRequest, loginUrl: string): string =>
  method === 'POST' ? `${loginUrl}&interrupted=again` : loginUrl;
