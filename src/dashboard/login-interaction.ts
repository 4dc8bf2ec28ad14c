import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { InteractionService, type InteractionRefusal } from '../oauth/index.js';
import type { ReturnTo } from './return-to.js';
import { PageError } from '../page/index.js';
import { paths, type ClientView } from './view/index.js';

/** The app whose authorization request waits for the sign-in, if there is one. */
@Injectable()
export class LoginInteraction {
  constructor(private readonly interactions: InteractionService) {}

  /** @throws PageError if the request has ended or was started in another browser */
  async client(challenge: string | undefined, request: FastifyRequest): Promise<{ view: ClientView; loginHint: string | null } | null> {
    if (challenge === undefined) return null;
    const found = await this.interactions.find(challenge, request.cookies, null);
    if (found.kind !== 'open') throw refusalOf(found);
    const { client, loginHint } = found.interaction;
    return { view: { name: client.name, verified: client.verified, host: client.host }, loginHint };
  }

  /** Where a signed-in person continues; null: this sign-in does not suffice for the request, so the person signs in again. */
  async next({ challenge, to }: ReturnTo, request: FastifyRequest, sessionToken: string): Promise<string | null> {
    if (challenge === undefined) return to ?? paths.wallet;
    const outcome = await this.interactions.signedIn(challenge, request.cookies, sessionToken);
    if (outcome.kind === 'next') return outcome.url;
    if (outcome.kind === 'needs_login') return null;
    throw refusalOf(outcome);
  }
}

/** The page for a request that cannot be answered. In another browser it reveals nothing, not even the app. */
export function refusalOf(refusal: InteractionRefusal): PageError {
  if (refusal.kind === 'client_refused') return new PageError({ kind: 'client' });
  if (refusal.kind === 'not_bound') return new PageError({ kind: 'ended', ending: 'ended', client: null });
  return new PageError({ kind: 'ended', ending: refusal.kind, client: refusal.client });
}
