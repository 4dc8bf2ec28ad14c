import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isUnavailable, OutageLog, type Fragment } from '../database/index.js';
import { Config } from '../config/index.js';
import { Log } from '../logging/index.js';
import { credentialHint } from './credential-hint.js';
import { ANONYMOUS, type CredentialKind, type Principal } from './principal.js';
import { CredentialUsage } from './credential-usage.js';
import { Standing } from './standing.js';
import type { Visitor, VisitorFinder } from './visitor.js';

/** The part of Passport's protocol that a strategy and its caller share. */
interface Strategy {
  authenticate(request: unknown): void;
  success?(principal: unknown): void;
  fail?(): void;
  error?(cause: unknown): void;
}

/** Input of a strategy: not the request, so that HTTP and WebSocket behave alike. */
export interface Presented {
  readonly secret: string;
}

/** A failed authentication, with its HTTP status and WebSocket close code. */
export class AuthenticationError extends Error {
  constructor(
    readonly status: 400 | 401 | 503,
    readonly closeCode: 4400 | 4401 | 1013,
    message: string,
  ) {
    super(message);
  }
}

const KIND_OF_NAME: ReadonlyMap<string, CredentialKind> = new Map([
  ['x-api-key', 'api-key'],
  ['oauth2-token', 'oauth2-token'],
  ['authorization', 'session'],
]);
/** One text for unknown, revoked, expired and malformed: the owner sees the cause on the credential's page. */
const REFUSED = 'Access credentials are invalid';
const MAX_CREDENTIAL = 512;
const refused = (): AuthenticationError => new AuthenticationError(401, 4401, REFUSED);
const unknowable = (): AuthenticationError => new AuthenticationError(503, 1013, 'Credentials cannot be checked at the moment');

/** Identifies the caller: the request hook passes the headers, the socket the payload of `connection_init`. */
@Injectable()
export class Authenticator {
  private readonly log = new Log(Authenticator.name);
  private readonly outages = new OutageLog(this.log, 'auth_lookup_unavailable', 'Credentials cannot be looked up');
  private readonly strategies = new Map<CredentialKind, Strategy>();
  private visitors: VisitorFinder = () => Promise.resolve(null);

  constructor(
    private readonly usage: CredentialUsage,
    private readonly config: Config,
    private readonly standing: Standing,
  ) {}

  /**
   * Strategies register when their module starts.
   * @param standing which of their credentials are not revoked: see `Standing`
   */
  use(kind: CredentialKind, strategy: Strategy, standing: Fragment): void {
    this.strategies.set(kind, strategy);
    this.standing.know(kind, standing);
  }

  /** The module that owns the sessions of pages registers how they are found. */
  useVisitors(finder: VisitorFinder): void {
    this.visitors = finder;
  }

  /** The person who is signed in on the pages of this browser, or null. */
  findVisitor(request: FastifyRequest): Promise<Visitor | null> {
    return this.visitors(request);
  }

  /** What the caller should send instead, if what it sent shows what it meant. Does no look-up. */
  hintFor(presented: Readonly<Record<string, unknown>>): string | undefined {
    return credentialHint(presented, this.config.tokenPrefix);
  }

  /**
   * Synchronous without a credential, a promise otherwise. An empty value is no credential (a mobile client sends `Authorization: ""`).
   * @throws AuthenticationError, or rejects with it
   */
  identify(presented: Readonly<Record<string, unknown>>, address: string): Principal | Promise<Principal> {
    let kind: CredentialKind | undefined;
    let value: unknown;
    for (const name in presented) {
      const named = KIND_OF_NAME.get(name) ?? KIND_OF_NAME.get(name.toLowerCase());
      const shown = presented[name];
      if (!named || shown === '' || shown === null || shown === undefined) continue;
      if (kind) throw new AuthenticationError(400, 4400, 'Send only one credential');
      [kind, value] = [named, shown];
    }
    if (!kind) return ANONYMOUS;
    const secret = secretIn(kind, value);
    if (secret === undefined) throw refused();
    return this.ask(kind, secret).then((principal) => {
      this.usage.used(principal, address);
      return principal;
    });
  }

  /**
   * What `passport.authenticate()` does with a strategy, without its registry, which two applications in one process would share. Each call
   * gets an object of its own: actions must never be written onto the shared strategy.
   */
  private ask(kind: CredentialKind, secret: string): Promise<Principal> {
    return new Promise((resolve, reject) => {
      const strategy = this.strategies.get(kind);
      if (!strategy) return reject(refused());
      const call = Object.create(strategy) as Strategy;
      call.success = (principal) => resolve(principal as Principal);
      call.fail = () => reject(refused());
      call.error = (cause: unknown) => {
        if (isUnavailable(cause)) this.outages.tell(cause);
        else
          this.log.error(
            'auth_lookup_failed',
            { kind },
            `Credential of kind ${kind}: look-up failed: ${cause instanceof Error ? cause.message : 'unknown cause'}`,
          );
        reject(unknowable());
      };
      const shown: Presented = { secret };
      call.authenticate(shown);
    });
  }
}

function secretIn(kind: CredentialKind, value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_CREDENTIAL) return undefined;
  return kind === 'session' ? /^Bearer +(\S+)$/i.exec(value)?.[1] : value;
}
