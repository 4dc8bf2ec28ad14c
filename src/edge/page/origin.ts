import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser sent this request from a page of Sluice: one of two checks against forged posts; the CSRF token is the other.
 *
 * `Sec-Fetch-Site` decides if it is sent. Over plain http beyond loopback it is not, so there `Origin` must match; `Origin: null` alone
 * proves nothing, because every sandboxed frame sends it. (Beside `Sec-Fetch-Site: same-origin` it results from Sluice's own
 * `Referrer-Policy: no-referrer`.)
 *
 * @param publicUrl the address from the configuration, never from the request
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}
