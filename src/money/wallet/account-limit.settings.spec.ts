import { readSettings } from '../../platform/config/index.js';
import { AccountLimitSettings } from './account-limit.settings.js';

const read = (ACCOUNT_LIMITS: string) => {
  const { settings, problems } = readSettings([AccountLimitSettings], [], { ACCOUNT_LIMITS });
  return { settings: settings.get(AccountLimitSettings) as AccountLimitSettings, problems };
};

describe('ACCOUNT_LIMITS', () => {
  it('reads the limits of accounts, one for each level and flow, or none', () => {
    const limitsOf = (ACCOUNT_LIMITS: string): unknown => read(ACCOUNT_LIMITS).settings.byLevel;
    expect(limitsOf('')).toEqual({
      ZERO: { withdrawal: 12_500, internalSend: 12_500, convert: 200_000 },
      ONE: { withdrawal: 100_000, internalSend: 200_000, convert: 5_000_000 },
      TWO: { withdrawal: 5_000_000, internalSend: 5_000_000, convert: 20_000_000 },
      THREE: { withdrawal: 10_000_000, internalSend: 10_000_000, convert: 30_000_000 },
    });
    expect(limitsOf('ZERO=0/1/2,ONE=3/4/5,TWO=6/7/8,THREE=9/10/9999999999999')).toMatchObject({
      ZERO: { withdrawal: 0, internalSend: 1, convert: 2 },
      THREE: { withdrawal: 9, internalSend: 10, convert: 9_999_999_999_999 },
    });
    expect(limitsOf('none')).toBeNull();
    const wrong = ['None', '0', 'ZERO=1/1/1', 'ONE=1/1/1,ZERO=1/1/1,TWO=1/1/1,THREE=1/1/1', 'ZERO=1/1,ONE=1/1/1,TWO=1/1/1,THREE=1/1/1'];
    for (const text of [...wrong, 'ZERO=1/1/1,ONE=1/1/1,TWO=1/1/1,THREE=1/1/-1', 'ZERO=1/1/1,ONE=1/1/1,TWO=1/1/1,THREE=1/1/10000000000000'])
      expect(read(text).problems).toEqual([expect.stringMatching(/^ACCOUNT_LIMITS must be none, or ZERO=/)]);
  });
});
