import type { FastifyRequest } from 'fastify';
import { FORM_LIMIT_BYTES } from '../../../edge/http/index.js';
import { Form, parseForm } from '../../../edge/page/index.js';
import { OAuthError } from '../oauth-error.js';
import { formBodyOf, queryOf } from './parameters.js';

/** Parameters that must not be in a URL, because URLs are logged and stored (RFC 6749 section 2.3.1). */
const SECRETS = ['client_secret', 'client_assertion', 'code', 'code_verifier', 'refresh_token', 'token', 'access_token'] as const;

/** Parameters whose format is checked before they reach the database. */
const JUDGED_BY_US: ReadonlySet<string> = new Set(['code', 'code_verifier', 'refresh_token', 'token']);

/**
 * The parameters of a client's request to the token or revocation endpoint: from the body only, each once.
 * @throws OAuthError invalid_request
 */
export function clientForm(request: FastifyRequest): Form {
  const body = formBodyOf(request);
  if (body === undefined) throw new OAuthError('invalid_request', 'Send application/x-www-form-urlencoded');
  if (Buffer.byteLength(body) > FORM_LIMIT_BYTES)
    throw new OAuthError('invalid_request', `The body must have at most ${FORM_LIMIT_BYTES} bytes`);
  const query = parseForm(queryOf(request));
  const exposed = SECRETS.find((name) => query.values.has(name));
  if (exposed) throw new OAuthError('invalid_request', `${exposed} must not be in the URL`);
  const form = parseForm(body);
  if (form.repeated.length > 0) throw new OAuthError('invalid_request', 'Parameters must not be repeated');
  // Sluice's secrets never contain U+0000: such a text fails like any wrong code or token.
  const others = new Form(new Map([...form.values].filter(([name]) => !JUDGED_BY_US.has(name))));
  if (others.hasNul) throw new OAuthError('invalid_request', 'Parameters must not contain U+0000');
  return form;
}
