const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);

/** Does the host name this machine alone? A URL has the IPv6 address in brackets. */
export const isLoopback = (host: string): boolean => LOOPBACK.has(host);

/** The values of `HOST` with which a server listens on all addresses of the machine. */
export const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);
