import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../auth/index.js';

/** 1 to 255 printable characters of ASCII, of which one is visible. */
const KEY = /^(?=.*\S)[\x20-\x7e]{1,255}$/;

export type ReadKey =
  { readonly kind: 'none' } | { readonly kind: 'key'; readonly key: string } | { readonly kind: 'invalid'; readonly message: string };

/**
 * `X-Idempotency-Key` is the older name that clients of this API use. An empty header is a key that a client has lost, such as an unset
 * variable of a script: its repeat would pay twice.
 */
export function keyIn(request: IncomingMessage): ReadKey {
  const names = ['Idempotency-Key', 'X-Idempotency-Key'].filter((name) => request.headers[name.toLowerCase()] !== undefined);
  // Node joins two lines to one value, which a repeat with one line would not have.
  const repeated = names.find((name) => request.headersDistinct[name.toLowerCase()]?.length !== 1);
  if (repeated !== undefined) return { kind: 'invalid', message: `Send one ${repeated} header` };
  const sent = names.map((name) => String(request.headers[name.toLowerCase()]));
  const [key] = sent;
  if (key === undefined) return { kind: 'none' };
  if (sent.some((other) => other !== key))
    return { kind: 'invalid', message: 'Idempotency-Key and X-Idempotency-Key must have the same value' };
  return KEY.test(key)
    ? { kind: 'key', key }
    : { kind: 'invalid', message: 'Idempotency-Key must have 1 to 255 printable ASCII characters' };
}

const digest = (...parts: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();

/** The scope of a key: the account and the client that acts for it, or the address of an anonymous caller. */
export function scopeOf({ kind, userId, clientId, id }: Principal, address: string, key: string): Buffer {
  if (kind === 'anonymous') return digest('address', address, key);
  return digest('account', userId ?? '', kind, clientId ?? (kind === 'session' ? '' : id), key);
}

/** The JSON parser bounds the depth of variables. */
export const fingerprintOf = (query: string, operationName: string | null | undefined, variables: unknown): Buffer =>
  digest(query, operationName ?? '', JSON.stringify(sorted(variables)));

/** A client may write the keys of an object in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
