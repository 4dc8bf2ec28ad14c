import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from '../../kernel/secret-box.js';

/** What a refresh token is exchanged for. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

const CONTEXT = 'refresh replay';
/** HKDF of one block (RFC 5869). Its first step is left out, as section 3.3 allows: a token is a strong key as it is. */
const INFO = 'sluice refresh replay v1\x01';

/** Only the holder of the token has the key: whoever reads the database learns nothing. */
const keyOf = (token: string): Buffer => createHmac('sha256', token).update(INFO).digest();

/** Seals the pair for whoever shows `token` again in a moment. */
export const sealPair = (token: string, { access, refresh }: TokenPair): Buffer =>
  encrypt(keyOf(token), Buffer.from(`${access} ${refresh}`, 'ascii'), CONTEXT);

/** @throws Error when it was not sealed for this token */
export function openPair(token: string, blob: Buffer): TokenPair {
  const [access = '', refresh = ''] = decrypt(keyOf(token), blob, CONTEXT).toString('ascii').split(' ');
  return { access, refresh };
}
