import { createHash } from 'node:crypto';
import { randomBytes } from './random.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** A UUIDv7 (RFC 9562 section 5.7): random, but consecutive rows lie beside each other in an index. */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  return written(bytes, 7);
}

/** A UUID derived from the text (version 8, RFC 9562 section 5.8): the same text always gives the same id. */
export function deterministicUuid(text: string): string {
  return written(createHash('sha256').update(text, 'utf8').digest().subarray(0, 16), 8);
}

function written(bytes: Buffer, version: 7 | 8): string {
  bytes[6] = (version << 4) | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
