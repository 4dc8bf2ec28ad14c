const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** Does the host name this machine alone? A URL has the IPv6 address in brackets. */
export const isLoopback = (host: string): boolean => LOOPBACK.has(host);
