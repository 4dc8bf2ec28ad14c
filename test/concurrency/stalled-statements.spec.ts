import pg from 'pg';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql, type GraphQLAnswer } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { StallingProxy } from './stalling-proxy.js';

const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }`;
/** As long as Jest lets a test run: a busy machine needs many times what an idle one does. */
const RECOVERS_WITHIN_MS = 240_000;

let database: TestDatabase;
let proxy: StallingProxy;
let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
let direct: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await StallingProxy.start(database.connection);
  direct = new pg.Pool({ ...database.connection, max: 1 });
  const through = { ...database, connection: proxy.connection, drop: async () => undefined };
  app = await createTestApp({ database: through, env: { DATABASE_STATEMENT_SECONDS: '1', DATABASE_POOL_SIZE: '4' } });
  fixture = new Fixture(app);
  // A process that stands still for a second counts the database as away.
  [alice, bob] = [await eventually(() => fixture.user({ sats: 1_000 })), await eventually(() => fixture.user())];
  // This caches their keys, so that only their operations need the database.
  const { paymentRequest } = await eventually(() => bob.invoice(1));
  await untilAnswered(() => pay(paymentRequest));
});
afterAll(async () => {
  await app?.close();
  await direct?.end();
  await proxy?.close();
  await database?.drop();
});

type Answer = GraphQLAnswer<{ lnInvoicePaymentSend: { status: string } }> & { readonly error?: { readonly code: number } };

const pay = (paymentRequest: string): Promise<Answer> =>
  graphql(app.url, PAY, { input: { walletId: alice.wallets.BTC, paymentRequest } }, alice.as('write'));

/** Refused with 503, before GraphQL or by it. */
const isAway = ({ error, errors }: Answer): boolean => error?.code === 503 || errors?.[0]?.extensions?.['code'] === 'SERVICE_UNAVAILABLE';

/** Repeats the request while the database counts as away. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + RECOVERS_WITHIN_MS;
  let answer = await ask();
  while (isAway(answer) && Date.now() < until) answer = await ask();
  return answer;
}

describe('a network that drops packets silently', () => {
  it('between a statement and its answer: the caller gets SUCCESS', async () => {
    const { paymentRequest } = await eventually(() => bob.invoice(100));
    proxy.stall({ answersOnly: true });
    expect((await untilAnswered(() => pay(paymentRequest))).data).toMatchObject({ lnInvoicePaymentSend: { status: 'SUCCESS' } });
    const answer = await untilAnswered(() => pay(paymentRequest));
    expect(answer.data).toMatchObject({ lnInvoicePaymentSend: { status: 'ALREADY_PAID' } });
    await eventually(async () => (await alice.sats()) === 899 && (await bob.sats()) === 101);
  });

  it('before the statement arrives: it is sent again with the same id, and the money moves once', async () => {
    const { paymentRequest } = await eventually(() => bob.invoice(50));
    proxy.stall();
    // The credential may have to be looked up first; the request is then refused before GraphQL.
    const answer = await untilAnswered(() => pay(paymentRequest));
    expect(answer.data).toMatchObject({ lnInvoicePaymentSend: { status: 'SUCCESS' } });
    await eventually(async () => (await alice.sats()) === 849 && (await bob.sats()) === 151);
    expect(await violationsAtRest(direct)).toEqual({});
  });
});
