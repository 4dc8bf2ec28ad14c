import fc from 'fast-check';
import { msatOfSats, satsCeil, satsOfMsat } from './money.js';

describe('money', () => {
  it.each([
    [0n, 0, 0],
    [1n, 0, 1],
    [999n, 0, 1],
    [1_000n, 1, 1],
    [1_001n, 1, 2],
    [-1n, -1, 0],
    [-1_000n, -1, -1],
    [-1_001n, -2, -1],
    [2_100_000_000_000_000_000n, 2_100_000_000_000_000, 2_100_000_000_000_000],
  ])('%s msat round down to %s sats and up to %s sats', (msat, floor, ceil) => {
    expect([satsOfMsat(msat), satsCeil(msat)]).toEqual([floor, ceil]);
  });

  it('converts whole satoshis without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_100_000_000_000_000, max: 2_100_000_000_000_000 }), (sats) => {
        expect(satsOfMsat(msatOfSats(sats)) === sats && satsCeil(msatOfSats(sats)) === sats).toBe(true);
      }),
    );
  });
});
