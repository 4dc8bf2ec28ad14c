import { FixedWindows, MAX_WINDOWS } from './fixed-windows.js';

const RATE = { limit: 20, windowMs: 3_600_000 };

describe('FixedWindows', () => {
  it('drops the oldest windows when it has MAX_WINDOWS of them', () => {
    const windows = new FixedWindows();
    const hitsOf = (address: number, bucket = 'registration'): number => windows.hit(bucket, `2001:db8:${address}::/64`, RATE, 0).totalHits;
    windows.hit('address', '2001:db8:0::/64', RATE);
    for (let address = 0; address <= MAX_WINDOWS; address++) windows.hit('registration', `2001:db8:${address}::/64`, RATE);
    expect([hitsOf(0), hitsOf(1), hitsOf(MAX_WINDOWS)]).toEqual([0, 1, 1]);
    expect(hitsOf(0, 'address')).toBe(1);
  });
});
