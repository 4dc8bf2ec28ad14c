import { emailOf, faultOfPassword, isReservedName, namesLike, personNameOf, usernameOf } from './identity.js';

describe('usernameOf', () => {
  it.each(['alice', 'a_1', 'abc', '2go', 'x'.repeat(50), 'lnbc', 'bc2abc'])('accepts %s', (name) => {
    expect(usernameOf(name)).toBe(name);
  });

  it.each([
    '',
    'al',
    '123',
    '___',
    '1abc',
    '3abc',
    '_abc',
    'bc1abc',
    'lnbc1abc',
    'a-b',
    'älice',
    'al ice',
    'alice\0',
    'x'.repeat(51),
    '456',
  ])('refuses %j', (name) => {
    expect(usernameOf(name)).toBeUndefined();
  });

  it('ignores case and surrounding space', () => {
    expect(usernameOf(' Alice_W ')).toBe('alice_w');
    expect(usernameOf('BC1abc')).toBeUndefined();
  });
});

describe('emailOf', () => {
  it('ignores case and surrounding space', () => {
    expect(emailOf(' Alice@Example.TEST ')).toBe('alice@example.test');
  });

  it('composes characters (NFC), so that two keyboards give one address', () => {
    expect(emailOf('jose\u0301@example.test')).toBe('jos\u00e9@example.test');
  });

  it.each([
    '',
    'alice',
    '@example.test',
    'alice@',
    'a b@example.test',
    'alice@example.test\0',
    'alice@exa\0mple.test',
    `${'x'.repeat(300)}@example.test`,
  ])('refuses %j', (address) => {
    expect(emailOf(address)).toBeUndefined();
  });
});

describe('faultOfPassword', () => {
  it.each(['x'.repeat(10), 'x'.repeat(256), ' '.repeat(10), '\u{1F600}'.repeat(256)])('has no rule but the length', (password) => {
    expect(faultOfPassword(password)).toBeUndefined();
  });

  it('counts characters instead of UTF-16 units, and returns the count', () => {
    expect(faultOfPassword('\u{1F600}'.repeat(9))).toBe('Use at least 10 characters. You typed 9.');
    expect(faultOfPassword('x'.repeat(257))).toBe('Use at most 256 characters. You typed 257.');
  });
});

describe('namesLike', () => {
  it.each(['alice', 'x'.repeat(50)])('proposes valid names, all different', (name) => {
    for (const random of [(): number => 0, (): number => 0.999_999]) {
      const names = namesLike(name, random);
      expect(new Set(names).size).toBe(6);
      expect(names.map(usernameOf)).toEqual(names);
    }
  });

  it('proposes only names that usernameOf accepts', () => {
    expect(namesLike(`${'2'.repeat(49)}a`)).toEqual([]);
  });
});

describe('isReservedName', () => {
  const REFUSED =
    'payment payments refund refunds legal privacy fees ceo mail support admin no_reply noreply mailer_daemon supp0rt pr1vacy lega1 b1111ng bi11ing f33s c30 ma1l p4yment 5upport w4ll3t r3fund supp0rt7 refund_2 refund2024 payment_ _payment pay_ment p_a_y_m_e_n_t 24support admin_1 admin1 adm1n_1 s2u2p2p2o2r2t r00t h3lpd35k';
  it.each(REFUSED.split(' '))('is true for %s', (name) => {
    expect(isReservedName(name)).toBe(true);
  });

  const GOOD =
    'alice bob carol dave erin frank grace heidi ivan judy mallory_j niaj olivia peggy rupert sybil trent victor walter zoe alice1 bob_2 x21 coffee_shop corner_cafe tips4me bakery24 satoshi_fan bitcoiner lightning_lena ann_marie jean_luc o_neill c3po r2d2 agent007 maria1985 mailman legally_blonde payton feemster ceol adminton supporter_jo refugee privately helpful_hal teamster wallet_less banksy accountant_amy';
  it('is false for ordinary names', () => {
    expect(GOOD.split(' ')).toHaveLength(51);
    expect(GOOD.split(' ').filter(isReservedName)).toEqual([]);
  });
});

describe('personNameOf', () => {
  it.each([
    ['ann.lee', 'x@company.test', 'ann_lee'],
    ['Ann@company.test', 'x@company.test', 'ann'],
    [undefined, 'o’neill+pay@company.test', 'o_neill_pay'],
    ['', 'jo@company.test', 'user_jo'],
    ['admin', 'x@company.test', 'user_admin'],
    ['1234', 'x@company.test', 'user_1234'],
    ['ß'.repeat(80), 'x@company.test', 'user__'],
    ['x'.repeat(80), 'x@company.test', 'x'.repeat(50)],
  ])('makes of %s and %s a name that a person may have', (wished, email, name) => {
    expect(personNameOf(wished, email)).toBe(name);
    expect(usernameOf(name)).toBe(name);
    expect(isReservedName(name)).toBe(false);
  });
});
