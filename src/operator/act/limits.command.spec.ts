import type { INestApplicationContext } from '@nestjs/common';
import { readSettings } from '../../platform/config/index.js';
import { policiesOfExtensions, RateLimitPolicies, RateLimitSettings } from '../../edge/rate-limit/index.js';
import { SETTINGS } from '../../app/settings.js';
import { limitsCommands } from './limits.command.js';

const EXTENSION = {
  name: 'tipping',
  rateLimits: [{ name: 'tipping.bigThanks', limit: 5, windowSeconds: 60, counts: 'thanks' }],
} as const;

describe('sluice limits', () => {
  const run = async (env: Record<string, string>, options: Record<string, true> = {}): Promise<string[]> => {
    const { settings } = readSettings(Object.values(SETTINGS), [], env);
    const { policies } = policiesOfExtensions([EXTENSION], env, () => 'TIPPING_');
    const known = new Map<unknown, unknown>([
      ...settings,
      [RateLimitPolicies, new RateLimitPolicies(settings.get(RateLimitSettings) as RateLimitSettings, policies)],
    ]);
    const app = { get: (token: unknown) => known.get(token) } as unknown as INestApplicationContext;
    const lines: string[] = [];
    await limitsCommands[0]?.run(app, { positionals: [], options }, (line) => void lines.push(line));
    return lines;
  };

  it('lists each policy with its value, where it counts, its variable and what it counts', async () => {
    const lines = await run({ THROTTLE_PRINCIPAL: '7/30' });
    expect(lines.indexOf('')).toBe(33);
    expect(lines.find((line) => line.startsWith('principal '))).toMatch(
      /^principal +7 in 30 s +memory +THROTTLE_PRINCIPAL +all calls with one key, grant or session/,
    );
    expect(lines.slice(0, 17).every((line) => / (THROTTLE_[A-Z_]+|-) +\S.+ \S/.test(line))).toBe(true);
  });

  it('has the documented default of every limit for callers', async () => {
    const values = (await run({})).map((line) => line.split(/ {2,}|(?<=^\S+) |(?<=\d s) /).slice(0, 2));
    expect(Object.fromEntries(values)).toMatchObject({
      registration: '20 in 3600 s',
      authorizationPage: '120 in 60 s',
      pushedRequest: '600 in 60 s',
      address: '6000 in 60 s',
      principal: '1200 in 60 s',
      account: '6000 in 60 s',
      workPerAddress: '64 at once',
      workPerPrincipal: '64 at once',
      workPerProcess: '1000 at once',
      invoiceForOther: '600 in 60 s',
      lnurlPayment: '60 in 60 s',
      anonymousInvoice: '30 in 60 s',
      anonymousInvoiceAll: '3000 in 60 s',
      invoiceRecipient: '600 in 60 s',
      anonymousInvoiceFirst: '3 in 60 s',
      apiKey: '100 in 3600 s',
      signInAccount: '10 in 900 s',
      signInAddress: '25 in 900 s',
      signInDevice: '10 in 900 s',
      tokenClient: '20 in 60 s',
      tokenAddress: '5 in 60 s',
      'tipping.bigThanks': '5 in 60 s',
    });
  });

  it('lists the rate limits of extensions with the values of their variables', async () => {
    const [line = ''] = (await run({ TIPPING_THROTTLE_BIG_THANKS: '9/10' })).filter((each) => each.startsWith('tipping.'));
    expect(line).toMatch(/^tipping\.bigThanks +9 in 10 s +memory +TIPPING_THROTTLE_BIG_THANKS +thanks$/);
  });

  it('lists the limits of accounts by level', async () => {
    expect((await run({})).slice(-4)).toEqual([
      'level ZERO   to other wallets $125.00, to other accounts $125.00, between its own wallets $2,000.00',
      'level ONE    to other wallets $1,000.00, to other accounts $2,000.00, between its own wallets $50,000.00',
      'level TWO    to other wallets $50,000.00, to other accounts $50,000.00, between its own wallets $200,000.00',
      'level THREE  to other wallets $100,000.00, to other accounts $100,000.00, between its own wallets $300,000.00',
    ]);
    expect((await run({ ACCOUNT_LIMITS: 'none' })).at(-1)).toBe('Accounts have no limits (ACCOUNT_LIMITS=none).');
  });

  it('prints them as JSON', async () => {
    const [line] = await run({ RATE_LIMIT_STORE: 'postgres' }, { json: true });
    expect(JSON.parse(line ?? '')).toContainEqual({
      name: 'signInAccount',
      limit: 10,
      windowSeconds: 900,
      unit: null,
      variable: 'THROTTLE_SIGN_IN_ACCOUNT',
      counts: 'wrong passwords for one account from one address',
      store: 'postgres',
    });
  });
});
