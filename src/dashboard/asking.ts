import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { InteractionService, type InteractionRefusal } from '../oauth/index.js';
import type { Onward } from './onward.js';
import { PageRefusal } from './page-refusal.js';
import { paths, type ClientView } from './view/index.js';

/** The app whose request waits behind the sign-in, if one does. */
@Injectable()
export class Asking {
  constructor(private readonly interactions: InteractionService) {}

  /** @throws PageRefusal when the request has ended or was begun in another browser */
  async client(challenge: string | undefined, request: FastifyRequest): Promise<{ view: ClientView; loginHint: string | null } | null> {
    if (challenge === undefined) return null;
    const found = await this.interactions.find(challenge, request.headers.cookie, null);
    if (found.kind !== 'open') throw refusalOf(found);
    const { client, loginHint } = found.interaction;
    return { view: { name: client.name, verified: client.verified, host: client.host }, loginHint };
  }

  /** Where somebody who is signed in goes from here; null: this sign-in is not enough for the request, so they sign in again. */
  async next({ challenge, to }: Onward, request: FastifyRequest, sessionToken: string): Promise<string | null> {
    if (challenge === undefined) return to ?? paths.wallet;
    const outcome = await this.interactions.signedIn(challenge, request.headers.cookie, sessionToken);
    if (outcome.kind === 'next') return outcome.url;
    if (outcome.kind === 'needs_login') return null;
    throw refusalOf(outcome);
  }
}

/** The page for a request that cannot be answered. In another browser nothing is told, not even which app asked. */
export function refusalOf(refusal: InteractionRefusal): PageRefusal {
  if (refusal.kind === 'client_refused') return new PageRefusal({ kind: 'client' });
  if (refusal.kind === 'not_bound') return new PageRefusal({ kind: 'ended', ending: 'ended', client: null });
  return new PageRefusal({ kind: 'ended', ending: refusal.kind, client: refusal.client });
}
