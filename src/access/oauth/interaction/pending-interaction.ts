import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PageError } from '../../../edge/page/index.js';
import { PendingRequest, type WaitingApp } from '../../signin/index.js';
import type { InteractionRefusal } from './interaction.outcome.js';
import { InteractionService } from './interaction.service.js';

@Injectable()
export class PendingInteraction extends PendingRequest {
  constructor(private readonly interactions: InteractionService) {
    super();
  }

  async app(challenge: string, request: FastifyRequest): Promise<WaitingApp> {
    const found = await this.interactions.find(challenge, request.cookies, null);
    if (found.kind !== 'open') throw pageErrorOf(found);
    const { client, loginHint } = found.interaction;
    return { head: client, loginHint };
  }

  async continueAt(challenge: string, request: FastifyRequest, sessionToken: string): Promise<string | null> {
    const outcome = await this.interactions.signedIn(challenge, request.cookies, sessionToken);
    if (outcome.kind === 'next') return outcome.url;
    if (outcome.kind === 'needs_login') return null;
    throw pageErrorOf(outcome);
  }
}

/** The page for a request that cannot be answered. In another browser it reveals nothing, not even the app. */
export function pageErrorOf(refusal: InteractionRefusal): PageError {
  if (refusal.kind === 'client_refused') return new PageError({ kind: 'client' });
  if (refusal.kind === 'not_bound') return new PageError({ kind: 'ended', ending: 'ended', client: null });
  const { kind, ...ended } = refusal;
  return new PageError({ ...ended, kind: 'ended', ending: kind });
}
