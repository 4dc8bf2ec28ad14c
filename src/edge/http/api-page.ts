import type { FastifyRequest } from 'fastify';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const HTML = /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i;
const REFUSED = /(?:^|,)\s*text\/html\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[;,]|$)/i;

/** `extensions` alone is a persisted query, by its hash. No client of the API sends `text/html`, so none gets a page. */
export function asksForApiPage({ method, routeOptions: { url }, headers: { accept = '' }, query }: FastifyRequest): boolean {
  if (url !== '/graphql' || !METHODS.has(method) || !HTML.test(accept) || REFUSED.test(accept)) return false;
  const parameters = query as Readonly<Record<string, unknown>>;
  return parameters['query'] === undefined && parameters['extensions'] === undefined;
}
