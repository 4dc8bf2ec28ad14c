import { Database, type Statement } from '../../src/platform/database/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { Fixture, type Person } from '../support/fixture.js';
import { calls } from '../support/statements.js';

const FIELD = 'intraLedgerPaymentSend(input: $input) { status errors { code } }';
const ONE = `mutation ($input: IntraLedgerPaymentSendInput!) { ${FIELD} }`;
const BATCHES_AT_ONCE = 4;

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
});
afterEach(async () => {
  expect(await violationsAtRest(app.pool)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(() => app.close());

/** Batches wait until `letGo` is called. */
function stuck(): { readonly count: () => number; readonly letGo: () => void } {
  const database = app.get(Database);
  const query = database.query.bind(database);
  let count = 0;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  database.query = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
    if (calls(statement, 'payment_begin_v2')) {
      count++;
      await gate;
    }
    return query<Row>(statement, values);
  };
  const letGo = (): void => {
    database.query = query;
    open();
  };
  return { count: () => count, letGo };
}

const send = (signal?: AbortSignal): Promise<unknown> =>
  fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...alice.as('write') },
    body: JSON.stringify({
      query: ONE,
      variables: { input: { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 10 } },
    }),
    ...(signal && { signal }),
  }).then((response) => response.json());

const connections = (): Promise<number> =>
  new Promise((resolve) => app.sluice.app.getHttpServer().getConnections((_error, count) => resolve(count)));
const shows = (line: string): Promise<boolean> => eventually(async () => (await app.get(Metrics).text()).includes(line));

/** The client closes its connection, and waits until the server has noticed. */
async function leave(client: AbortController): Promise<void> {
  const before = await connections();
  client.abort();
  await eventually(async () => (await connections()) < before);
}

describe('a client that disconnects while its payment waits for a batch', () => {
  it('pays nothing', async () => {
    const before = await bob.sats();
    const batches = stuck();
    const others: Promise<unknown>[] = [];
    for (let n = 1; n <= BATCHES_AT_ONCE; n++) {
      others.push(send());
      await eventually(() => batches.count() === n);
    }
    const client = new AbortController();
    const gone = send(client.signal).catch((error: Error) => error.name);
    await shows('sluice_payment_queue_length 1');
    expect(Number(/^sluice_payment_batch_age_seconds (\S+)$/m.exec(await app.get(Metrics).text())?.[1])).toBeGreaterThan(0);
    await leave(client);
    batches.letGo();
    expect(await gone).toBe('AbortError');
    for (const answer of await Promise.all(others))
      expect(answer).toMatchObject({ data: { intraLedgerPaymentSend: { status: 'SUCCESS' } } });
    await shows('sluice_payments_not_begun_total{reason="dropped"} 1');
    await shows('sluice_payment_queue_length 0');
    expect((await bob.sats()) - before).toBe(10 * BATCHES_AT_ONCE);
  });
});
