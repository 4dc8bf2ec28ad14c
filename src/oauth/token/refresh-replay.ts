import { hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from '../../kernel/secret-box.js';

/** What a refresh token is exchanged for. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

const CONTEXT = 'refresh replay';

/** Only who holds the token has the key: whoever reads the database learns nothing. */
const keyOf = (token: string): Buffer => Buffer.from(hkdfSync('sha256', token, '', 'sluice refresh replay v1', 32));

/** Seals the pair for whoever shows `token` again in a moment. */
export const sealPair = (token: string, { access, refresh }: TokenPair): Buffer =>
  encrypt(keyOf(token), Buffer.from(`${access} ${refresh}`, 'ascii'), CONTEXT);

/** @throws Error when it was not sealed for this token */
export function openPair(token: string, blob: Buffer): TokenPair {
  const [access = '', refresh = ''] = decrypt(keyOf(token), blob, CONTEXT).toString('ascii').split(' ');
  return { access, refresh };
}
