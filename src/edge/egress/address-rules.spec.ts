import { AddressRules } from './address-rules.js';

describe('a request to an address that a caller chose', () => {
  const rules = new AddressRules([]);

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1'])('may go to %s', (address) => {
    expect(rules.permits(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd20:ce::254',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '::7f00:1',
    '::2',
    '1::1',
    '4000::1',
    'fe00::1',
    'localhost',
    '',
    '1.1.1.1/32',
  ])('may not go to %s', (address) => {
    expect(rules.permits(address)).toBe(false);
  });

  it('may go to a network that the operator allows, and to no other', () => {
    const allowing = new AddressRules(['10.0.0.0/8', 'fd00::/8']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map((address) => allowing.permits(address))).toEqual([true, true, true]);
    expect(new AddressRules(['168.63.129.16/32']).permits('168.63.129.16')).toBe(true);
    expect(['11.1.2.3', '127.0.0.1', 'fe80::1'].map((address) => allowing.allows(address))).toEqual([false, false, false]);
  });
});
