import type { FastifyRequest } from 'fastify';
import { FORM_LIMIT_BYTES } from '../../../edge/http/index.js';
import { Form, parseForm } from '../../../edge/page/index.js';
import { invalidRequest } from '../oauth-error.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;

export const isForm = (contentType: string | undefined): boolean => FORM_TYPE.test(contentType ?? '');

export function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** The body as sent: Sluice's parser leaves forms unparsed. Undefined for any other content type. */
export const formBodyOf = (request: FastifyRequest): string | undefined =>
  isForm(request.headers['content-type']) && typeof request.body === 'string' ? request.body : undefined;

/** Query and body as one list, so that a parameter in both counts as repeated. Undefined: too long, or not a form. */
export function parametersOf(request: FastifyRequest): Form | undefined {
  const query = queryOf(request);
  if (request.method !== 'POST') return query.length > FORM_LIMIT_BYTES ? undefined : parseForm(query);
  const body = formBodyOf(request);
  if (body === undefined || query.length + Buffer.byteLength(body) > FORM_LIMIT_BYTES) return undefined;
  return parseForm([query, body].filter(Boolean).join('&'));
}

/** Parameters that must not be in a URL, because URLs are logged and stored (RFC 6749 section 2.3.1). */
const SECRETS = ['client_secret', 'client_assertion', 'code', 'code_verifier', 'refresh_token', 'token', 'access_token'] as const;

/** Parameters whose format is checked before they reach the database. */
const JUDGED_BY_US: ReadonlySet<string> = new Set(['code', 'code_verifier', 'refresh_token', 'token']);

/** The parameters that a client sends itself: from the body only, each once but `resource` (RFC 8707). @throws OAuthError invalid_request */
export function clientForm(request: FastifyRequest): Form {
  const body = formBodyOf(request);
  if (body === undefined) throw invalidRequest('Send application/x-www-form-urlencoded');
  const query = parseForm(queryOf(request));
  const exposed = SECRETS.find((name) => query.values.has(name));
  if (exposed) throw invalidRequest(`${exposed} must not be in the URL`);
  const form = parseForm(body);
  if (form.repeated.some((name) => name !== 'resource')) throw invalidRequest('Parameters must not be repeated');
  // Sluice's secrets never contain U+0000: such a text fails like any wrong code or token.
  const others = new Form(new Map([...form.values].filter(([name]) => !JUDGED_BY_US.has(name))));
  if (others.hasNul) throw invalidRequest('Parameters must not contain U+0000');
  return form;
}

/** What a proof of possession names, and the header that carries it (RFC 9449 section 4.1). Repeated, it is no JWT: Node joins it with commas. */
export function provedBy({ method, raw, headers }: FastifyRequest): { method: string; url: string; proof: string | undefined } {
  const proof = headers['dpop'];
  return { method, url: raw.url ?? '', proof: Array.isArray(proof) ? proof.join() : proof };
}
