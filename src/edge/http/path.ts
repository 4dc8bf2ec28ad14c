import type { FastifyRequest } from 'fastify';

/** A regular expression would take quadratic time in the number of trailing slashes. */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = url.split('?', 1);
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
