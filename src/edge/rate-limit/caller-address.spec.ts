import { addressOf, networkOf, widerKeyOf } from './caller-address.js';

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

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9', '203.0.113.9'],
    ['::1', '::1', '::1'],
    ['::', '::/64', '::/48'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::/64', '2001:db8::/48'],
    ['2001:0db8:0001:0000:0000:0000:0000:0001', '2001:db8:1::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['0:0:1:2:3:4:5:6', '0:0:1:2::/64', '0:0:1::/48'],
    ['', '', ''],
    ['nonsense', 'nonsense', 'nonsense'],
  ])('%j is %j, and its network %j', (remote, address, network) => {
    expect([addressOf(remote, undefined, 0), networkOf(address)]).toEqual([address, network]);
  });
});

describe('the wider key of a key', () => {
  it.each([
    ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56'],
    ['bob@example.test 2001:db8:1:2ff::/64', 'bob@example.test 2001:db8:1:200::/56'],
    ['::/64', '::/56'],
    ['203.0.113.9', undefined],
    ['::1', undefined],
    ['2001:db8:1::/48', undefined],
    ['an-app/64', undefined],
    ['203.0.113.9/64', undefined],
    ['/64', undefined],
    ['', undefined],
  ])('%j is %j', (key, wider) => {
    expect(widerKeyOf(key)).toBe(wider);
  });
});
