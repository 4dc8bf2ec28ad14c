import type { Socket } from 'node:net';
import type { Type } from '@nestjs/common';

export interface CredentialRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  /** The TLS or TCP connection. */
  readonly connection: Socket;
}

/** Input of a strategy: not the request, so that HTTP and WebSocket behave alike. */
export interface Credential extends CredentialRequest {
  readonly secret: string;
  /** The scheme of `Authorization`; absent: the secret came in another header. */
  readonly scheme?: 'bearer' | 'dpop';
  /** Proofs that were sent beside the secret, by header name: `dpop` (RFC 9449). */
  readonly proofs: Readonly<Partial<Record<ProofName, string>>>;
}

export const PROOFS = ['dpop'] as const;
export type ProofName = (typeof PROOFS)[number];

/** A kind of credential of a team's own, such as the JWT of a company's sign-in. */
export interface CredentialStrategy {
  /** In lower case: the header that carries it, and its key in the payload of `connection_init`. `authorization` carries it as `Bearer`. */
  readonly header: string;
  /** Selects the values of a header that Sluice reads itself too; Sluice reads the others. */
  readonly accepts?: (secret: string) => boolean;
  /**
   * A provider in Passport's form: `class CompanyJwt extends PassportStrategy(Custom, 'company-jwt')`. Its `validate(credential)` returns
   * a `Principal` of the kind `external`, or false.
   */
  readonly strategy: Type<PassportStrategy>;
}

export interface PassportStrategy {
  authenticate(request: unknown, options?: unknown): void;
}

interface PassportCall<T> extends PassportStrategy {
  success(result: T): void;
  fail(): void;
  error(cause: unknown): void;
}

/**
 * Sluice calls a strategy without the registry of `passport.authenticate()`, which two applications in one process would share (ADR 0007).
 * Each call gets an object of its own: actions must never be written onto the shared strategy.
 */
export function runStrategy<T>(strategy: PassportStrategy, request: unknown): Promise<T | false> {
  return new Promise((resolve, reject) => {
    const call = Object.create(strategy) as PassportCall<T>;
    call.success = resolve;
    call.fail = () => resolve(false);
    call.error = (cause: unknown) => reject(cause instanceof Error ? cause : new Error(String(cause)));
    call.authenticate(request);
  });
}
