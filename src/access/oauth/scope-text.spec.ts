import { hasOffline, scopesIn } from './scope-text.js';

describe('scopesIn', () => {
  it.each([
    ['read', ['read']],
    ['write read', ['write', 'read']],
    ['read  write read ', ['read', 'write']],
    ['', []],
    ['   ', []],
  ])('parses %j', (text, scopes) => {
    expect(scopesIn(text)).toEqual(scopes);
  });

  it.each(['read\twrite', 'read"', 'a\\b', 'réad', 'read\0', 'x'.repeat(1_001)])('refuses %j', (text) => {
    expect(() => scopesIn(text)).toThrow(expect.objectContaining({ code: 'invalid_scope' }));
  });
});

it('accepts both names of the scope for a refresh token', () => {
  expect([['offline'], ['offline_access'], ['read', 'offline'], ['read'], []].map(hasOffline)).toEqual([true, true, true, false, false]);
});
