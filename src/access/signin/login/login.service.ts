import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignInService, type SignInAttempt, type SignInOutcome } from '../../session/index.js';
import { HOME } from '../paths.js';
import { PendingRequest, type WaitingApp } from '../pending-request.js';
import type { ReturnTo } from '../return-to.js';

@Injectable()
export class LoginService {
  constructor(
    private readonly signIns: SignInService,
    private readonly pending: PendingRequest,
  ) {}

  signIn(attempt: Omit<SignInAttempt, 'purpose'>): Promise<SignInOutcome> {
    return this.signIns.signIn({ ...attempt, purpose: 'page' });
  }

  /** The app whose request waits, if there is one. @throws PageError if the request has ended or was started in another browser */
  async waitingApp({ challenge }: ReturnTo, request: FastifyRequest): Promise<WaitingApp | null> {
    return challenge === undefined ? null : this.pending.app(challenge, request);
  }

  /** Where a signed-in person continues; null: this sign-in does not suffice for the request, so the person signs in again. */
  async next({ challenge, to }: ReturnTo, request: FastifyRequest, sessionToken: string): Promise<string | null> {
    return challenge === undefined ? (to ?? HOME) : this.pending.continueAt(challenge, request, sessionToken);
  }
}
