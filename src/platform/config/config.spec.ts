import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from './environment.js';
import { type Config, ConfigError, demoSecretKey, loadConfig } from './index.js';

const SECRET = 'x'.repeat(40);
const NO_PATH = 'must have no path and no user: Sluice needs a host name of its own';
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
    expect(Object.isFrozen(config) && Object.isFrozen(config.database)).toBe(true);
  });

  it('trims addresses, and ignores empty variables', () => {
    expect(load({ PUBLIC_URL: 'http://localhost:4000/', PORT: '' })).toMatchObject({ publicUrl: 'http://localhost:4000', port: 4000 });
  });

  it('reports every fault at once, with the names of variables and without their values', () => {
    const found = problems({
      PORT: 'secret-port',
      TOKEN_PREFIX: 'Secret_',
      PUBLIC_URL: 'secret',
      SECRET_KEY: 'secret',
      LOG_LEVEL: 'secret',
    });
    expect(found.map((text) => text.split(' ')[0]).sort()).toEqual(['LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'SECRET_KEY', 'TOKEN_PREFIX']);
    expect(found.join(' ')).not.toMatch(/secret-port|Secret_/);
  });

  it.each(['abc', '1.5', '-1', '65536', '0x10', '9'.repeat(20)])('reports for PORT=%s what a port is', (value) => {
    expect(problems({ PORT: value })).toEqual(['PORT must be a whole number from 0 to 65535']);
  });

  it('reports the rule of every other number', () => {
    const numbers = Object.entries(new Environment()).filter(([, value]) => typeof value === 'number');
    const found = problems(Object.fromEntries(numbers.map(([name]) => [name, 'abc'])));
    expect(numbers.length).toBeGreaterThan(5);
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
    ['SLUICE_ALLOW_NEWER_SCHEMA', 'yes', 'must be 1 or 0'],
    ['PUBLIC_URL', 'localhost', 'must be a URL that starts with http:// or https://'],
    ['PUBLIC_URL', 'http://localhost:4000/wallet', NO_PATH],
    ['PUBLIC_URL', 'http://localhost/#a', NO_PATH],
    ['PUBLIC_URL', 'http://localhost?a', NO_PATH],
    ['PUBLIC_URL', 'http://user:word@localhost', NO_PATH],
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

  it.each(['postgres://u:hunter#2@h/d', 'postgres://u:hunt/er2@h/d', 'postgres://u@h:port/d', 'mysql://h/d'])(
    'says of DATABASE_URL %s how a password is written, and not the password',
    (url) => {
      const form = 'must be postgres://user:password@host:port/database, with # / ? @ of a password as %23 %2F %3F %40';
      const env = { ...PRODUCTION, DATABASE_URL: url, DATABASE_DIRECT_URL: url };
      expect(problems(env)).toEqual([`DATABASE_URL ${form}`, `DATABASE_DIRECT_URL ${form}`]);
    },
  );

  it.each(['postgresql://h/d', 'postgres://u@%2Fvar%2Frun%2Fpostgresql/d', 'postgres://u:p@/d?host=/run', 'postgres:///d?host=/run'])(
    'accepts DATABASE_URL %s',
    (url) => expect(load({ ...PRODUCTION, DATABASE_URL: url }).database.url).toBe(url),
  );

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

  it('refuses simulated money in production without the second, explicit variable', () => {
    const { SLUICE_ALLOW_SIMULATED_MONEY: _gone, ...others } = PRODUCTION;
    expect(problems(others)).toEqual([expect.stringMatching(/SLUICE_ALLOW_SIMULATED_MONEY/)]);
    expect(load(PRODUCTION)).toMatchObject({ mode: 'production', simulatedMoney: true, host: '0.0.0.0' });
  });
});

describe('addresses of production', () => {
  const http = (env: Record<string, string>): readonly string[] => problems({ ...PRODUCTION, ...env });

  it.each([
    ['PUBLIC_URL', { PUBLIC_URL: 'http://pay.example' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://192.168.1.7:4000' }],
    ['ISSUER_URL', { ISSUER_URL: 'http://id.example' }],
  ])('must be https on a host that is not this machine: %s of %j', (name, env) => {
    expect(http(env)).toEqual([
      `${name} must be https in production, because its host is not this machine (SLUICE_ALLOW_HTTP=1 for a test network)`,
    ]);
    expect(load({ ...PRODUCTION, ...env, SLUICE_ALLOW_HTTP: '1' }).plainHttp).toBe(true);
  });

  it.each(['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000', 'https://pay.example'])('may be %s', (url) => {
    expect(load({ ...PRODUCTION, PUBLIC_URL: url, SLUICE_ALLOW_HTTP: '1' }).plainHttp).toBe(false);
    expect(http({ PUBLIC_URL: url, ISSUER_URL: url })).toEqual([]);
  });
});

describe('TOKEN_PREFIX', () => {
  it.each(['blink', 'sluice_staging', 'a1', 'a_1_b'])('may be %s', (prefix) => {
    expect(load({ TOKEN_PREFIX: prefix }).tokenPrefix).toBe(prefix);
  });

  it.each([
    'shop_at',
    'shop_rt',
    'shop_ac',
    'shop_cs',
    'shop_st',
    'shop_in',
    'shop_',
    '_shop',
    'a__b',
    'Shop',
    '1shop',
    's',
    'a'.repeat(17),
  ])('may not be %s', (prefix) =>
    expect(problems({ TOKEN_PREFIX: prefix })).toEqual([expect.stringMatching(/^TOKEN_PREFIX must be .* must not end in _at,/)]),
  );
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
