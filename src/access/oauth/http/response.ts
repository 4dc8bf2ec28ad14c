import type { FastifyReply } from 'fastify';
import type { OAuthError } from '../oauth-error.js';

/** RFC 6749 section 5.1; that section requires `Pragma`, for HTTP/1.0 caches. */
const PRIVATE = {
  'content-type': 'application/json;charset=UTF-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
} as const;

export const sendPrivate = (reply: FastifyReply, body: object, status = 200): void =>
  void reply.code(status).headers(PRIVATE).send(JSON.stringify(body));

export const sendPublic = (reply: FastifyReply, body: object, maxAgeSeconds: number): void =>
  void reply
    .headers({ ...PRIVATE, 'cache-control': `public, max-age=${maxAgeSeconds}` })
    .removeHeader('pragma')
    .send(JSON.stringify(body));

/** Only `error` and `error_description` (RFC 6749 section 5.2). */
export function sendError(reply: FastifyReply, error: OAuthError): void {
  reply.headers(error.headers);
  sendPrivate(reply, { error: error.code, error_description: error.message }, error.status);
}
