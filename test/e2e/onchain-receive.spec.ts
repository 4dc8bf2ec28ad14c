import { ChainSimulator, OnChainWallet } from '../../src/money/onchain/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createDollarApp, PRICE, setPrice } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, socketClient, Subscribed } from '../support/graphql.js';
import { OperatorCommand } from '../support/operator-command.js';

const CREATE =
  'mutation ($input: OnChainAddressCreateInput!) { result: onChainAddressCreate(input: $input) { address errors { code message path } } }';
const CURRENT =
  'mutation ($input: OnChainAddressCurrentInput!) { result: onChainAddressCurrent(input: $input) { address errors { code } } }';
const ROW = `id status direction settlementAmount settlementFee settlementCurrency memo
  initiationVia { ... on InitiationViaOnChain { address } } settlementVia { ... on SettlementViaOnChain { transactionHash vout } }`;
const OF_ADDRESS = `query ($id: WalletId!, $address: OnChainAddress!) { me { defaultAccount {
  pendingIncomingTransactions { id }
  walletById(walletId: $id) { balance pendingIncomingBalance pendingIncomingTransactions { id }
    pendingIncomingTransactionsByAddress(address: $address) { ${ROW} }
    transactionsByAddress(address: $address) { edges { node { ${ROW} } } } } } } }`;

interface Row {
  readonly id: string;
  readonly status: string;
  readonly settlementAmount: number;
  readonly settlementFee: number;
  readonly memo: string | null;
}
interface Seen {
  readonly balance: number;
  readonly pendingBalance: number;
  readonly pending: readonly Row[];
  readonly ended: readonly Row[];
  readonly ofAccount: number;
}

const SETTINGS = { OnChainSettings: { scanMs: 50 } };

let app: TestApp;
let fixture: Fixture;
let chain: ChainSimulator;
let alice: Person;

beforeAll(async () => {
  app = await createDollarApp({ settings: SETTINGS, env: { THROTTLE_ONCHAIN_ADDRESS: '20/3600' } });
  fixture = new Fixture(app);
  chain = app.get(ChainSimulator);
  await chain.mineEvery(0);
});
beforeEach(async () => {
  alice = await fixture.user();
});
afterEach(async () => {
  await fixture.expectBalanced();
  expect(await rows('SELECT * FROM deposit_audit WHERE n <> 0')).toEqual([]);
});
afterAll(() => app.close());

const rows = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await app.pool.query(text, values)).rows as Record<string, unknown>[];

const addressOf = async (person: Person, currency: 'BTC' | 'USD' = 'BTC', document = CREATE, url = app.url): Promise<string> => {
  const { result } = await dataOf(url, document, { input: { walletId: person.wallets[currency] } }, person.as('receive'));
  return (result as { address: string }).address;
};
const seen = async (person: Person, address: string, currency: 'BTC' | 'USD' = 'BTC', url = app.url): Promise<Seen> => {
  const { me } = await dataOf(url, OF_ADDRESS, { id: person.wallets[currency], address }, person.as('read'));
  const { walletById: wallet, pendingIncomingTransactions } = (
    me as { defaultAccount: { walletById: never; pendingIncomingTransactions: [] } }
  ).defaultAccount as unknown as {
    walletById: {
      balance: number;
      pendingIncomingBalance: number;
      pendingIncomingTransactionsByAddress: Row[];
      transactionsByAddress: { edges: { node: Row }[] };
    };
    pendingIncomingTransactions: unknown[];
  };
  return {
    balance: wallet.balance,
    pendingBalance: wallet.pendingIncomingBalance,
    pending: wallet.pendingIncomingTransactionsByAddress,
    ended: wallet.transactionsByAddress.edges.map(({ node }) => node),
    ofAccount: pendingIncomingTransactions.length,
  };
};
const deposit = async (address: string, sats: number): Promise<string> => {
  const txid = await chain.deposit({ address, sats: BigInt(sats) });
  if (txid === null) throw new Error('The chain refused the deposit');
  return txid;
};
/** Waits until a scan has read the present tip and the mempool: two have begun since. */
const scanned = async (): Promise<void> => {
  const scan = async (): Promise<bigint> => BigInt(String((await rows('SELECT scan FROM onchain_cursor'))[0]?.['scan']));
  const now = await scan();
  await eventually(async () => (await scan()) >= now + 3n);
};
const mine = async (blocks: number): Promise<void> => {
  await chain.mine(blocks);
  await scanned();
};

describe('an address', () => {
  it('is new for each onChainAddressCreate, and onChainAddressCurrent answers the latest', async () => {
    const first = await addressOf(alice, 'BTC', CURRENT);
    expect(await addressOf(alice, 'BTC', CURRENT)).toBe(first);
    const second = await addressOf(alice);
    expect(second).not.toBe(first);
    expect(second).toMatch(/^bcrt1/);
    expect(await addressOf(alice, 'BTC', CURRENT)).toBe(second);
    expect(await addressOf(alice, 'USD', CURRENT)).not.toBe(second);
  });

  it('is one for all who ask for the first one at once', async () => {
    const bob = await fixture.user();
    const asked = await Promise.all(Array.from({ length: 10 }, () => addressOf(bob, 'BTC', CURRENT)));
    expect(new Set(asked).size).toBe(1);
  });

  it('of another person’s wallet is refused', async () => {
    const bob = await fixture.user();
    for (const document of [CREATE, CURRENT])
      expect((await dataOf(app.url, document, { input: { walletId: bob.wallets.BTC } }, alice.as('receive'))).result).toMatchObject({
        address: null,
        errors: [{ code: 'NOT_FOUND' }],
      });
  });

  it('can be made 20 times an hour by an account', async () => {
    for (let n = 0; n < 20; n++) expect(await addressOf(alice)).toMatch(/^bcrt1/);
    expect((await dataOf(app.url, CREATE, { input: { walletId: alice.wallets.USD } }, alice.as('write'))).result).toMatchObject({
      address: null,
      errors: [{ code: 'TOO_MANY_REQUEST' }],
    });
    expect(await addressOf(alice, 'BTC', CURRENT)).toMatch(/^bcrt1/);
  });

  it('needs an on-chain wallet', async () => {
    const without = await createTestApp({ env: { ONCHAIN: '0' } });
    const people = new Fixture(without);
    const carol = await people.user();
    for (const document of [CREATE, CURRENT])
      expect((await dataOf(without.url, document, { input: { walletId: carol.wallets.BTC } }, carol.as('receive'))).result).toMatchObject({
        address: null,
        errors: [{ code: 'ONCHAIN_UNSUPPORTED' }],
      });
    await without.close();
  });
});

describe('a deposit', () => {
  it('is pending in the mempool, and credited with its confirmations less the fee', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 50_000);
    await scanned();
    const via = { initiationVia: { address }, settlementVia: { transactionHash: txid, vout: 0 } };
    const row = { direction: 'RECEIVE', settlementCurrency: 'BTC', memo: null, ...via };
    expect(await seen(alice, address)).toMatchObject({
      balance: 0,
      pendingBalance: 50_000,
      pending: [{ ...row, status: 'PENDING', settlementAmount: 50_000, settlementFee: 0 }],
      ended: [],
      ofAccount: 1,
    });
    await mine(1);
    expect(await seen(alice, address)).toMatchObject({ balance: 0, pendingBalance: 50_000 });
    await mine(1);
    expect(await seen(alice, address.toUpperCase())).toMatchObject({
      balance: 47_500,
      pendingBalance: 0,
      pending: [],
      ended: [{ ...row, status: 'SUCCESS', settlementAmount: 47_500, settlementFee: 2_500 }],
      ofAccount: 0,
    });
  });

  it('is reported live when it is seen and when it is credited', async () => {
    const address = await addressOf(alice);
    const document = `subscription { myUpdates { update { __typename ... on OnChainUpdate { txNotificationType amount txHash transaction { status } } } } }`;
    const updates = new Subscribed<{ myUpdates: { update: object } }>(socketClient(app.url, alice.as('read')), document);
    updates.ended.catch(() => undefined);
    // The protocol does not report when a subscription runs: small invoices are paid until the first update.
    await eventually(async () => {
      await fixture.fund(alice, 1);
      return updates.events.length > 0;
    });
    const txHash = await deposit(address, 2_000_000);
    await scanned();
    await mine(3);
    const found = async (): Promise<object> => {
      for (;;) {
        const { update } = (await updates.next()).myUpdates;
        if (JSON.stringify(update).includes('OnChainUpdate')) return update;
      }
    };
    expect(await found()).toMatchObject({
      txNotificationType: 'OnchainReceiptPending',
      amount: 2_000_000,
      txHash,
      transaction: { status: 'PENDING' },
    });
    expect(await found()).toMatchObject({
      txNotificationType: 'OnchainReceipt',
      amount: 2_000_000,
      txHash,
      transaction: { status: 'SUCCESS' },
    });
  });

  it('of two outputs to one address is two, and so are two transactions', async () => {
    const address = await addressOf(alice);
    await chain.deposit({ address, sats: 10_000n }, { address, sats: 20_000n });
    await deposit(address, 30_000);
    await scanned();
    expect((await seen(alice, address)).pending.map(({ settlementAmount }) => settlementAmount).sort()).toEqual([10_000, 20_000, 30_000]);
    await mine(2);
    await eventually(async () => (await seen(alice, address)).balance === 60_000 - 3 * 2_500);
  });

  it('below the fee waits, with the reason, until more comes to its address', async () => {
    const address = await addressOf(alice);
    await deposit(address, 2_000);
    await mine(2);
    const waiting = await seen(alice, address);
    expect(waiting).toMatchObject({ balance: 0, pendingBalance: 2_000, pending: [{ status: 'PENDING', settlementAmount: 2_000 }] });
    expect(waiting.pending[0]?.memo).toMatch(/deposit fee is 2500 sats/);
    await deposit(address, 1_500);
    await mine(2);
    const { balance, pending, ended } = await seen(alice, address);
    expect({ balance, pending }).toEqual({ balance: 1_000, pending: [] });
    expect(ended.map(({ status, memo }) => [status, memo])).toEqual([
      ['SUCCESS', null],
      ['SUCCESS', null],
    ]);
    expect(ended.reduce((sum, { settlementFee }) => sum + settlementFee, 0)).toBeGreaterThanOrEqual(2_500);
  });

  it('to a wallet in dollars is sold at the price of its confirmation', async () => {
    const address = await addressOf(alice, 'USD');
    await deposit(address, 102_500);
    await scanned();
    expect(await seen(alice, address, 'USD')).toMatchObject({
      balance: 0,
      pending: [{ settlementAmount: 5_073, settlementCurrency: 'USD' }],
    });
    await setPrice(app, undefined);
    await mine(2);
    expect(await seen(alice, address, 'USD')).toMatchObject({ balance: 0, pending: [{ status: 'PENDING' }] });
    await setPrice(app, 2n * PRICE);
    await scanned();
    expect(await seen(alice, address, 'USD')).toMatchObject({ balance: 9_900, pending: [], ended: [{ settlementAmount: 9_900 }] });
    await setPrice(app, PRICE);
  });

  it('that the mempool forgets is pending no more, and keeps its row', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 40_000);
    await scanned();
    expect(await chain.drop(txid)).toBe(true);
    await scanned();
    expect(await seen(alice, address)).toMatchObject({ pending: [], ended: [], pendingBalance: 0 });
    const history =
      'query ($id: WalletId!) { me { defaultAccount { walletById(walletId: $id) { transactions { edges { node { status } } } } } } }';
    const { me } = await dataOf(app.url, history, { id: alice.wallets.BTC }, alice.as('read'));
    expect(JSON.stringify(me)).toContain('PENDING');
  });

  it('that is 14 days without a block is pending no more, and is credited when it has one', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 40_000);
    await scanned();
    await rows(`UPDATE deposit SET seen_at = seen_at - interval '14 days' WHERE txid = $1`, [txid]);
    expect(await seen(alice, address)).toMatchObject({ pending: [], pendingBalance: 0 });
    await mine(2);
    expect(await seen(alice, address)).toMatchObject({ balance: 37_500, ended: [{ status: 'SUCCESS' }] });
  });

  it('that is replaced has failed once the replacement has six confirmations', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 40_000);
    await scanned();
    expect(await chain.replace(txid)).not.toBeNull();
    await mine(5);
    expect(await seen(alice, address)).toMatchObject({ pending: [], ended: [] });
    await chain.mine(1);
    await eventually(async () => (await seen(alice, address)).ended.length === 1);
    expect(await seen(alice, address)).toMatchObject({ balance: 0, ended: [{ status: 'FAILURE', settlementAmount: 40_000 }] });
  });

  it('that is replaced has failed, also where the mempools have dropped many', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 40_000);
    await scanned();
    await rows(`INSERT INTO deposit (txid, vout, address, wallet_id, account_id, sats, seen_at, scan, gone_at)
      SELECT lpad(n::text, 64, '0'), 0, d.address, d.wallet_id, d.account_id, 1, now(), 0, now() FROM deposit d, generate_series(1, 300) AS n WHERE d.txid = '${txid}'`);
    expect(await chain.replace(txid)).not.toBeNull();
    await chain.mine(6);
    await eventually(async () => (await seen(alice, address)).ended.length === 1);
    await rows(`DELETE FROM deposit WHERE sats = 1`);
  });

  it('that a reorganisation takes out is on hold and in the operator’s list, until it is confirmed again', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 40_000);
    await mine(2);
    expect(await seen(alice, address)).toMatchObject({ balance: 37_500 });
    await chain.reorganise(3);
    await scanned();
    const held = await seen(alice, address);
    expect(held).toMatchObject({ balance: 0, ended: [{ status: 'SUCCESS', settlementAmount: 37_500 }] });
    expect(held.ended[0]?.memo).toMatch(/^On hold/);
    const operator = new OperatorCommand(app);
    expect(await operator.run('settlement', 'list')).toContain(`${txid}:0`);
    await mine(2);
    const again = await seen(alice, address);
    expect(again).toMatchObject({ balance: 37_500, ended: [{ settlementAmount: 37_500, memo: null }] });
    expect(await operator.run('settlement', 'list')).not.toContain(txid);
  });

  it('to an account that was deleted is unclaimed, also one that was on its way: a stranger’s payment delays no deletion', async () => {
    const address = await addressOf(alice);
    const before = await deposit(address, 40_000);
    await scanned();
    const remove = 'mutation { accountDelete { success errors { code } } }';
    expect((await dataOf(app.url, remove, {}, await fixture.session(alice))).accountDelete).toEqual({ success: true, errors: [] });
    const after = await deposit(address, 50_000);
    await mine(2);
    await eventually(async () => (await rows(`SELECT FROM deposit WHERE state = 'unclaimed'`)).length === 2);
    const list = await new OperatorCommand(app).run('settlement', 'list');
    for (const txid of [before, after]) expect(list).toContain(`${txid}:0`);
    expect(await rows('SELECT posted::int8 AS posted FROM ledger_account WHERE id = -6')).toEqual([{ posted: 90_000_000n }]);

    const bob = await fixture.user();
    const operator = new OperatorCommand(app);
    const book = (output: string, to = bob.username): Promise<string> =>
      operator.run('deposit', 'book', output, '--to', to, '--because', 'a test');
    await chain.reorganise(3);
    await scanned();
    await expect(book(`${after}:0`)).rejects.toThrow('A reorganisation has taken it');
    await mine(2);
    await expect(book(after)).rejects.toThrow('<txid>:<vout>');
    expect(await book(`${after}:0`)).toContain('Booked');
    await expect(book(`${after}:0`)).rejects.toThrow('No such deposit is unclaimed');
    expect(await seen(bob, address)).toMatchObject({
      balance: 50_000,
      ended: [{ status: 'SUCCESS', settlementAmount: 50_000, settlementVia: { transactionHash: after } }],
    });
    expect(await operator.run('settlement', 'list')).not.toContain(after);
    // From here on it is a deposit of that wallet.
    await chain.reorganise(3);
    await scanned();
    expect(await seen(bob, address)).toMatchObject({ balance: 0 });
    await mine(2);
    expect(await seen(bob, address)).toMatchObject({ balance: 50_000 });
    await book(`${before}:0`);
    expect(await rows('SELECT posted::int8 AS posted FROM ledger_account WHERE id = -6')).toEqual([{ posted: 0n }]);
  });

  it('that a reorganisation took for good is released by the operator, and stays in the report', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 40_000);
    await mine(2);
    await chain.reorganise(3);
    await chain.replace(txid);
    await mine(6);
    expect(await seen(alice, address)).toMatchObject({ balance: 0 });
    const operator = new OperatorCommand(app);
    const release = (): Promise<string> => operator.run('deposit', 'release', `${txid}:0`, '--because', 'it was spent elsewhere');
    expect(await release()).toContain('Released');
    await expect(release()).rejects.toThrow('A reorganisation has taken no such deposit');
    await mine(1);
    expect(await seen(alice, address)).toMatchObject({ balance: 37_500, ended: [{ memo: null }] });
    expect(await operator.run('settlement', 'list')).not.toContain(txid);
    expect((await operator.json<{ onChain: unknown }>('reconcile')).onChain).toMatchObject({ goneSats: '40000' });
  });
});

describe('the operator’s commands', () => {
  it('list deposits, and say how far a restored wallet has to look ahead', async () => {
    const address = await addressOf(alice);
    const txid = await deposit(address, 50_000);
    for (let n = 0; n < 3; n++) await addressOf(alice);
    await scanned();
    const operator = new OperatorCommand(app);
    expect(await operator.run('deposit', 'list')).toMatch(new RegExp(`in mempool +50000 sats ${txid}:0 `));
    expect(await operator.run('deposit', 'list', '--account', alice.username)).toContain(address);
    expect(await operator.json('onchain', 'check')).toMatchObject({ lastGap: 3 });
  });
});

it('what the wallet has on the chain is what the ledger says', async () => {
  const address = await addressOf(alice);
  await deposit(address, 3_000);
  await mine(6);
  expect(await new OperatorCommand(app).json('reconcile')).toMatchObject({ onChain: { differenceSats: '0' } });
});

it('credits once what comes while no process scans, and while two do', async () => {
  // It keeps the database and scans nothing.
  const house = await createTestApp({ env: { ONCHAIN: '0' } });
  const miner = house.get(ChainSimulator);
  await miner.mineEvery(0);
  const carol = await new Fixture(house).user();
  const before = await createTestApp({ settings: SETTINGS, beside: house });
  const address = await addressOf(carol, 'BTC', CREATE, before.url);
  await miner.deposit({ address, sats: 50_000n });
  await eventually(async () => (await seen(carol, address, 'BTC', before.url)).pending.length === 1);
  await before.close();

  await miner.mine(1);
  await miner.deposit({ address, sats: 60_000n });
  await miner.mine(200);
  const [one, two] = await Promise.all([1, 2].map(() => createTestApp({ settings: SETTINGS, beside: house })));
  await eventually(async () => (await seen(carol, address, 'BTC', one?.url)).balance === 105_000);
  await miner.deposit({ address, sats: 70_000n });
  await miner.mine(2);
  await eventually(async () => (await seen(carol, address, 'BTC', two?.url)).balance === 172_500);
  const { rows: journals } = await house.pool.query('SELECT FROM ledger_entry WHERE account_id = -8');
  expect(journals).toHaveLength(3);
  for (const app of [one, two, house]) await app?.close();
});

it('begins where it is installed: a wallet may have more transactions than it lists in time', async () => {
  const fresh = await createTestApp({ settings: SETTINGS });
  const [wallet, miner] = [fresh.get(OnChainWallet), fresh.get(ChainSimulator)];
  await miner.mineEvery(0);
  await miner.mine(200);
  const list = wallet.transactions.bind(wallet);
  const listed = jest
    .spyOn(wallet, 'transactions')
    .mockImplementation((from, cursor) => (from === 0 ? Promise.resolve({ status: 'unknown' }) : list(from, cursor)));
  await fresh.pool.query('UPDATE onchain_cursor SET height = NULL, block_hash = NULL, scan = scan + 1');
  await eventually(async () => (await fresh.pool.query('SELECT FROM onchain_cursor WHERE height = 300')).rowCount === 1);
  const carol = await new Fixture(fresh).user();
  const address = await addressOf(carol, 'BTC', CREATE, fresh.url);
  await miner.deposit({ address, sats: 50_000n });
  await miner.mine(2);
  await eventually(async () => (await seen(carol, address, 'BTC', fresh.url)).balance === 47_500);
  listed.mockRestore();
  await fresh.close();
});
