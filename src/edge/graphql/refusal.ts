import { HttpException } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import type { ErrorCode } from './error-codes.js';

/** A lack of permission: always a top-level error in GraphQL, 401 or 403 elsewhere. */
export class AccessError extends GraphQLError {}

/** One mistake that the caller can correct, as in a payload's `errors`. */
export interface Problem {
  readonly message: string;
  /** An `ErrorCode`, or a code of an extension. */
  readonly code: string;
  /** Path in the arguments, for example `["input", "amount"]`. */
  readonly path: readonly string[] | null;
}

/** Invalid input: the payload's `errors` in a mutation, one top-level error elsewhere in GraphQL, 400 over HTTP and from a page. */
export class InvalidInput extends Error {
  readonly statusCode = 400;

  constructor(readonly problems: readonly [Problem, ...Problem[]]) {
    super(problems[0].message);
  }

  static of(message: string, code = 'INVALID_INPUT', path: readonly string[] | null = null): InvalidInput {
    return new InvalidInput([{ message, code, path }]);
  }
}

/** Guards and handlers of extensions throw Nest's exceptions of these statuses. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  401: 'NOT_AUTHENTICATED',
  403: 'NOT_AUTHORIZED',
  404: 'NOT_FOUND',
  429: 'TOO_MANY_REQUEST',
};

export function problemsOf(error: unknown): readonly [Problem, ...Problem[]] | undefined {
  if (error instanceof InvalidInput) return error.problems;
  if (error instanceof HttpException && error.getStatus() < 500) {
    return [{ message: error.message, code: CODES[error.getStatus()] ?? 'INVALID_INPUT', path: null }];
  }
  return undefined;
}
