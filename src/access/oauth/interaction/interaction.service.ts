import { Injectable } from '@nestjs/common';
import { ScopeCatalogue, type ScopeDefinition, type Visitor } from '../../../edge/auth/index.js';
import { errorUrl, successUrl } from '../request/response-url.js';
import { isFresh } from '../request/freshness.js';
import { signInUrl } from '../../signin/index.js';
import type { Cookies } from '../../../edge/http/index.js';
import { hostOf } from '../client/client.js';
import { isRegistered } from '../client/redirect-uri.js';
import type { LimitsChange } from '../../limit/index.js';
import { Config } from '../../../platform/config/index.js';
import { GrantService } from '../grant/grant.service.js';
import { DAY_SECONDS } from '../../../platform/kernel/clock.js';
import { equalHashes, hashToken } from '../../../platform/kernel/token.js';
import { PageSessions } from '../../session/index.js';
import { OAuthError } from '../oauth-error.js';
import { hasOffline } from '../scope-text.js';
import { bindingIn, isHandle } from './binding.js';
import { choiceOf } from './choice.js';
import type { DecisionOutcome, InteractionOutcome, InteractionRefusal, OpenInteraction, SignedInOutcome } from './interaction.outcome.js';
import { InteractionStore, type InteractionRow } from './interaction.store.js';

export interface Decision {
  readonly decision: string;
  readonly scopes: readonly string[];
  readonly limits: LimitsChange;
}

type AnswerResult = Extract<DecisionOutcome, { readonly kind: 'redirect' | 'undecided' }> | { readonly kind: 'answered' };
type LookUpOutcome = { readonly kind: 'found'; readonly row: InteractionRow } | InteractionRefusal;

const consentUrl = (challenge: string): string => `/consent?consent_challenge=${challenge}`;

export const firstPageUrl = (challenge: string, isSignedIn: boolean): string => (isSignedIn ? consentUrl : signInUrl)(challenge);

/** State and answers of the sign-in and consent pages. Every call needs the cookies: a request is bound to one browser. */
@Injectable()
export class InteractionService {
  constructor(
    private readonly store: InteractionStore,
    private readonly grants: GrantService,
    private readonly sessions: PageSessions,
    private readonly catalogue: ScopeCatalogue,
    private readonly config: Config,
  ) {}

  async find(challenge: string, cookies: Cookies, session: Visitor | null): Promise<InteractionOutcome> {
    const found = await this.lookUp(challenge, cookies, session);
    return found.kind === 'found' ? { kind: 'open', interaction: this.view(challenge, found.row, session) } : found;
  }

  /**
   * A person signed in, or was signed in when the sign-in page opened. From now on only this session may answer the request.
   * @param sessionToken of the page session
   */
  async signedIn(challenge: string, cookies: Cookies, sessionToken: string): Promise<SignedInOutcome> {
    const session = await this.sessions.open(sessionToken);
    const found = await this.lookUp(challenge, cookies, session);
    if (found.kind !== 'found') return found;
    if (!session || !mayAnswer(found.row, session)) return { kind: 'needs_login' };
    if (!(await this.store.bind(found.row.id, session))) return this.stateAfterConflict(challenge, cookies, session);
    return { kind: 'next', url: consentUrl(challenge) };
  }

  /** Stores the answer. Of concurrent answers the first counts. */
  async decide(challenge: string, cookies: Cookies, session: Visitor | null, choice: Decision): Promise<DecisionOutcome> {
    const found = await this.lookUp(challenge, cookies, session);
    if (found.kind !== 'found') return found;
    const { row } = found;
    if (!session || !this.isTheirs(row, session)) return { kind: 'needs_login', url: signInUrl(challenge, 'session-ended') };
    if (choice.decision !== 'allow' && choice.decision !== 'deny') return { kind: 'undecided' };
    const outcome = choice.decision === 'allow' ? await this.allow(row, session, choice) : await this.deny(row, session);
    return outcome.kind === 'answered' ? this.stateAfterConflict(challenge, cookies, session) : outcome;
  }

  private async allow({ request, client, id }: InteractionRow, session: Visitor, answer: Decision): Promise<AnswerResult> {
    const asked = { scopes: this.definitionsOf(request.scopes), asksForKeys: this.grants.asksForKeys(client, request.scopes) };
    const choice = choiceOf(asked, answer.scopes);
    if (choice.kind !== 'chosen') return { kind: 'undecided' };
    const { scopes, managesKeys } = choice;
    const writeAskedAt = this.grants.movesMoney(scopes) ? 'now' : null;
    // Also where sending is not allowed now: the app may have that from an earlier consent.
    const limits = this.grants.movesMoney(request.scopes) ? answer.limits : {};
    const given = { request, session, scopes, writeAskedAt, managesKeys, limits } as const;
    const code = await this.store.allow(id, session, (tx) => this.grants.answer(tx, given));
    if (code === null) return { kind: 'answered' };
    return { kind: 'redirect', url: successUrl(request, this.config.issuerUrl, code, scopes) };
  }

  private async deny({ id, request }: InteractionRow, session: Visitor): Promise<AnswerResult> {
    if (!(await this.store.deny(id, session))) return { kind: 'answered' };
    const denied = new OAuthError('access_denied', 'The user denied access');
    return { kind: 'redirect', url: errorUrl(request, this.config.issuerUrl, denied) };
  }

  private definitionsOf(scopes: readonly string[]): readonly ScopeDefinition[] {
    return scopes.map((scope) => this.catalogue.find(scope)).filter((scope): scope is ScopeDefinition => scope !== undefined);
  }

  /** Another tab answered first, or the request has just expired: returns its state. */
  private async stateAfterConflict(challenge: string, cookies: Cookies, session: Visitor): Promise<InteractionRefusal> {
    const found = await this.lookUp(challenge, cookies, session);
    return found.kind === 'found' ? { kind: 'ended', client: found.row.client } : found;
  }

  private async lookUp(challenge: string, cookies: Cookies, session: Visitor | null): Promise<LookUpOutcome> {
    const row = isHandle(challenge) ? await this.store.find(challenge) : null;
    if (!row) return { kind: 'ended', client: null };
    const binding = bindingIn(cookies, challenge, this.config.publicUrl);
    if (binding === undefined || !equalHashes(hashToken(binding), row.bindingHash)) return { kind: 'not_bound' };
    // A later user of this browser does not see what another person answered.
    if (row.state !== 'open') return this.answered(row, session);
    if (row.expired) return { kind: 'expired', client: row.client };
    const { client, request } = row;
    if (client.state !== 'approved' || !isRegistered(request.redirectUri, client)) return { kind: 'client_refused' };
    return { kind: 'found', row };
  }

  private async answered({ state, sessionId, client }: InteractionRow, session: Visitor | null): Promise<InteractionRefusal> {
    if (state === 'open' || sessionId !== session?.session.id) return { kind: 'ended', client };
    const { scopes } = await this.grants.priorConsent(session.user.id, client.id);
    return { kind: state, client, isConnected: scopes.length > 0 };
  }

  private isTheirs(row: InteractionRow, session: Visitor): boolean {
    return row.sessionId === session.session.id && mayAnswer(row, session);
  }

  private view(challenge: string, row: InteractionRow, session: Visitor | null): OpenInteraction {
    const { request, client } = row;
    const needsLogin = !session || !this.isTheirs(row, session);
    const asksForMoney = this.grants.movesMoney(request.scopes);
    return {
      client: {
        id: client.id,
        name: client.name,
        verified: client.verified,
        host: hostOf(request.redirectUri),
        managesKeys: this.grants.asksForKeys(client, request.scopes),
      },
      redirectUri: request.redirectUri,
      scopes: this.definitionsOf(request.scopes),
      loginHint: request.loginHint,
      needsLogin,
      lastsUntil: hasOffline(request.scopes) ? row.lastsUntil : null,
      asksAgainDays: asksForMoney && client.confidential ? Math.ceil(this.grants.consentWriteMemorySeconds / DAY_SECONDS) : null,
      csrfBinding: `interaction:${row.id}:${needsLogin ? '' : session.session.id}`,
      loginUrl: signInUrl(challenge),
      sessionEndedUrl: signInUrl(challenge, 'session-ended'),
      switchUrl: signInUrl(challenge, 'switch'),
      consentUrl: consentUrl(challenge),
    };
  }
}

function mayAnswer({ request, createdAt }: InteractionRow, { session, user }: Visitor): boolean {
  if (request.subject !== null && request.subject !== user.id) return false;
  return isFresh(request, session.authTime, createdAt);
}
