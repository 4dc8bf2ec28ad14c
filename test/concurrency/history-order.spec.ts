import { eventually } from '../../src/testing/eventually.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { dataOf } from '../support/graphql.js';
import type { Person } from '../support/fixture.js';
import { TwoInstances } from './two-instances.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status transaction { id } } }`;
const PAGE = `query ($walletId: WalletId!, $before: String) { me { defaultAccount { walletById(walletId: $walletId) {
  transactions(first: 10, before: $before) { pageInfo { startCursor } edges { node { settlementAmount } } } } } } }`;

const ACCOUNT_PAGE = `query ($before: String) { me { defaultAccount {
  transactions(first: 10, before: $before) { pageInfo { startCursor } edges { node { memo } } } } } }`;

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payment_begin%'`;
/** A payment with this memo waits at its commit, before its events have a position, for as long as a test has this lock. */
const HELD_MEMO = 'held at its commit';
const HELD_LOCK = 770_001;
const HOLD = `
  CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${HELD_LOCK}); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON transaction DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.memo = '${HELD_MEMO}') EXECUTE FUNCTION wait_at_commit()`;

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

  it('of an account has it too: a payment to one wallet that commits last is not behind one to the other wallet', async () => {
    const { fixture, one } = instances;
    const [alice, bob, dave] = [await fixture.user({ sats: 50_000 }), await fixture.user({ sats: 50_000 }), await fixture.user()];
    const pay = (n: number, from: Person, currency: 'BTC' | 'USD', memo: string): Promise<unknown> => {
      const input = { walletId: from.wallets.BTC, recipientWalletId: dave.wallets[currency], amount: 10_000, memo };
      return dataOf(instances.url(n), SEND, { input }, from.as('write'));
    };
    const memos = async (before: string | null = null): Promise<{ memos: string[]; newest: string }> => {
      const { edges, pageInfo } = (await dataOf(instances.url(0), ACCOUNT_PAGE, { before }, dave.as('read'))).me.defaultAccount
        .transactions;
      return { memos: edges.map(({ node }: { node: { memo: string } }) => node.memo), newest: pageInfo.startCursor };
    };
    await pay(0, alice, 'BTC', 'first');
    await one.pool.query(HOLD);
    const holder = await one.pool.connect();
    await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(${HELD_LOCK})`);
    const held = pay(0, alice, 'BTC', HELD_MEMO);
    await eventually(async () => (await one.pool.query(WAITING)).rowCount === 1);
    let isAnswered = false;
    const other = pay(1, bob, 'USD', 'other').finally(() => (isAnswered = true));
    await eventually(async () => isAnswered || (await one.pool.query(WAITING)).rowCount === 2);
    const read = await memos();
    await holder.query('COMMIT');
    holder.release();
    expect(await Promise.all([held, other])).toMatchObject(
      [{ status: 'SUCCESS' }, { status: 'SUCCESS' }].map((intraLedgerPaymentSend) => ({ intraLedgerPaymentSend })),
    );
    expect([...(await memos(read.newest)).memos, ...read.memos]).toEqual((await memos()).memos);
    expect(new Set((await memos()).memos)).toEqual(new Set(['first', HELD_MEMO, 'other']));
  });
});
