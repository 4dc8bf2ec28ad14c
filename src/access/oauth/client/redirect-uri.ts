import type { Evidence } from '../../../edge/auth/index.js';

const MAX_URI = 2_000;
/** The text is matched as written, not as a URL parser would read `0x7f.1`. */
const ON_THIS_MACHINE = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/;
export const isOnThisMachine = (uri: string): boolean => ON_THIS_MACHINE.test(uri);
const SCRIPT_SCHEMES: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:']);
/** Parameters that Sluice adds: each may be there only once (docs/oauth-security.md A-07). */
const OURS: readonly string[] = ['code', 'state', 'iss', 'scope', 'error', 'error_description'];
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?(\/.*|\?.*|)$/;

export function faultOfRedirectUri(uri: string): string | undefined {
  if (uri.length > MAX_URI) return `is longer than ${MAX_URI} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'must contain only printable ASCII characters, without spaces';
  if (/[\\#*]/.test(uri)) return 'must not contain a backslash, a fragment (#) or a wildcard (*)';
  if (!URL.canParse(uri)) return 'is not an absolute URL';
  const url = new URL(uri);
  if (SCRIPT_SCHEMES.has(url.protocol)) return `must not use ${url.protocol}`;
  if (url.username || url.password || /^[^:]+:\/\/[^/?]*@/.test(uri)) return 'must not contain a user name or password';
  if (/(?:^|\/)(?:\.|%2e){2}(?:\/|$)/i.test(uri.split('?', 1)[0] ?? '')) return 'must not contain a .. segment';
  const twice = OURS.find((name) => url.searchParams.has(name));
  if (twice) return `must not contain the parameter ${twice}: the authorization response adds it`;
  return faultOfScheme(url, uri);
}

function faultOfScheme({ protocol }: URL, uri: string): string | undefined {
  if (protocol === 'https:') return uri.startsWith('https://') ? undefined : 'must start with https://';
  if (protocol !== 'http:') return protocol.includes('.') ? undefined : 'must use https: or a scheme with a dot, such as com.example.app:';
  return isOnThisMachine(uri) ? undefined : 'must use https unless it is on this machine (127.0.0.1, [::1], localhost)';
}

/**
 * Whether `asked` is a registered address, byte for byte. A public client (native app) may use any port of the loopback literals (RFC 8252
 * section 7.3) and of `localhost`, which many native apps still use (section 8.3); the host, path and query stay equal.
 */
export function isRegistered(asked: string, client: { readonly confidential: boolean; readonly redirectUris: readonly string[] }): boolean {
  if (client.redirectUris.includes(asked)) return true;
  if (client.confidential) return false;
  const wanted = portless(asked);
  return wanted !== undefined && client.redirectUris.some((registered) => portless(registered) === wanted);
}

function portless(uri: string): string | undefined {
  const [, host, port = '', rest] = LOOPBACK.exec(uri) ?? [];
  return host === undefined || Number(port) > 65_535 ? undefined : `${host} ${rest ?? ''}`;
}

/** Query and fragment can hold secrets: they are left out. */
const withoutQuery = (uri: string): string => uri.split(/[?#]/, 1)[0] ?? '';

const sameStart = (one: string, other: string): number => {
  const length = [...one].findIndex((character, index) => character !== other[index]);
  return length < 0 ? one.length : length;
};

/** What was sent, beside the registered address that is most like it. */
export function redirectEvidence(sent: string, registered: readonly string[]): Evidence {
  const [one, others] = [withoutQuery(sent), registered.map(withoutQuery)];
  const [nearest] = others.sort((a, b) => sameStart(one, b) - sameStart(one, a));
  if (nearest === one) return { cause: 'redirect_query', sent: one, registered: one };
  return { cause: 'redirect_uri', sent: one, ...(nearest !== undefined && { registered: nearest }) };
}
