import { mintToken } from '../../kernel/token.js';
import { openPair, sealPair } from './refresh-replay.js';

it('decrypts the token pair with the old token, and with no other', () => {
  const token = mintToken('sluice_rt');
  const pair = { access: mintToken('sluice_at'), refresh: mintToken('sluice_rt') };
  const blob = sealPair(token, pair);
  expect(openPair(token, blob)).toEqual(pair);
  expect(() => openPair(mintToken('sluice_rt'), blob)).toThrow();
  expect(blob.includes(pair.access)).toBe(false);
});
