import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from '../../../platform/kernel/secret-cipher.js';

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

const CONTEXT = 'refresh replay';
/** HKDF of one block (RFC 5869). The extract step is left out, as section 3.3 allows: a token is already a strong key. */
const INFO = 'sluice refresh replay v1\x01';

/** Only the holder of the token has the key: reading the database reveals nothing. */
const keyOf = (token: string): Buffer => createHmac('sha256', token).update(INFO).digest();

export const encryptPair = (token: string, { access, refresh }: TokenPair): Buffer =>
  encrypt(keyOf(token), Buffer.from(`${access} ${refresh}`, 'ascii'), CONTEXT);

/** @throws Error if it was not encrypted for this token */
export function decryptPair(token: string, blob: Buffer): TokenPair {
  const [access = '', refresh = ''] = decrypt(keyOf(token), blob, CONTEXT).toString('ascii').split(' ');
  return { access, refresh };
}
