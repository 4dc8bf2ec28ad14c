import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser sent this request from a page of ours: one half of the proof against forged posts, the CSRF token being the other.
 *
 * `Sec-Fetch-Site` decides where it is sent. Plain http beyond loopback gets none, so there `Origin` must be ours; a bare `Origin: null` proves nothing,
 * because every sandboxed frame sends it. (Beside `Sec-Fetch-Site: same-origin` it is what our own `Referrer-Policy: no-referrer` causes.)
 *
 * @param publicUrl the address from the configuration, never from the request
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(publicUrl).origin;
}
