import { faultsOf } from './key-rules.js';

const allowed = ['read', 'receive', 'write', 'tipping:give'];
const key = {
  name: 'Shop till',
  scopes: ['receive'],
  expireInDays: null,
  limitSats: null,
  askAbovePaymentSats: null,
  askAboveDaySats: null,
};
const fieldsAtFault = (change: Partial<Parameters<typeof faultsOf>[0]>): string[] =>
  faultsOf({ ...key, ...change }, allowed).map(({ field }) => field);

const INVISIBLE = ['\u200b', '\u200b \u2060', '\ufeff', '\u00ad', '\u2800', '\u3164', '\u180e', '\ufe0f', '\u{e0041}', '\u2028', '\u200e'];
const REORDERING = ['\u202e', 'llit pohs\u202e', 'a\u202ab', 'a\u202cb', 'a\u2066b', 'a\u2069b'];

describe('the rules of a new API key', () => {
  it.each([
    {},
    { name: ' x ' },
    { name: 'קופה 1' },
    { name: '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}' },
    { name: 'a\u200db' },
    { name: '\u{1F600}'.repeat(64) },
    { scopes: allowed },
    { scopes: ['read', 'read'] },
    { expireInDays: 1 },
    { expireInDays: 3_650 },
    { limitSats: 1 },
    { limitSats: 2_147_483_647 },
    { askAbovePaymentSats: 0, askAboveDaySats: 2_147_483_647 },
  ])('accept %j', (change) => {
    expect(fieldsAtFault(change)).toEqual([]);
  });

  it.each(['', '   ', 'x'.repeat(65), 'a\0b', 'a\nb', 'a\u0085b', ...INVISIBLE, ...REORDERING, '\ud800', 'a\udc00b'])(
    'refuse the name %j',
    (name) => {
      expect(fieldsAtFault({ name })).toEqual(['name']);
    },
  );

  it.each([0, -1, 3_651, 1.5, NaN, Infinity])('refuse an expiry in %j days', (expireInDays) => {
    expect(fieldsAtFault({ expireInDays })).toEqual(['expireInDays']);
  });

  it.each([0, -1, 1.5, 2_147_483_648, NaN])('refuse a limit of %j sats', (limitSats) => {
    expect(fieldsAtFault({ limitSats })).toEqual(['limitSats']);
  });

  it.each([-1, 1.5, 2_147_483_648, NaN])('refuse to ask above %j sats', (sats) => {
    expect(fieldsAtFault({ askAbovePaymentSats: sats, askAboveDaySats: sats })).toEqual(['askAbovePaymentSats', 'askAboveDaySats']);
  });

  it('refuse a key without a permission, with the text that clients match', () => {
    expect(faultsOf({ ...key, scopes: [] }, allowed)).toEqual([{ field: 'scopes', message: 'scopes can not be empty' }]);
  });

  it('refuse scopes that keys cannot have', () => {
    expect(fieldsAtFault({ scopes: ['read', 'offline'] })).toEqual(['scopes']);
  });

  it('return every fault at once', () => {
    expect(fieldsAtFault({ name: '', scopes: [], expireInDays: 0 })).toEqual(['name', 'scopes', 'expireInDays']);
  });
});
