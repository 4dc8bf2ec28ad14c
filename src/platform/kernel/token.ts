import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBytes } from './random.js';

/** Bearer secrets: `<prefix>_` + 43 base62 characters of 256 random bits + 6 of a CRC-32 over all characters before it. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

function base62(value: bigint, length: number): string {
  let text = '';
  for (let left = value, i = 0; i < length; i++, left /= 62n) text = (ALPHABET[Number(left % 62n)] ?? '') + text;
  return text;
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH);

/** A new secret. The checksum lets scanners find leaked ones offline, and saves the database look-ups of mistyped ones. */
export function mintToken(prefix: string): string {
  const body = `${prefix}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** Could `mintToken(prefix)` have made this? Does not check whether it exists. */
export function isWellFormedToken(token: string, prefix: string): boolean {
  if (token.length !== prefix.length + 1 + RANDOM_LENGTH + CHECKSUM_LENGTH || !token.startsWith(`${prefix}_`)) return false;
  if (!/^[0-9A-Za-z]+$/.test(token.slice(prefix.length + 1))) return false;
  return token.endsWith(checksum(token.slice(0, -CHECKSUM_LENGTH)));
}

/** The stored form of a secret: 32 bytes of SHA-256. The secret has 256 random bits, so it needs no slow hash. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Compares two SHA-256 digests in constant time. */
export const equalHashes = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
