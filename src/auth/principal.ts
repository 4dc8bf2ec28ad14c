import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Work } from '../http/index.js';
import { OperationProgress } from '../graphql/index.js';

export type CredentialKind = 'api-key' | 'oauth2-token' | 'session';

/** Who is asking, whatever they showed: exactly one a request and one a socket. */
export interface Principal {
  readonly kind: CredentialKind | 'anonymous';
  /** The credential's own id (key, grant or session): what is throttled, counted and revoked. Empty for nobody. */
  readonly id: string;
  readonly userId: string | null;
  /** An empty set permits nothing. */
  readonly scopes: ReadonlySet<string>;
  /** Milliseconds since the epoch; absent where it does not end by itself. */
  readonly expiresAt?: number;
  /** The OAuth client that acts, for tokens. */
  readonly clientId?: string;
  /** A first-party app that the operator lets make and revoke API keys. */
  readonly managesKeys?: boolean;
}

/** @param key of the event `credential.revoked`: a principal's id, `user:<id>` or `client:<id>` for all that hangs on a person or an app */
export const isRevokedBy = ({ id, userId, clientId }: Principal, key: string): boolean =>
  id === key || (userId !== null && key === `user:${userId}`) || (clientId !== undefined && key === `client:${clientId}`);

export const ANONYMOUS: Principal = Object.freeze({ kind: 'anonymous', id: '', userId: null, scopes: new Set<string>() });

/** What guards and resolvers see, over HTTP and WebSocket alike; `reply` is there over HTTP only. */
export interface GqlContext {
  readonly req: object;
  readonly principal: Principal;
  /** The caller's throttling key: an IPv4 address or an IPv6 /64. */
  readonly address: string;
  readonly reply?: FastifyReply;
  /** What a caller without a credential should have sent, where that is known already; over HTTP it is read off the headers. */
  readonly hint?: string | undefined;
  /** Names this request for ever, where its caller gave it an idempotency key: a repeat after a crash has the same. */
  readonly attempt?: string;
  /** Its place among all that is worked on: what only waits gives it back. */
  readonly work?: Work;
  /** How far this operation has come; there over HTTP only. */
  readonly progress?: OperationProgress;
}

/** The context of a GraphQL operation that came by HTTP: what the request hook found out. */
export const contextOf = (req: FastifyRequest, reply: FastifyReply): GqlContext => ({
  req,
  reply,
  principal: req.principal,
  address: req.address,
  work: req.work,
  progress: new OperationProgress(),
});

/**
 * Whose data an operation is about.
 * @throws Error where a handler that is open to everybody asks for somebody all the same: a bug
 */
export function userIdOf({ userId }: Principal): string {
  if (userId === null) throw new Error('This handler needs a signed-in principal');
  return userId;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    address: string;
    work: Work;
  }
  interface FastifyContextConfig {
    readsCredentials?: boolean;
  }
}
