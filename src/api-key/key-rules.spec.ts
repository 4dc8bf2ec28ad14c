import { faultsOf } from './key-rules.js';

const allowed = ['read', 'receive', 'write', 'tipping:give'];
const key = { name: 'Shop till', scopes: ['receive'], expireInDays: null };
const fieldsAtFault = (change: Partial<Parameters<typeof faultsOf>[0]>): string[] =>
  faultsOf({ ...key, ...change }, allowed).map(({ field }) => field);

describe('the rules of a new API key', () => {
  it.each([
    {},
    { name: ' x ' },
    { name: '\u{1F600}'.repeat(64) },
    { scopes: allowed },
    { scopes: ['read', 'read'] },
    { expireInDays: 1 },
    { expireInDays: 3_650 },
  ])('takes %j', (change) => {
    expect(fieldsAtFault(change)).toEqual([]);
  });

  it.each(['', '   ', 'x'.repeat(65), 'a\0b', 'a\nb', 'a\u0085b'])('refuses the name %j', (name) => {
    expect(fieldsAtFault({ name })).toEqual(['name']);
  });

  it.each([0, -1, 3_651, 1.5, NaN, Infinity])('refuses an expiry in %j days', (expireInDays) => {
    expect(fieldsAtFault({ expireInDays })).toEqual(['expireInDays']);
  });

  it('refuses a key that may do nothing, in the words that clients know', () => {
    expect(faultsOf({ ...key, scopes: [] }, allowed)).toEqual([{ field: 'scopes', message: 'scopes can not be empty' }]);
  });

  it('refuses scopes that keys cannot have', () => {
    expect(fieldsAtFault({ scopes: ['read', 'offline'] })).toEqual(['scopes']);
  });

  it('tells everything that is wrong at once', () => {
    expect(fieldsAtFault({ name: '', scopes: [], expireInDays: 0 })).toEqual(['name', 'scopes', 'expireInDays']);
  });
});
