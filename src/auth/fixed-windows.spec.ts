import { FixedWindows, MAX_WINDOWS } from './fixed-windows.js';

const RATE = { limit: 20, windowMs: 3_600_000 };

describe('windows of a bucket', () => {
  it('are no more than the process has memory for: the oldest are forgotten', () => {
    const windows = new FixedWindows();
    const hitsOf = (address: number, bucket = 'registration'): number => windows.peek(bucket, `2001:db8:${address}::/64`, RATE).totalHits;
    windows.hit('address', '2001:db8:0::/64', RATE);
    for (let address = 0; address <= MAX_WINDOWS; address++) windows.hit('registration', `2001:db8:${address}::/64`, RATE);
    expect([hitsOf(0), hitsOf(1), hitsOf(MAX_WINDOWS)]).toEqual([0, 1, 1]);
    expect(hitsOf(0, 'address')).toBe(1);
  });
});
