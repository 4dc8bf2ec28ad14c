import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from './environment.js';
import { type Config, ConfigError, demoSecretKey, loadConfig } from './index.js';

const SECRET = 'x'.repeat(40);
const load = (env: Record<string, string>): Config => loadConfig(env, () => SECRET);
const problems = (env: Record<string, string>): readonly string[] => {
  try {
    load(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};
const PRODUCTION = {
  SLUICE_MODE: 'production',
  PUBLIC_URL: 'https://pay.example',
  SECRET_KEY: SECRET,
  NETWORK: 'mainnet',
  LIGHTNING_BACKEND: 'simulator',
  SLUICE_ALLOW_SIMULATED_MONEY: '1',
  DATABASE_URL: 'postgres://u:p@h/d',
};

describe('the configuration', () => {
  it('is a demo on loopback by default', () => {
    const config = load({});
    expect(config).toMatchObject({
      mode: 'demo',
      port: 4000,
      host: 'localhost',
      publicUrl: 'http://localhost:4000',
      issuerUrl: 'http://localhost:4000',
      network: 'regtest',
      simulatedMoney: true,
      tokenPrefix: 'sluice',
    });
    expect(Object.isFrozen(config) && Object.isFrozen(config.throttle)).toBe(true);
  });

  it('reads rate limits as calls and seconds', () => {
    expect(load({ THROTTLE_SIGN_IN_ACCOUNT: '3/60' }).throttle.signInAccount).toEqual({ limit: 3, windowMs: 60_000 });
  });

  it('trims addresses, and ignores empty variables', () => {
    expect(load({ PUBLIC_URL: 'http://localhost:4000/', PORT: '' })).toMatchObject({ publicUrl: 'http://localhost:4000', port: 4000 });
  });

  it('reports every fault at once, with the names of variables and without their values', () => {
    const found = problems({
      PORT: 'secret-port',
      TOKEN_PREFIX: 'Secret_',
      THROTTLE_ADDRESS: 'secret',
      PUBLIC_URL: 'secret',
      SECRET_KEY: 'secret',
      LOG_LEVEL: 'secret',
    });
    expect(found.map((text) => text.split(' ')[0]).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'SECRET_KEY',
      'THROTTLE_ADDRESS',
      'TOKEN_PREFIX',
    ]);
    expect(found.join(' ')).not.toMatch(/secret-port|Secret_/);
  });

  it.each(['abc', '1.5', '-1', '65536', '0x10', '9'.repeat(20)])('reports for PORT=%s what a port is', (value) => {
    expect(problems({ PORT: value })).toEqual(['PORT must be a whole number from 0 to 65535']);
  });

  it('reports the rule of every other number', () => {
    const numbers = Object.entries(new Environment()).filter(([, value]) => typeof value === 'number');
    const found = problems(Object.fromEntries(numbers.map(([name]) => [name, 'abc'])));
    expect(numbers.length).toBeGreaterThan(30);
    expect(found.filter((problem) => !/^[A-Z_]+ must be a whole number from \d+ to \d+$/.test(problem))).toEqual([]);
    expect(found).toHaveLength(numbers.length);
  });

  it.each([
    ['SLUICE_MODE', 'test', 'must be one of: demo, production'],
    ['NETWORK', 'main', 'must be one of: mainnet, testnet, signet, regtest'],
    ['LOG_LEVEL', 'loud', 'must be one of: trace, debug, info, warn, error, silent'],
    ['SECRET_KEY', 'short', 'must have at least 32 characters'],
    ['METRICS_TOKEN', 'short', 'must have at least 16 characters'],
    ['HOST', 'x'.repeat(256), 'must have at most 255 characters'],
    ['SLUICE_COMMIT', 'HEAD', 'must be 7 to 64 hexadecimal digits'],
    ['GRAPHIQL', 'yes', 'must be 1 or 0'],
    ['PUBLIC_URL', 'localhost', 'must be a URL that starts with http:// or https://'],
  ])('reports the rule of %s', (name, value, rule) => {
    expect(problems({ [name]: value })).toEqual([`${name} ${rule}`]);
  });

  it.each([
    ['another back end', { LIGHTNING_BACKEND: 'lnd' }, /LIGHTNING_BACKEND/],
    ['an address that is not loopback', { PUBLIC_URL: 'https://pay.example' }, /PUBLIC_URL/],
    ['an external database', { DATABASE_URL: 'postgres://u:p@h/d' }, /DATABASE_URL/],
  ])('refuses %s in demo mode', (_what, env, problem) => {
    expect(problems(env)).toEqual([expect.stringMatching(problem)]);
  });

  it('accepts the database of another server in a demo with the explicit variable', () => {
    expect(load({ DATABASE_URL: 'postgres://u:p@h/d', SLUICE_DEMO_ON_EXTERNAL_DB: '1' }).database.url).toBe('postgres://u:p@h/d');
  });

  it('requires everything that production needs, all of it at once', () => {
    const found = problems({ SLUICE_MODE: 'production' }).map((text) => text.split(' ')[0]);
    expect(found.sort()).toEqual(['DATABASE_URL', 'LIGHTNING_BACKEND', 'NETWORK', 'PUBLIC_URL', 'SECRET_KEY']);
  });

  it('prefers the embedded database to the address of another one', () => {
    const { DATABASE_URL: _gone, ...others } = PRODUCTION;
    expect(load({ ...others, SLUICE_EMBEDDED_POSTGRES: '1' }).database.url).toBeUndefined();
  });

  it('has a price in a demo, and in production only on demand', () => {
    const priceOf = (env: Record<string, string>): number | null => load(env).price.fixedCentsPerBtc;
    expect(priceOf({ FIXED_PRICE_CENTS_PER_BTC: '5' })).toBe(5);
    expect(priceOf({ PRICE_SOURCE: 'none' })).toBeNull();
    expect(priceOf({ ...PRODUCTION, FIXED_PRICE_CENTS_PER_BTC: '5' })).toBeNull();
    expect(priceOf({ ...PRODUCTION, FIXED_PRICE_CENTS_PER_BTC: '5', PRICE_SOURCE: 'fixed' })).toBe(5);
  });

  it('reads the limits of accounts, one for each level and flow, or none', () => {
    const limitsOf = (ACCOUNT_LIMITS: string): unknown => load({ ACCOUNT_LIMITS }).accountLimits.byLevel;
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
      expect(problems({ ACCOUNT_LIMITS: text })).toEqual([expect.stringMatching(/^ACCOUNT_LIMITS must be none, or ZERO=/)]);
  });

  it('takes the sources of prices by name or by address, more than half of which must agree', () => {
    const http = (PRICE_SOURCES: string, env = {}): ReturnType<typeof load>['price']['http'] =>
      load({ PRICE_SOURCE: 'http', PRICE_SOURCES, ...env }).price.http;
    expect(http('kraken, https://prices.example/v1?key=1#/a%20b/0;/at,http://127.0.0.1:8080/p')).toEqual({
      sources: [
        { name: 'kraken', url: 'https://api.kraken.com/0/public/Ticker?pair=XBTUSD', price: '/result/XXBTZUSD/c/0', time: undefined },
        { name: 'prices.example', url: 'https://prices.example/v1?key=1', price: '/a b/0', time: '/at' },
        { name: '127.0.0.1:8080', url: 'http://127.0.0.1:8080/p', price: '', time: undefined },
      ],
      minSources: 2,
      maxAgeMs: 120_000,
      maxDeviationPercent: 3,
    });
    expect(http('kraken,bitstamp,coinbase,coingecko')?.minSources).toBe(3);
    expect(http('kraken,bitstamp', { PRICE_SOURCES_MIN: '1' })?.minSources).toBe(1);
    expect(load({ PRICE_SOURCES: 'no source' }).price.http).toBeUndefined();
  });

  it.each([
    ['', /PRICE_SOURCES must be set/],
    ['mtgox', /PRICE_SOURCES: number 1 must be one of/],
    ['toString', /PRICE_SOURCES: number 1 must be one of/],
    ['kraken,', /PRICE_SOURCES: number 2 must be one of/],
    ['http://prices.example/p', /number 1 must be one of/],
    ['ftp://prices.example/p', /number 1 must be one of/],
    ['https://user:secret@prices.example/p', /^(?!.*secret).*number 1 must be one of/],
    ['https://prices.example/p#price', /number 1 must be one of/],
    ['kraken,kraken', /must not name a source twice/],
    [Array.from({ length: 11 }, (_each, index) => `https://prices.example/${index}`).join(','), /at most 10 sources/],
  ])('refuses PRICE_SOURCES=%s', (PRICE_SOURCES, problem) => {
    expect(problems({ PRICE_SOURCE: 'http', PRICE_SOURCES })).toEqual([expect.stringMatching(problem)]);
  });

  it('refuses more sources that must agree than there are', () => {
    expect(problems({ PRICE_SOURCE: 'http', PRICE_SOURCES: 'kraken', PRICE_SOURCES_MIN: '2' })).toEqual([
      expect.stringMatching(/^PRICE_SOURCES_MIN/),
    ]);
  });

  it('refuses simulated money in production without the second, explicit variable', () => {
    const { SLUICE_ALLOW_SIMULATED_MONEY: _gone, ...others } = PRODUCTION;
    expect(problems(others)).toEqual([expect.stringMatching(/SLUICE_ALLOW_SIMULATED_MONEY/)]);
    expect(load(PRODUCTION)).toMatchObject({ mode: 'production', simulatedMoney: true, host: '0.0.0.0' });
  });
});

describe("the demo's secret", () => {
  it('is created once, readable by its owner only', () => {
    const dir = mkdtempSync(join(tmpdir(), 'sluice-secret-'));
    try {
      const secret = demoSecretKey(dir);
      expect(secret.length).toBeGreaterThanOrEqual(43);
      expect(demoSecretKey(dir)).toBe(secret);
      expect(readFileSync(join(dir, 'secret-key'), 'utf8').trim()).toBe(secret);
      expect(statSync(join(dir, 'secret-key')).mode & 0o077).toBe(0);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
