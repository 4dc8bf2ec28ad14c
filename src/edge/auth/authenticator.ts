import { HttpException, HttpStatus, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { isUnavailable, OutageLog, type Fragment } from '../../platform/database/index.js';
import { Config } from '../../platform/config/index.js';
import { Log } from '../../platform/logging/index.js';
import { AuthenticationError, type ProofCheck } from './authentication-error.js';
import { PROOFS, type Credential, type CredentialStrategy, type ProofName, runStrategy, type PassportStrategy } from './credential.js';
import { ANONYMOUS, type CredentialKind, type Principal, type Visitor, type VisitorFinder } from './principal.js';
import { CallLimits, TOO_MANY_CALLS } from './call-limits.js';
import { CredentialCache } from './credential-cache.js';
import { CredentialUsage } from './credential-usage.js';
import { RevocationPoller } from './revocation-poller.js';

const OWN: ReadonlyMap<string, CredentialKind> = new Map([
  ['x-api-key', 'api-key'],
  ['oauth2-token', 'oauth2-token'],
  ['authorization', 'session'],
]);
/** Sluice's own are far shorter; a JWT is not. */
const MAX_CREDENTIAL = 8_192;
const refused = (): AuthenticationError => new AuthenticationError('credentialsInvalid');
const unknowable = (): AuthenticationError => new AuthenticationError('credentialsUnknowable');

@Injectable()
export class Authenticator {
  private readonly log = new Log(Authenticator.name);
  private readonly outages = new OutageLog(this.log, 'auth_lookup_unavailable', 'Credentials cannot be looked up');
  private readonly strategies = new Map<CredentialKind, PassportStrategy>();
  private readonly external: External[] = [];
  private readonly refusals: RefusalListener[] = [];
  private visitors: VisitorFinder = () => Promise.resolve(null);
  private proofs: ProofCheck | undefined;

  constructor(
    private readonly usage: CredentialUsage,
    private readonly config: Config,
    private readonly revocations: RevocationPoller,
    private readonly limits: CallLimits,
    private readonly cache: CredentialCache,
  ) {}

  use(kind: CredentialKind, strategy: PassportStrategy, validIds: Fragment): void {
    this.strategies.set(kind, strategy);
    this.revocations.registerQuery(kind, validIds);
  }

  /** @throws Error when another strategy reads the same values of its header */
  useExternal(external: External): void {
    const { header, accepts } = external;
    const isTaken = OWN.has(header) || this.external.some((each) => each.header === header);
    if (header !== header.toLowerCase()) throw new Error(`A strategy reads the header "${header}": write it in lower case`);
    if (isTaken && !accepts)
      throw new Error(`A strategy reads the header "${header}", which another reads too: say which values it accepts`);
    this.external.push(external);
  }

  /** The owner of a credential learns why it was refused. */
  onRefused(listener: RefusalListener): void {
    this.refusals.push(listener);
  }

  useProofs(check: ProofCheck): void {
    this.proofs = check;
  }

  /** For the next proof of a caller. */
  get nonce(): string {
    return this.proofs?.nonce ?? '';
  }

  useVisitors(finder: VisitorFinder): void {
    this.visitors = finder;
  }

  /** Counts in the limits of the session and the account. @throws HttpException 429 beyond them */
  async findVisitor(request: FastifyRequest, reply: FastifyReply): Promise<Visitor | null> {
    const visitor = await this.visitors(request);
    if (visitor && !this.limits.countCall(visitor.principal, reply)) throw new HttpException(TOO_MANY_CALLS, HttpStatus.TOO_MANY_REQUESTS);
    return visitor;
  }

  hintFor(presented: Readonly<Record<string, unknown>>): string | undefined {
    for (const [name, value] of Object.entries(presented)) {
      if (name === 'headers' && typeof value === 'object' && value !== null)
        return 'Credentials are keys of the payload itself: `{ "X-API-KEY": "<key>" }`, not `{ "headers": { … } }`.';
      const hint = typeof value === 'string' ? hintOfHeader(name.toLowerCase(), value, this.config.tokenPrefix) : undefined;
      if (hint !== undefined) return hint;
    }
    return undefined;
  }

  /**
   * A promise where the credential is not known yet, or is refused; an empty value is none (a mobile client sends it).
   * @param mayLookUp asked before a strategy is: has the request a place among those in progress?
   * @throws AuthenticationError, or rejects with it
   */
  identify(
    presented: Readonly<Record<string, unknown>>,
    request: IncomingMessage,
    address: string,
    mayLookUp = (): boolean => true,
  ): Principal | Promise<Principal> {
    let header: string | undefined;
    let value: unknown;
    let proofs: Credential['proofs'] = {};
    for (const name in presented) {
      const named = this.carries(name) ? name : name.toLowerCase();
      const shown = presented[name];
      if (isProof(named) && typeof shown === 'string') proofs = { ...proofs, [named]: shown };
      if (shown === '' || shown === null || shown === undefined || !this.carries(named)) continue;
      if (header !== undefined) throw new AuthenticationError('severalCredentials');
      [header, value] = [named, shown];
    }
    if (header === undefined) return ANONYMOUS;
    const shown = secretIn(header, value);
    if (shown === undefined) throw refused();
    const { method = 'GET', url = '', socket: connection } = request;
    const credential = { ...shown, proofs, method, url, connection };
    const { kind, strategy } = this.readerOf(header, credential);
    const known = kind && this.cache.find(kind, credential.secret);
    if (known) return this.used(known, header, credential, address);
    if (!mayLookUp()) throw new AuthenticationError('busy');
    const asked = kind && strategy ? this.ask(kind, strategy, credential) : Promise.resolve<false>(false);
    return asked.then((found) => (found ? this.used(found, header, credential, address) : this.noted(refused(), header, credential)));
  }

  private carries(name: string): boolean {
    return OWN.has(name) || this.external.some(({ header }) => header === name);
  }

  private readerOf(
    header: string,
    { secret, scheme }: Credential,
  ): { readonly kind?: CredentialKind; readonly strategy?: PassportStrategy } {
    // Only an access token can be bound to a key.
    const isBound = scheme === 'dpop';
    const external = isBound ? undefined : this.external.find((each) => each.header === header && (each.accepts?.(secret) ?? true));
    if (external) return { kind: 'external', strategy: external.strategy };
    // `Authorization` carries two kinds: their prefix says which.
    const isToken = isBound || (header === 'authorization' && secret.startsWith(`${this.config.tokenPrefix}_at_`));
    const kind = isToken ? 'oauth2-token' : OWN.get(header);
    return kind ? { kind, strategy: this.strategies.get(kind) } : {};
  }

  /** A revocation during the look-up repeats it. */
  private async ask(kind: CredentialKind, strategy: PassportStrategy, credential: Credential): Promise<Principal | false> {
    const seen = this.cache.epoch;
    const principal = await this.run(kind, strategy, credential);
    if (!principal) return false;
    if (seen !== this.cache.epoch) return this.ask(kind, strategy, credential);
    // Whatever it says it is: only Sluice's own credentials are keys, apps and sessions.
    if (kind === 'external') return { ...principal, kind };
    this.cache.keep(kind, credential.secret, principal);
    return principal;
  }

  /** A proof is checked for each request, because it works once. */
  private used(principal: Principal, header: string, credential: Credential, address: string): Principal | Promise<never> {
    try {
      if (principal.kind === 'oauth2-token') this.proofs?.check(credential, principal.jkt);
    } catch (error) {
      return this.noted(error as AuthenticationError, header, credential);
    }
    this.usage.used(principal, address);
    return principal;
  }

  /** The owner of the credential learns why it was refused; a nonce that is too old is part of every day. */
  private async noted(error: AuthenticationError, header: string, { secret }: Credential): Promise<never> {
    const isNews = error.problem === 'credentialsInvalid' && error.proof?.retryWith === undefined;
    if (isNews) for (const listener of this.refusals) await listener(secret, header, error.proof?.description).catch(() => undefined);
    throw error;
  }

  private run(kind: CredentialKind, strategy: PassportStrategy, credential: Credential): Promise<Principal | false> {
    return runStrategy<Principal>(strategy, credential).catch((cause: Error) => {
      if (cause instanceof AuthenticationError) throw cause;
      if (isUnavailable(cause)) this.outages.report(cause);
      else this.log.error('auth_lookup_failed', { kind }, `Credential of kind ${kind}: look-up failed: ${cause.message}`);
      throw unknowable();
    });
  }
}

/** @param secret that was refused @param header that it came in @param proof what is wrong with its proof; undefined: with the secret */
type RefusalListener = (secret: string, header: string, proof?: string) => Promise<void>;

interface External extends Pick<CredentialStrategy, 'header' | 'accepts'> {
  readonly strategy: PassportStrategy;
}

function secretIn(header: string, value: unknown): Pick<Credential, 'secret' | 'scheme'> | undefined {
  if (typeof value !== 'string' || value.length > MAX_CREDENTIAL) return undefined;
  if (header !== 'authorization') return { secret: value };
  const [, scheme, secret] = /^(Bearer|DPoP) +(\S+)$/i.exec(value) ?? [];
  return scheme && secret ? { secret, scheme: scheme.toLowerCase() === 'dpop' ? 'dpop' : 'bearer' } : undefined;
}

const isProof = (name: string): name is ProofName => (PROOFS as readonly string[]).includes(name);

/** Where each credential of Sluice's own belongs, by the kind in its prefix; the text of an API key has none. */
const PLACES: Readonly<Record<'key' | 'at' | 'st', { readonly what: string; readonly header: string; readonly sentAs: string }>> = {
  key: { what: 'an API key', header: 'x-api-key', sentAs: '`X-API-KEY: <key>`' },
  at: { what: 'an OAuth access token', header: 'oauth2-token', sentAs: '`Oauth2-Token: <token>` or `Authorization: Bearer <token>`' },
  st: { what: 'a session token', header: 'authorization', sentAs: '`Authorization: Bearer <token>`' },
};
const ELSEWHERE: Readonly<Record<string, string>> = {
  rt: 'This is a refresh token. Exchange it at `/oauth2/token` for an access token.',
  ac: 'This is an authorization code. Exchange it at `/oauth2/token` for an access token.',
  cs: 'This is the secret of an OAuth client. It belongs to `/oauth2/token` only.',
};
const LOOKS_LIKE_ONE = /^(x-)?((blink-)?api[-_]?(key|token)|oauth2?[-_]?token|(access|auth|session)[-_]?token|authentication|token)$/i;
const WAYS = `Send an API key as ${PLACES.key.sentAs}, an access token as ${PLACES.at.sentAs}, or a session token as ${PLACES.st.sentAs}.`;

/** The text's prefix decides, without a look-up: the result is the same for valid and invalid secrets. */
function hintOfHeader(name: string, value: string, prefix: string): string | undefined {
  const isKnown = OWN.has(name);
  // Node joins repeated headers with a comma. No credential contains one.
  const [first = '', ...more] = value.split(',').map((part) => part.trim());
  const [, bearer, secret = ''] = /^(Bearer +)?(.*)$/i.exec(first) ?? [];
  if (isKnown && more.length > 0) return `\`${name}\` was sent more than once or contains a comma. Send it once.`;
  if (!secret.startsWith(`${prefix}_`))
    return isKnown || !LOOKS_LIKE_ONE.test(name) || first === '' ? undefined : `\`${name}\` is not a credential header. ${WAYS}`;
  const kind = /^([a-z]{2})_/.exec(secret.slice(prefix.length + 1))?.[1] ?? 'key';
  const advice = ELSEWHERE[kind];
  if (advice !== undefined) return advice;
  const { what, header, sentAs } = PLACES[kind === 'at' || kind === 'st' ? kind : 'key'];
  const isBearer = name === 'authorization' && bearer !== undefined;
  const isRight = isBearer ? kind === 'at' || kind === 'st' : bearer === undefined && header === name && kind !== 'st';
  return isRight ? undefined : `This is ${what}. Send it as ${sentAs}.`;
}
