import type { IncomingHttpHeaders } from 'node:http';

/**
 * One of two checks against forged posts, beside the CSRF token. Over plain http beyond loopback browsers send no `Sec-Fetch-Site`, so
 * `Origin` must match; `Origin: null` alone proves nothing, because every sandboxed frame sends it.
 * @param publicUrl the address from the configuration, never from the request
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}
