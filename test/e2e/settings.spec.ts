import { createApp } from '../../src/index.js';
import { PaymentSettings } from '../../src/money/payment/index.js';
import { AcmeBackend } from '../extensions/acme/acme.backend.js';
import { createTestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';

describe('settings', () => {
  it('are refused under a misspelt name; other unknown names that begin with SLUICE_ are one warning', async () => {
    const refused = createTestApp({ env: { SLUCE_MODE: 'hunter2', TRUST_PROXYS: '1', THROTLE_ADDRES: '', HOME: '/root', HTTP_PORT: '1' } });
    await expect(refused).rejects.toThrow(
      'The configuration has 2 problems:\n  - SLUCE_MODE is no variable of Sluice; is SLUICE_MODE meant?\n  - TRUST_PROXYS is no variable of Sluice; is TRUST_PROXY meant?',
    );
    // Kubernetes sets the last three for a service named sluice.
    const injected = { SLUICE_SERVICE_HOST: '10.0.0.1', SLUICE_PORT: 'tcp://10.0.0.1:4000', SLUICE_PORT_4000_TCP_ADDR: '10.0.0.1' };
    const app = await createTestApp({ env: { SLUICE_LOGS_FOLDER: 'hunter2', SLUICE_COLOUR: 'hunter2', ...injected } });
    const warnings = app.logs.map((line) => JSON.parse(line) as { event?: string; names?: string });
    expect(warnings.flatMap(({ event, names }) => (event === 'process_variables_unknown' ? [names] : []))).toEqual([
      'SLUICE_LOGS_FOLDER, SLUICE_COLOUR',
    ]);
    expect(app.logs.join()).not.toContain('hunter2');
    await app.close();
  });

  it('come from the environment, or from a test past it, and are frozen', async () => {
    const app = await createTestApp({
      env: { FEE_LIMIT_PPM: '7', GRAPHQL_DEPTH: '2' },
      settings: { PaymentSettings: { FEE_LIMIT_MIN_SATS: 3, recheckDays: 1 } },
    });
    const settings = app.get(PaymentSettings);
    expect(settings).toMatchObject({ FEE_LIMIT_PPM: 7, FEE_LIMIT_MIN_SATS: 3, recheckDays: 1, PAYMENT_LEASE_SECONDS: 15 });
    expect(Object.isFrozen(settings)).toBe(true);
    const { errors } = await graphql(app.url, '{ globals { buildInformation { commitHash } } }');
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
    await app.close();
  });

  it('of all folders are checked together, by name and never by value', async () => {
    const env = { FEE_LIMIT_PPM: 'secret', SOCKETS_PER_ADDRESS: '0', THROTTLE_ADDRESS: 'many', PORT: '99999' };
    const refused = await createTestApp({ env }).then(
      (app) => app.close(),
      (error: unknown) => error as Error,
    );
    const text = (refused as Error).message;
    for (const name of Object.keys(env)) expect(text).toContain(name);
    expect(text).not.toMatch(/secret|many/);
  });

  it.each<[what: string, env: Readonly<Record<string, string>>, problems: readonly string[]]>([
    [
      'between the variables of a demo',
      { PORT: '99999', PUBLIC_URL: 'https://wallet.example', DATABASE_URL: 'postgres://db.example/sluice' },
      ['PORT', 'PUBLIC_URL must be a loopback address in demo mode', 'DATABASE_URL is refused in demo mode'],
    ],
    [
      'between the variables of a production server',
      { SLUICE_MODE: 'production', PORT: '99999', LIGHTNING_BACKEND: 'lnd', NETWORK: 'moon' },
      ['PORT', 'NETWORK', 'PUBLIC_URL must be set', 'DATABASE_URL must be set', 'LND_ADDRESS must be set', 'LND_MACAROON must be set'],
    ],
    [
      'between the variables of one folder, beside a wrong one',
      { PRICE_SOURCE: 'http', DEALER_SPREAD_BPS: 'few' },
      ['DEALER_SPREAD_BPS', 'PRICE_SOURCES must be set with PRICE_SOURCE=http'],
    ],
    ['not where a variable is wrong by itself', { PUBLIC_URL: 'wallet', PORT: '99999' }, ['PORT', 'PUBLIC_URL']],
    ['not of a mode that does not exist', { SLUICE_MODE: 'live' }, ['SLUICE_MODE']],
  ])('with rules %s are refused with every problem at once', async (_what, env, problems) => {
    const refused = await createTestApp({ env: { SECRET_KEY: 'x'.repeat(32), ...env } }).then(
      (app) => app.close(),
      (error: unknown) => error as Error,
    );
    const lines = (refused as Error).message.split('\n').slice(1);
    for (const problem of problems) expect(lines).toContainEqual(expect.stringContaining(problem));
    expect(lines).toHaveLength(problems.length);
  });

  it('of a server with its own node: the wrong mode is one problem of all', async () => {
    const refused = createApp({ lightning: AcmeBackend, env: { PORT: '99999', LOG_LEVEL: 'silent' } });
    await expect(refused).rejects.toThrow(/ 2 problems:[^]*PORT[^]*SLUICE_MODE must be production/);
  });
});
