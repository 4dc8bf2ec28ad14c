import type { FastifyRequest } from 'fastify';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const HTML = /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i;
/** A range that its own caller refuses. */
const REFUSED = /(?:^|,)\s*text\/html\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[;,]|$)/i;

/**
 * Whether a browser opens the address of the API: it takes HTML, and it asks no question. `extensions` alone is a question too: a persisted query by
 * its hash. No client of the API names `text/html`, so none is answered with a page.
 */
export function asksForApiPage({ method, routeOptions: { url }, headers: { accept = '' }, query }: FastifyRequest): boolean {
  if (url !== '/graphql' || !METHODS.has(method) || !HTML.test(accept) || REFUSED.test(accept)) return false;
  const parameters = query as Readonly<Record<string, unknown>>;
  return parameters['query'] === undefined && parameters['extensions'] === undefined;
}
