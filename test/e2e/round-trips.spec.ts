import { Database, type Statement } from '../../src/database/index.js';
import { PaymentService } from '../../src/payment/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

/** Statements of background work, independent of any caller; the node's stream reports an outcome by its hash. */
const BACKGROUND =
  /^(payment_due|simulator_|payment_(open|released)_by_hash|payment_node_|payment_failed_page|api_key_used|ledger_audit|health_|oauth_janitor|settlement_|invoice_(due|open|looked_up|forget)|credential_standing|signing_key_)/;

const ME = '{ me { id username defaultAccount { id wallets { id balance } } } }';
const CREATE = 'mutation ($i: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $i) { errors { code } invoice { paymentRequest } } }';
const PAY = 'mutation ($i: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $i) { status errors { code } } }';
const SEND = 'mutation ($i: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $i) { status errors { code } } }';
const HISTORY =
  '{ me { defaultAccount { transactions(first: 10) { edges { node { id settlementAmount memo initiationVia { __typename } } } } } } }';

describe('SQL round trips', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let statements: string[];

  /** The statements of one operation, without those of the simulated node. */
  const counted = async (operation: () => Promise<unknown>): Promise<string[]> => {
    statements = [];
    await operation();
    return statements.filter((name) => !BACKGROUND.test(name));
  };

  beforeAll(async () => {
    app = await createTestApp();
    const database = app.get(Database);
    const query = database.query.bind(database);
    statements = [];
    database.query = (statement: Statement, values?: readonly unknown[]) => {
      statements.push(statement.name);
      return query(statement, values);
    };
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 10_000 });
    bob = await fixture.user({ sats: 10_000 });
    for (const person of [alice, bob])
      for (const key of ['read', 'receive', 'write', 'all'] as const)
        await dataOf(app.url, '{ authorization { scopes } }', {}, person.as(key));
    await alice.invoice(1);
    await bob.invoice(1);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('a cached key costs none', async () => {
    expect(await counted(() => dataOf(app.url, '{ authorization { scopes } globals { network } }', {}, alice.as('read')))).toEqual([]);
  });

  it('me with both wallets costs two: the person, and the account with its wallets', async () => {
    expect(await counted(() => dataOf(app.url, ME, {}, alice.as('read')))).toEqual(['user_by_id', 'account_of_user']);
  });

  it('a page of the history costs one more', async () => {
    expect(await counted(() => dataOf(app.url, HISTORY, {}, alice.as('read')))).toEqual([
      'user_by_id',
      'account_of_user',
      'history_account_desc',
    ]);
  });

  it('an invoice costs one, besides the call to the node', async () => {
    expect(await counted(() => dataOf(app.url, CREATE, { i: { walletId: alice.wallets.BTC, amount: 5 } }, alice.as('receive')))).toEqual([
      'invoice_insert',
    ]);
  });

  it('an internal payment costs one, by invoice or by wallet', async () => {
    const { paymentRequest } = await alice.invoice(7);
    expect(await counted(() => dataOf(app.url, PAY, { i: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('write')))).toEqual([
      'payment_begin',
    ]);
    const input = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 7 };
    expect(await counted(() => dataOf(app.url, SEND, { i: input }, bob.as('write')))).toEqual(['payment_begin']);
  });

  it('many simultaneous attempts without sufficient funds are refused in batches', async () => {
    const principal = { kind: 'api-key' as const, id: 'a key', userId: alice.userId, scopes: new Set<string>() };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal };
    for (const { paymentRequest } of [await fixture.outside(1_000_000), await bob.invoice(1_000_000)]) {
      const begun = await counted(async () => {
        const crowd = Array.from({ length: 400 }, () => app.get(PaymentService).payInvoice(payer, paymentRequest));
        for (const outcome of await Promise.all(crowd)) expect(outcome).toMatchObject({ kind: 'refused', reason: 'insufficient' });
      });
      expect(begun.length).toBeLessThan(10);
    }
  });

  it('a Lightning payment costs three: hold, the batched dispatch, and capture or void', async () => {
    const { paymentRequest } = await fixture.outside(9);
    expect(await counted(() => dataOf(app.url, PAY, { i: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('write')))).toEqual([
      'payment_begin',
      'payment_dispatch',
      'payment_finish',
    ]);
  });
});
