import type { FastifyRequest } from 'fastify';
import { FORM_LIMIT_BYTES } from '../../../edge/http/index.js';
import { type Form, parseForm } from '../../../edge/page/index.js';

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
