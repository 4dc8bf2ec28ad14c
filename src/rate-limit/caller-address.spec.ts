import { addressOf } from './caller-address.js';

const PROXY = '203.0.113.9';

describe('the address of a caller', () => {
  it.each([
    ['198.51.100.7', 0, PROXY],
    ['198.51.100.7', 1, '198.51.100.7'],
    ['192.0.2.1, 198.51.100.7', 1, '198.51.100.7'],
    ['192.0.2.1, 198.51.100.7', 2, '192.0.2.1'],
    ['198.51.100.7:4711', 1, '198.51.100.7'],
    ['[2001:db8:1:2:3::4]:4711', 1, '2001:db8:1:2::/64'],
    ['[2001:db8:1:2:3::4]', 1, '2001:db8:1:2::/64'],
    ['2001:db8:1:2:3::4', 1, '2001:db8:1:2::/64'],
    ['unknown', 1, PROXY],
    ['198.51.100.7:port', 1, PROXY],
    [undefined, 1, PROXY],
  ])('with X-Forwarded-For "%s" and %i trusted proxies is %s', (forwarded, hops, address) => {
    expect(addressOf(PROXY, forwarded, hops)).toBe(address);
  });
});
