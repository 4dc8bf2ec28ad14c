import type { GraphQLResolveInfo } from 'graphql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Work } from '../http/index.js';
import { OperationProgress } from '../graphql/index.js';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** `external`: of a strategy that the server's own entry point has added. */
export type CredentialKind = 'api-key' | 'oauth2-token' | 'session' | 'external';

/** The identified caller: exactly one per request and one per socket. */
export interface Principal {
  readonly kind: CredentialKind | 'anonymous';
  /** The credential's own id (key, grant or session) for rate limits, usage and revocation. Empty for an anonymous caller. */
  readonly id: string;
  readonly userId: string | null;
  /** An empty set permits nothing. */
  readonly scopes: ReadonlySet<string>;
  /** Of an API key, which may have two secrets for a time: the SHA-256 of the one that was sent, in hexadecimal digits. */
  readonly secretHash?: string;
  /** Milliseconds since the epoch, by the clock of the database (`Clock`); absent if it does not expire. */
  readonly expiresAt?: number;
  /** Of an access token that is bound to a key: the key's thumbprint (RFC 9449 section 6). */
  readonly jkt?: string;
  /** The OAuth client, for access tokens. */
  readonly clientId?: string;
  /** The services that an access token is for (RFC 8707), where that is not the API alone. */
  readonly audience?: readonly string[];
  /** The OAuth client that created it, for such an API key: it spends from the budget of this app too. */
  readonly createdBy?: string;
  /** The app may create and revoke API keys: the operator and the person allow it. */
  readonly managesKeys?: boolean;
  /** The app, or the API key, may add and delete webhook endpoints; the key only its own. */
  readonly managesCallbacks?: boolean;
}

/** The keys of `credential.revoked` that pause the API keys and apps of a person, or `all`; their sessions continue. */
export const PAUSED = 'paused:';

const PAUSABLE: ReadonlySet<Principal['kind']> = new Set(['api-key', 'oauth2-token']);

/**
 * @param key of the events `credential.revoked` and `credential.ends`: a principal's id, `secret:<hash>` for one secret of a key, or
 * `user:<id>` or `client:<id>` for all its credentials, and the keys that it created
 */
export function isRevokedBy({ kind, id, userId, clientId, createdBy, secretHash }: Principal, key: string): boolean {
  if (key.startsWith(PAUSED)) return PAUSABLE.has(kind) && [`${PAUSED}all`, `${PAUSED}${userId}`].includes(key);
  if (key === id || (userId !== null && key === `user:${userId}`)) return true;
  if (secretHash !== undefined && key === `secret:${secretHash}`) return true;
  return [clientId, createdBy].some((client) => client !== undefined && key === `client:${client}`);
}

export const ANONYMOUS: Principal = Object.freeze({ kind: 'anonymous', id: '', userId: null, scopes: new Set<string>() });

/** Guards and resolvers get this context over HTTP and WebSocket; `reply` is set over HTTP only. */
export interface GqlContext {
  readonly req: object;
  readonly principal: Principal;
  /** The caller's rate limit key: an IPv4 address or an IPv6 /64. */
  readonly address: string;
  readonly reply?: FastifyReply;
  /** The hint for a caller without a credential, if already known; over HTTP the guard derives it from the headers. */
  readonly hint?: string | undefined;
  /** Identifies this request permanently if its caller sent an idempotency key: a retry after a crash has the same value. */
  readonly attempt?: string;
  /** Its slot among the work in progress; an operation that only waits releases it. */
  readonly work?: Work;
  /** Progress of this operation; set over HTTP only. */
  readonly progress?: OperationProgress;
}

/** The call of one field. `attempt`: each alias of a document is an attempt of its own. */
export interface Call extends GqlContext {
  readonly path: GraphQLResolveInfo['path'];
}

/** A parameter of the type `Call`, of a resolver that may move money. */
export const CurrentCall = createParamDecorator((_data: unknown, host: ExecutionContext): Call => {
  const [context, { path }] = [host.getArgByIndex<GqlContext>(2), host.getArgByIndex<GraphQLResolveInfo>(3)];
  return { ...context, path, ...(context.attempt !== undefined && { attempt: `${context.attempt} ${path.key}` }) };
});

export const contextOf = (req: FastifyRequest, reply: FastifyReply): GqlContext => ({
  req,
  reply,
  principal: req.principal,
  address: req.address,
  work: req.work,
  progress: new OperationProgress(),
});

/**
 * The user whose data an operation is about.
 * @throws Error if a public handler calls it for an anonymous caller: a bug
 */
export function userIdOf({ userId }: Principal): string {
  if (userId === null) throw new Error('This handler requires a signed-in principal');
  return userId;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    address: string;
    work: Work;
    /** Null unless the handler has `@PageSession()` or `@Operator()`. */
    visitor: Visitor | null;
  }
  interface FastifyContextConfig {
    readsCredentials?: boolean;
    needsPageSession?: boolean;
  }
}

/** The person who is signed in on the pages of this browser. */
export interface Visitor {
  readonly principal: Principal;
  readonly session: {
    readonly id: string;
    /** OpenID Connect's `auth_time`. */
    readonly authTime: Date;
    /** How the person authenticated (RFC 8176): `mfa` among them says that two factors were checked. */
    readonly amr: readonly string[];
    /** Seconds since the person last proved who they are, by the strongest factor that they have; null: not since a factor was added or removed. */
    readonly factorAgeSeconds: number | null;
    /** Seconds until the session ends unless it is used, by the database's clock. */
    readonly leftSeconds: number;
  };
  readonly user: { readonly id: string; readonly email: string; readonly username: string; readonly isOperator: boolean };
  /** The session's token. */
  readonly token: string;
}

export type VisitorFinder = (request: FastifyRequest) => Promise<Visitor | null>;

/** The handler needs a page session that the request does not have, or its form belongs to another session. */
export class PageSessionError extends Error {}

/** The operator has signed in without a second factor. */
export class SecondFactorError extends Error {}

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** The caller, in a resolver, a REST handler or a page: a parameter of the type `Principal`. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  context.getType<string>() === 'graphql' ? context.getArgByIndex<GqlContext>(2).principal : requestOf(context).principal,
);

/** The signed-in person of a handler with `@PageSession()`: a parameter of the type `Visitor`, or `Visitor | null` where it is optional. */
export const CurrentVisitor = createParamDecorator((_data: unknown, context: ExecutionContext) => requestOf(context).visitor);
