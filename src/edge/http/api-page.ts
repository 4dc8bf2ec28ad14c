import type { FastifyRequest } from 'fastify';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const HTML = /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i;
/** `text/html` with a quality of 0. */
const REFUSED = /(?:^|,)\s*text\/html\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[;,]|$)/i;

/**
 * Does a browser open the API's address as a page: it accepts HTML and sends no query? `extensions` alone is a query too: a persisted
 * one, by its hash. No client of the API sends `text/html`, so none gets a page.
 */
export function asksForApiPage({ method, routeOptions: { url }, headers: { accept = '' }, query }: FastifyRequest): boolean {
  if (url !== '/graphql' || !METHODS.has(method) || !HTML.test(accept) || REFUSED.test(accept)) return false;
  const parameters = query as Readonly<Record<string, unknown>>;
  return parameters['query'] === undefined && parameters['extensions'] === undefined;
}
