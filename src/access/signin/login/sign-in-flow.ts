import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageError, seeOther, type Frame, type Html, type PasskeyAsked } from '../../../edge/page/index.js';
import type { SignInCaller, SignInOutcome } from '../../session/index.js';
import { Passkeys } from '../../factor/index.js';
import { HOME, paths, withReturnTo, type ReturnTo } from '../paths.js';
import { PendingRequest, type WaitingApp } from '../pending-request.js';
import { PreSession } from '../pre-session.js';
import { SignInCookies } from '../sign-in-cookies.js';

/** With fewer recovery codes left than this, a sign-in leads to the page where a person makes new ones. */
const FEW_CODES = 3;

/** The steps of a sign-in on the pages, from an app's request or to a page of our own. */
@Injectable()
export class SignInFlow {
  constructor(
    private readonly cookies: SignInCookies,
    private readonly pending: PendingRequest,
    private readonly preSession: PreSession,
    private readonly passkeys: Passkeys,
  ) {}

  callerOf(request: FastifyRequest): SignInCaller {
    const userAgent = request.headers['user-agent'] ?? '';
    return { purpose: 'page', address: request.address, userAgent, device: this.cookies.deviceOf(request) };
  }

  /** The app whose request waits, if there is one. @throws PageError if the request has ended or was started in another browser */
  async waitingApp({ challenge }: ReturnTo, request: FastifyRequest): Promise<WaitingApp | null> {
    return challenge === undefined ? null : this.pending.app(challenge, request);
  }

  /** Where a signed-in person continues; null: this sign-in does not suffice for the request, so the person signs in again. */
  async next({ challenge, to }: ReturnTo, request: FastifyRequest, sessionToken: string): Promise<string | null> {
    return challenge === undefined ? (to ?? HOME) : this.pending.continueAt(challenge, request, sessionToken);
  }

  sendWithPasskey(reply: FastifyReply, draw: (form: { frame: Frame; csrf: string; passkey: PasskeyAsked }) => Html, status: number): void {
    this.preSession.sendWithPasskey(reply, (binding) => this.passkeys.requestOptions(binding), draw, status);
  }

  /** The right password of a person with a factor: the page that asks for it follows. */
  askForFactor(reply: FastifyReply, returnTo: ReturnTo, ticket: string): void {
    this.cookies.setTicket(reply, ticket);
    seeOther(reply, withReturnTo(paths.code, returnTo));
  }

  /** A signed-in person has proved again who they are. */
  goOn(reply: FastifyReply, { to }: ReturnTo, session: { readonly token: string }): void {
    this.cookies.set(reply, session);
    seeOther(reply, to ?? HOME);
  }

  async finish(reply: FastifyReply, returnTo: ReturnTo, outcome: Extract<SignInOutcome, { kind: 'signed_in' }>): Promise<void> {
    this.cookies.set(reply, outcome);
    const next = await this.next(returnTo, reply.request, outcome.token);
    if (next === null) throw new PageError({ kind: 'redirect', to: HOME });
    const isLow = outcome.codesLeft !== null && outcome.codesLeft < FEW_CODES;
    seeOther(reply, isLow && next === HOME ? paths.security : next);
  }
}
