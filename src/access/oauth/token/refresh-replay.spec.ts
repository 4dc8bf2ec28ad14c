import { mintToken } from '../../../platform/kernel/token.js';
import { decryptPair, encryptPair } from './refresh.store.js';

it('decrypts the token pair with the old token, and with no other', () => {
  const token = mintToken('sluice_rt');
  const pair = { access: mintToken('sluice_at'), refresh: mintToken('sluice_rt') };
  const blob = encryptPair(token, pair);
  expect(decryptPair(token, blob)).toEqual(pair);
  expect(() => decryptPair(mintToken('sluice_rt'), blob)).toThrow();
  expect(blob.includes(pair.access)).toBe(false);
});
