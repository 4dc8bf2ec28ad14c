import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import type { Cookies, NewCookie } from '../../../edge/http/index.js';
import type { Client } from '../client/client.js';
import { GrantService, type PriorConsent } from '../grant/grant.service.js';
import { PageSessions } from '../../session/index.js';
import { RateLimiter, type RateLimitResult } from '../../../edge/rate-limit/index.js';
import { bindingCookies } from '../interaction/binding.js';
import { firstPageUrl } from '../interaction/interaction.service.js';
import { InteractionStore } from '../interaction/interaction.store.js';
import { successUrl } from '../request/response-url.js';
import type { AuthorizationRequest } from '../request/authorization-request.js';
import { nextStep } from './decision.js';

export interface RequestingBrowser {
  readonly cookies: Cookies;
  readonly address: string;
}

export interface NextLocation {
  readonly location: string;
  readonly cookies: readonly NewCookie[];
}

/** A request stores a row, whether or not it needs a page: an address, and a session, may start only a limited number per minute. */
export class TooManyAuthorizationRequests extends Error {
  constructor(readonly result: RateLimitResult) {
    super('Too many authorization requests');
  }
}

interface ValidRequest {
  readonly request: AuthorizationRequest;
  readonly client: Client;
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
  async after(request: AuthorizationRequest, client: Client, browser: RequestingBrowser): Promise<NextLocation> {
    const session = await this.sessions.find(browser.cookies);
    const prior = session && (await this.grants.priorConsent(session.user.id, client.id));
    const remembered = prior !== null && this.grants.isConsented(client, request.scopes, prior);
    const step = nextStep(request, session && prior && { session, askedAt: prior.now, remembered });
    if (!session || !prior || step === 'login') return this.ask(request, null, browser);
    return step === 'consent' ? this.ask(request, session, browser) : this.approve({ request, client }, session, prior);
  }

  private count(key: string): void {
    const result = this.limiter.consumeNow('authorizationPage', key);
    if (result.isBlocked) throw new TooManyAuthorizationRequests(result);
  }

  /** Grants again what was allowed before; the time when the person was asked about money does not change. */
  private async approve({ request, client }: ValidRequest, session: Visitor, prior: PriorConsent): Promise<NextLocation> {
    // A grant is a row too. It counts for the session, so that it uses up nothing of other people at the same address.
    this.count(`session ${session.session.id}`);
    const writeAskedAt = this.grants.movesMoney(request.scopes) ? prior.writeAskedAt : null;
    const managesKeys = prior.managesKeys && this.grants.asksForKeys(client, request.scopes);
    const code = await this.grants.grant({ request, session, scopes: request.scopes, writeAskedAt, managesKeys });
    return { location: successUrl(request, this.config.issuerUrl, code, request.scopes), cookies: [] };
  }

  /** @param session the one that decides; null: the sign-in page finds it */
  private async ask(
    request: AuthorizationRequest,
    session: Visitor | null,
    { cookies, address }: RequestingBrowser,
  ): Promise<NextLocation> {
    this.count(address);
    const { challenge, binding } = await this.interactions.add(request, session);
    const set = bindingCookies(cookies, challenge, binding, this.config.publicUrl, this.interactions.lifeSeconds);
    return { location: firstPageUrl(challenge, session !== null), cookies: set };
  }
}
