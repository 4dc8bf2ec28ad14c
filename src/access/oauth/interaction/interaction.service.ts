import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ScopeCatalogue, type ScopeDefinition, type Visitor } from '../../../edge/auth/index.js';
import { isFresh } from '../request/authorization-request.js';
import { errorTo, successTo, type AuthorizationResponse } from '../request/authorization-response.js';
import { PendingRequest, signInUrl, type WaitingApp } from '../../signin/index.js';
import { PageError, type AppHead, type CsrfBinding, type EndedRequest } from '../../../edge/page/index.js';
import type { Cookies } from '../../../edge/http/index.js';
import { hostOf, isDocumentUrl, isInUse, type Client } from '../client/client.js';
import { isOnThisMachine, isRegistered } from '../client/redirect-uri.js';
import type { LimitsChange } from '../../limit/index.js';
import { Config } from '../../../platform/config/index.js';
import { GrantService } from '../grant/grant.service.js';
import { DAY_SECONDS } from '../../../platform/kernel/clock.js';
import { equalHashes, hashToken } from '../../../platform/kernel/token.js';
import { PageSessions } from '../../session/index.js';
import { OAuthError } from '../oauth-error.js';
import { withLimits, type WalletBudget } from '../authorization-details.js';
import { hasOffline } from '../scope-text.js';
import { bindingIn, isHandle } from './binding.js';
import type { Choice } from './choice.js';
import { InteractionStore, type InteractionRow } from './interaction.store.js';

export interface RequestingClient extends AppHead, Pick<Client, 'id' | 'purpose' | 'homepage'> {
  /** Of an app that was not registered: what describes it. */
  readonly documentUrl: string | null;
  /** It receives the response on the person's own machine. */
  readonly isOnThisMachine: boolean;
  /** Its owner tests it before the approval. */
  readonly isTest: boolean;
  readonly managesKeys: boolean;
}

export interface OpenInteraction {
  readonly client: RequestingClient;
  readonly redirectUri: string;
  readonly scopes: readonly ScopeDefinition[];
  /** The services that the app wants to use; none: the wallet alone. */
  readonly resources: readonly string[];
  /** That the app asks for; only with a scope that moves money. */
  readonly budgets: readonly WalletBudget[];
  /** The e-mail address that the app expects; not checked. */
  readonly loginHint: string | null;
  /** It names `prompt=login`, or a maximum age. */
  readonly needsFreshSignIn: boolean;
  /** This page session may not answer: no sign-in, not recently enough, or another person since. */
  readonly needsLogin: boolean;
  /** When a consent given now ends; null if it ends with the app's own session. */
  readonly lastsUntil: Date | null;
  /** After how many days the app has to ask about moving money again; null if it does not, or is public and always asks. */
  readonly asksAgainDays: number | null;
  readonly csrfBinding: CsrfBinding;
}

type Consented = Pick<Choice, 'scopes' | 'managesKeys'> & { readonly limits: LimitsChange };
export type Decision = 'deny' | Consented;

export { signInUrl };
export const consentUrl = (challenge: string): string => `/consent?consent_challenge=${challenge}`;

/** State and answers of the sign-in and consent pages. Every call needs the cookies: a request is bound to one browser. */
@Injectable()
export class InteractionService extends PendingRequest {
  constructor(
    private readonly store: InteractionStore,
    private readonly grants: GrantService,
    private readonly sessions: PageSessions,
    private readonly catalogue: ScopeCatalogue,
    private readonly config: Config,
  ) {
    super();
  }

  async open(challenge: string, cookies: Cookies, session: Visitor | null): Promise<OpenInteraction> {
    const row = await this.lookUp(challenge, cookies, session);
    const { request, client } = row;
    const { id, name, verified, purpose, homepage } = client;
    refuseOthers(row, challenge, session);
    const needsLogin = !session || !this.isTheirs(row, session);
    const asksForMoney = this.grants.movesMoney(request.scopes);
    return {
      client: {
        ...{ id, name, verified, purpose, homepage },
        host: hostOf(request.redirectUri),
        documentUrl: isDocumentUrl(id) ? id : null,
        isOnThisMachine: isOnThisMachine(request.redirectUri),
        isTest: client.state === 'test',
        managesKeys: this.grants.asksForKeys(client, request.scopes),
      },
      redirectUri: request.redirectUri,
      scopes: request.scopes.flatMap((scope) => this.catalogue.find(scope) ?? []),
      resources: request.audience ?? [],
      budgets: request.authorizationDetails ?? [],
      loginHint: request.loginHint,
      needsFreshSignIn: request.maxAgeSeconds !== null || request.prompt.some((each) => each === 'login' || each === 'select_account'),
      needsLogin,
      lastsUntil: hasOffline(request.scopes) ? row.lastsUntil : null,
      asksAgainDays: asksForMoney && client.confidential ? Math.ceil(this.grants.consentWriteMemorySeconds / DAY_SECONDS) : null,
      csrfBinding: `interaction:${row.id}:${needsLogin ? '' : session.session.id}`,
    };
  }

  async app(challenge: string, { cookies }: FastifyRequest): Promise<WaitingApp> {
    const { client, loginHint, needsFreshSignIn } = await this.open(challenge, cookies, null);
    return { head: client, loginHint, needsFreshSignIn };
  }

  /** A person signed in, or was signed in when the sign-in page opened. From now on only this session may answer the request. */
  async continueAt(challenge: string, { cookies }: FastifyRequest, sessionToken: string): Promise<string | null> {
    const session = await this.sessions.open(sessionToken);
    const row = await this.lookUp(challenge, cookies, session);
    if (!session || !mayAnswer(row, session)) return null;
    return (await this.store.bind(row.id, session)) ? consentUrl(challenge) : this.refuseAnswered(challenge, cookies, session);
  }

  /**
   * Stores the answer. Of concurrent answers the first counts.
   * @returns the response to the app; or the address of the sign-in, if this session may not answer
   * @throws PageError as `open`
   */
  async decide(challenge: string, cookies: Cookies, session: Visitor, decision: Decision): Promise<string | AuthorizationResponse> {
    const row = await this.lookUp(challenge, cookies, session);
    refuseOthers(row, challenge, session);
    if (!this.isTheirs(row, session)) return signInUrl(challenge, 'session-ended');
    try {
      const response = decision === 'deny' ? await this.deny(row, session) : await this.allow(row, session, decision);
      return response ?? (await this.refuseAnswered(challenge, cookies, session));
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'login_required') return signInUrl(challenge, 'session-ended');
      throw error;
    }
  }

  private allow({ request, id }: InteractionRow, session: Visitor, answer: Consented): Promise<AuthorizationResponse | null> {
    const { scopes, managesKeys } = answer;
    const maySend = this.grants.movesMoney(scopes);
    const writeAskedAt = maySend ? ('now' as const) : null;
    const { authorizationDetails: asked } = request;
    // A limit that the person has typed counts also where sending is not allowed now: the app may have that from an earlier consent. What the
    // app asks for does not, because it may be more than the limit of before.
    const limits = maySend || (!asked && this.grants.movesMoney(request.scopes)) ? answer.limits : {};
    const authorizationDetails = maySend && asked ? withLimits(asked, limits) : null;
    // The box for keys says both.
    const keys = { managesKeys, managesCallbacks: managesKeys };
    const given = { request, session, scopes, writeAskedAt, ...keys, limits, authorizationDetails };
    return this.store.end(id, session, 'allowed', async (tx) =>
      successTo(request, this.config.issuerUrl, await this.grants.grant(given, tx), scopes),
    );
  }

  private deny({ id, request }: InteractionRow, session: Visitor): Promise<AuthorizationResponse | null> {
    const denied = errorTo(request, this.config.issuerUrl, new OAuthError('access_denied', 'The user denied access'));
    return this.store.end(id, session, 'denied', () => Promise.resolve(denied));
  }

  /** Another tab answered first, or the request has just expired: its page says which. */
  private async refuseAnswered(challenge: string, cookies: Cookies, session: Visitor): Promise<never> {
    const { client } = await this.lookUp(challenge, cookies, session);
    throw ended('ended', client);
  }

  /** @throws PageError unless it can be answered in this browser, which reveals nothing of a request of another one, not even the app */
  private async lookUp(challenge: string, cookies: Cookies, session: Visitor | null): Promise<InteractionRow> {
    const row = isHandle(challenge) ? await this.store.find(challenge) : null;
    const binding = bindingIn(cookies, challenge, this.config.publicUrl);
    if (!row || binding === undefined || !equalHashes(hashToken(binding), row.bindingHash)) throw ended('ended', null);
    const { client, request, state } = row;
    if (state !== 'open') {
      // A later user of this browser does not see what another person answered.
      if (row.sessionId !== session?.session.id) throw ended('ended', client);
      const { scopes } = await this.grants.priorConsent(session.user.id, client.id, request.audience);
      throw ended(state, client, scopes.length > 0);
    }
    if (row.expired) throw ended('expired', client);
    // The app was suspended meanwhile, or its redirect URI is no longer registered.
    if (!isInUse(client) || !isRegistered(request.redirectUri, client)) throw new PageError({ kind: 'client' });
    return row;
  }

  private isTheirs(row: InteractionRow, session: Visitor): boolean {
    return row.sessionId === session.session.id && mayAnswer(row, session);
  }
}

const ended = (ending: EndedRequest['ending'], client: EndedRequest['client'], isConnected?: boolean): PageError =>
  new PageError({ kind: 'ended', ending, client, ...(isConnected !== undefined && { isConnected }) });

export class TestAccountError extends PageError {
  constructor(
    readonly clientId: string,
    challenge: string,
  ) {
    super({ kind: 'client', cause: 'test', switchTo: signInUrl(challenge, 'switch') });
  }
}

/** Test credentials work for the account of their owner alone. @throws TestAccountError for any other */
function refuseOthers({ client, testerId }: InteractionRow, challenge: string, session: Visitor | null): void {
  if (client.state === 'test' && session && session.user.id !== testerId) throw new TestAccountError(client.id, challenge);
}

function mayAnswer({ request, createdAt }: InteractionRow, { session, user }: Visitor): boolean {
  if (request.subject !== null && request.subject !== user.id) return false;
  return isFresh(request, session.authTime, createdAt);
}
