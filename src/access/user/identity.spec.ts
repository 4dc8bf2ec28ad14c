import { emailOf, faultOfPassword, namesLike, usernameOf } from './identity.js';

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
