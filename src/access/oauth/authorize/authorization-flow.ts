import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import type { Cookies, NewCookie } from '../../../edge/http/index.js';
import type { Client } from '../client/client.js';
import { GrantService, type PriorConsent } from '../grant/grant.service.js';
import { PageSessions } from '../../session/index.js';
import { RateLimiter, type RateLimitResult } from '../../../edge/rate-limit/index.js';
import { bindingCookies } from '../interaction/binding.js';
import { consentUrl, signInUrl } from '../interaction/interaction.service.js';
import { InteractionStore } from '../interaction/interaction.store.js';
import { type AuthorizationRequest, isFresh } from '../request/authorization-request.js';
import { errorTo, successTo, type AuthorizationResponse, type ResponseTarget } from '../request/authorization-response.js';
import { OAuthError } from '../oauth-error.js';

export type NextStep = 'login' | 'consent' | 'approve';

export interface SignInState {
  readonly session: { readonly session: Pick<Visitor['session'], 'authTime'>; readonly user: Pick<Visitor['user'], 'id'> };
  /** The time of the request, by the database's clock, which also timed the sign-in. */
  readonly askedAt: Date;
  readonly remembered: boolean;
}

/**
 * OpenID Connect Core section 3.1.2.3.
 * @throws OAuthError if `prompt=none` excludes a page, or if another person is signed in than the app expects
 */
export function nextStep(request: AuthorizationRequest, present: SignInState | null): NextStep {
  const silent = request.prompt.includes('none');
  if (present && request.subject !== null && request.subject !== present.session.user.id) {
    throw new OAuthError('login_required', 'A different user is signed in');
  }
  if (!present || !isFresh(request, present.session.session.authTime, present.askedAt)) {
    if (silent) throw new OAuthError('login_required', 'Login required');
    return 'login';
  }
  if (present.remembered && !request.prompt.includes('consent')) return 'approve';
  if (silent) throw new OAuthError('consent_required', 'User consent required');
  return 'consent';
}

export interface RequestingBrowser {
  readonly cookies: Cookies;
  readonly address: string;
}

/** A page of Sluice. */
export interface NextPage {
  readonly location: string;
  readonly cookies: readonly NewCookie[];
}

/** A request stores a row, whether or not it needs a page: an address, and a session, may start only a limited number per minute. */
export class TooManyAuthorizationRequests extends Error {
  constructor(readonly result: RateLimitResult) {
    super('Too many authorization requests');
  }
}

@Injectable()
export class AuthorizationFlow {
  constructor(
    private readonly sessions: PageSessions,
    private readonly grants: GrantService,
    private readonly interactions: InteractionStore,
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /** @throws OAuthError if `nextStep` does; TooManyAuthorizationRequests */
  async after(request: AuthorizationRequest, client: Client, browser: RequestingBrowser): Promise<NextPage | AuthorizationResponse> {
    const session = await this.sessions.find(browser.cookies);
    const prior = session && (await this.grants.priorConsent(session.user.id, client.id, request.audience));
    const remembered =
      session !== null &&
      prior !== null &&
      this.grants.isConsented(client, request.scopes, prior) &&
      (await this.grants.coversBudgets(session.user.id, request));
    const step = nextStep(request, session && prior && { session, askedAt: prior.now, remembered });
    if (!session || !prior || step === 'login') return this.ask(request, null, browser);
    return step === 'consent' ? this.ask(request, session, browser) : this.approve(request, client, session, prior);
  }

  refusal(target: ResponseTarget, error: OAuthError): AuthorizationResponse {
    return errorTo(target, this.config.issuerUrl, error);
  }

  private count(key: string): void {
    const result = this.limiter.consumeNow('authorizationPage', key);
    if (result.isBlocked) throw new TooManyAuthorizationRequests(result);
  }

  /** Grants again what was allowed before; the time when the person was asked about money does not change. */
  private async approve(
    request: AuthorizationRequest,
    client: Client,
    session: Visitor,
    prior: PriorConsent,
  ): Promise<AuthorizationResponse> {
    // A grant is a row too. It counts for the session, so that it uses up nothing of other people at the same address.
    this.count(`session ${session.session.id}`);
    const writeAskedAt = this.grants.movesMoney(request.scopes) ? prior.writeAskedAt : null;
    const managesKeys = prior.managesKeys && this.grants.asksForKeys(client, request.scopes);
    const managesCallbacks = prior.managesCallbacks && managesKeys;
    const authorizationDetails = request.authorizationDetails ?? null;
    const given = { request, session, scopes: request.scopes, writeAskedAt, managesKeys, managesCallbacks, authorizationDetails };
    const code = await this.grants.grant(given);
    return successTo(request, this.config.issuerUrl, code, request.scopes);
  }

  /** @param session the one that decides; null: the sign-in page finds it */
  private async ask(request: AuthorizationRequest, session: Visitor | null, { cookies, address }: RequestingBrowser): Promise<NextPage> {
    this.count(address);
    const { challenge, binding } = await this.interactions.add(request, session);
    const set = bindingCookies(cookies, challenge, binding, this.config.publicUrl, this.interactions.lifeSeconds);
    return { location: (session ? consentUrl : signInUrl)(challenge), cookies: set };
  }
}
