import { eventually } from '../../src/testing/eventually.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { dataOf } from '../support/graphql.js';
import type { Person } from '../support/fixture.js';
import { TwoInstances } from './two-instances.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status transaction { id } } }`;
const PAGE = `query ($walletId: WalletId!, $before: String) { me { defaultAccount { walletById(walletId: $walletId) {
  transactions(first: 10, before: $before) { pageInfo { startCursor } edges { node { settlementAmount } } } } } } }`;

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payment_begin%'`;

let instances: TwoInstances;

beforeAll(async () => {
  instances = await TwoInstances.start();
});
afterEach(async () => {
  expect(await violationsAtRest(instances.one.pool)).toEqual({});
  await instances.fixture.expectBalanced();
});
afterAll(() => instances.close());

const send = async (n: number, from: Person, to: Person, amount: number): Promise<unknown> => {
  const input = { walletId: from.wallets.BTC, recipientWalletId: to.wallets.BTC, amount };
  return (await dataOf(instances.url(n), SEND, { input }, from.as('write'))).intraLedgerPaymentSend;
};
/** The newest transactions of a person's wallet, or those that are newer than a cursor. */
const page = async (person: Person, before: string | null = null): Promise<{ amounts: number[]; newest: string }> => {
  const { me } = await dataOf(instances.url(0), PAGE, { walletId: person.wallets.BTC, before }, person.as('read'));
  const { edges, pageInfo } = me.defaultAccount.walletById.transactions;
  return {
    amounts: edges.map(({ node }: { node: { settlementAmount: number } }) => node.settlementAmount),
    newest: pageInfo.startCursor as string,
  };
};

describe('the history of a wallet', () => {
  it('has the order of the commits: a reader misses no payment that began earlier and was booked later', async () => {
    const [alice, bob, dave] = [
      await instances.fixture.user({ sats: 100 }),
      await instances.fixture.user({ sats: 100 }),
      await instances.fixture.user(),
    ];
    // Another of Alice's payments locks her account.
    const other = await instances.one.pool.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM ledger_account WHERE id = (SELECT ledger_account_id FROM wallet WHERE id = $1) FOR NO KEY UPDATE', [
      alice.wallets.BTC,
    ]);
    const waiting = send(0, alice, dave, 1);
    await eventually(async () => (await instances.one.pool.query(WAITING)).rowCount);
    expect(await send(1, bob, dave, 2)).toMatchObject({ status: 'SUCCESS' });
    const read = await page(dave);
    expect(read.amounts).toEqual([2]);
    await other.query('COMMIT');
    other.release();
    expect(await waiting).toMatchObject({ status: 'SUCCESS' });
    expect((await page(dave)).amounts).toEqual([1, 2]);
    expect((await page(dave, read.newest)).amounts).toEqual([1]);
  });
});
