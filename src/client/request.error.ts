/** An error in a response, outside of the payload of a mutation. */
export interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/**
 * Where a request failed.
 * - `connection`: there is no answer of the API: the network failed, the time was over, or a proxy answered. The server may have executed a
 *   mutation: repeat it with the same `idempotencyKey`.
 * - `aborted`: the caller's own signal ended the request. The server may have executed a mutation here too.
 * - `http`: the server refused the request, or the connection of a subscription, before GraphQL, and executed nothing.
 * - `graphql`: the response has errors outside of the payload; `data` is what else it has.
 */
export type RequestErrorKind = 'connection' | 'aborted' | 'http' | 'graphql';

interface RequestErrorParts {
  readonly kind: RequestErrorKind;
  readonly message: string;
  readonly status?: number | undefined;
  readonly errors?: readonly ResponseError[];
  readonly data?: unknown;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A request or a subscription without a result. Refusals of a mutation are no such errors: they are values, in `errors` of its payload.
 * docs/reference/error-codes.md lists the codes, with what to do.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly kind: RequestErrorKind;
  /** The HTTP status, or the close code of the WebSocket; undefined without an answer. */
  readonly status: number | undefined;
  /** The code of the first error; undefined without one. */
  readonly code: string | undefined;
  readonly errors: readonly ResponseError[];
  /** The part of the response that has no error; undefined if nothing was executed. */
  readonly data: unknown;
  /** After how many seconds to try again, if the server says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ kind, message, status, errors = [], data, retryAfterSeconds, cause }: RequestErrorParts) {
    super(message, cause === undefined ? {} : { cause });
    const code = errors[0]?.extensions?.['code'];
    this.kind = kind;
    this.status = status;
    this.code = typeof code === 'string' ? code : undefined;
    this.errors = errors;
    this.data = data;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
