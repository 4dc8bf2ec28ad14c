import type { FastifyReply } from 'fastify';

export const RETRY_AFTER = {
  outage: 2,
  /** A page says when in words, and a person reads it first. */
  outagePage: 5,
  busy: 1,
} as const;

interface ProblemText {
  readonly code: number;
  readonly status: string;
  readonly message: string;
}

/** Clients match the texts. */
export const PROBLEMS = {
  unreadableAddress: { code: 400, status: 'BAD_REQUEST', message: 'This address cannot be read' },
  invalidHost: { code: 400, status: 'BAD_REQUEST', message: 'Send exactly one Host header, with a host name and an optional port' },
  credentialsInvalid: { code: 401, status: 'Unauthorized', message: 'Access credentials are invalid' },
  wrongPassword: { code: 401, status: 'Unauthorized', message: 'E-mail address or password is wrong' },
  wrongCode: { code: 401, status: 'Unauthorized', message: 'The code of the second factor is wrong, or has been used' },
  passwordsOff: {
    code: 403,
    status: 'PASSWORD_SIGN_IN_OFF',
    message: 'This server signs people in through their company alone. Use an API key or an app.',
  },
  metricsToken: { code: 401, status: 'Unauthorized', message: 'Send METRICS_TOKEN as bearer token' },
  severalCredentials: { code: 400, status: 'Bad Request', message: 'Send only one credential' },
  encodedBody: { code: 415, status: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as it is, without Content-Encoding' },
  notJson: { code: 415, status: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the request as application/json' },
  // Not 401: clients would discard the credential, or exchange their refresh token for another one.
  accessPaused: {
    code: 403,
    status: 'ACCESS_PAUSED',
    // Also the reason of a close frame, which has at most 123 bytes.
    message: 'Access is paused by the owner of the account or by the operator. The credential works again when it is resumed.',
  },
  otherHost: {
    code: 421,
    status: 'MISDIRECTED_REQUEST',
    message: 'A demo answers only requests for localhost, or for the address in HOST',
  },
  tooManyRequests: { code: 429, status: 'TOO_MANY_REQUEST', message: 'Too many requests, please wait for a while and try again.' },
  credentialsUnknowable: { code: 503, status: 'Service Unavailable', message: 'Credentials cannot be checked at the moment' },
  busy: { code: 503, status: 'Service Unavailable', message: 'Too many requests in progress. Please try again in a moment.' },
} as const satisfies Record<string, ProblemText>;

export type ProblemName = keyof typeof PROBLEMS;

interface ProblemDetails {
  readonly retryAfterSeconds?: number | undefined;
  readonly hint?: string | undefined;
}

export const sendProblem = (reply: FastifyReply, name: ProblemName, details: ProblemDetails = {}): void =>
  sendProblemText(reply, PROBLEMS[name], details);

export function sendProblemText(
  reply: FastifyReply,
  { code, status, message }: ProblemText,
  { retryAfterSeconds, hint }: ProblemDetails = {},
): void {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  void reply.code(code).send({ error: { code, status, message }, ...(hint !== undefined && { hint }) });
}

/** Close codes of WebSockets: RFC 6455 section 7.4, and those that clients of `graphql-transport-ws` know. */
export const CloseCode = {
  goingAway: 1001,
  tryAgainLater: 1013,
  badRequest: 4400,
  /** Clients do not connect again with the same credential. */
  unauthorized: 4401,
  /** Clients connect again: access may be permitted then. */
  forbidden: 4403,
  tooManyRequests: 4429,
  internalError: 4500,
} as const;
