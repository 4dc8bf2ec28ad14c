import type { FastifyRequest } from 'fastify';
import type { AppHead } from '../../edge/page/index.js';
import { paths } from './paths.js';

export interface WaitingApp {
  readonly head: AppHead;
  readonly loginHint: string | null;
  /** The app asks for a recent sign-in. */
  readonly needsFreshSignIn: boolean;
}

/** A request of an app that waits for a sign-in, by its challenge. The authorization server implements it. */
export abstract class PendingRequest {
  /** @throws PageError if the request has ended or was started in another browser */
  abstract app(challenge: string, request: FastifyRequest): Promise<WaitingApp>;

  /** Where the person of this page session continues; null: the sign-in does not suffice for the request. @throws PageError as `app` */
  abstract continueAt(challenge: string, request: FastifyRequest, sessionToken: string): Promise<string | null>;
}

/** The person wants to sign in as another person; or an answer arrived after its session had ended, and was not stored. */
export type SignInReason = 'switch' | 'session-ended';

export const signInUrl = (challenge: string, reason?: SignInReason): string =>
  `${paths.login}?login_challenge=${challenge}${reason ? `&${reason}=1` : ''}`;
