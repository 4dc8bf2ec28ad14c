import { PaymentSettings } from '../../src/money/payment/index.js';
import { createTestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';

describe('settings', () => {
  it('warn at the start of each variable of an earlier version that is still set', async () => {
    const app = await createTestApp({ env: { QUERIES_WAITING: '5', WORK_PER_CONNECTION: '2' } });
    const warnings = app.logs.map((line) => JSON.parse(line) as { event?: string; name?: string });
    expect(warnings.flatMap(({ event, name }) => (event === 'process_variable_retired' ? [name] : []))).toEqual([
      'QUERIES_WAITING',
      'WORK_PER_CONNECTION',
    ]);
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
});
