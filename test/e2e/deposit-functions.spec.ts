import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { recordsOf } from '../../src/platform/database/records.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** The SQL functions of deposits called directly: what no caller of the API can time or state. */

const BID = 5_000_000n; // a satoshi is worth 0.05 cents
const FEE = 2_500;
const TERMS = '("{1000000,10000000}","{2,3,6}",2500,1000000)';

interface Output {
  readonly txid: string;
  readonly vout?: number;
  readonly address: string;
  readonly sats: number;
  /** Null: in the mempool. */
  readonly height: number | null;
  /** Of another chain: a block has another hash there. */
  readonly fork?: string;
}

let database: TestDatabase;
let client: pg.Client;
let count = 0;
const idOf = (name: string): string => createHash('sha256').update(name).digest('hex');

/** A scan finds what is in the chain, so each test has a chain and a database of its own. */
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterEach(async () => {
  expect(await rows('SELECT * FROM ledger_audit WHERE n <> 0')).toEqual([]);
  expect(await rows('SELECT * FROM deposit_audit WHERE n <> 0')).toEqual([]);
  await client.end();
  await database.drop();
});

const rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await client.query(text, values)).rows as Row[];
const one = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row> =>
  (await rows<Row>(text, values))[0] as Row;

class Payee {
  private constructor(
    readonly userId: string,
    readonly wallets: Readonly<Record<'BTC' | 'USD', string>>,
  ) {}

  static async open(): Promise<Payee> {
    const id = randomUUID();
    await client.query(
      `INSERT INTO app_user (id, email, username, password_hash) SELECT x.id, x.id || '@example.test', 'u' || left(x.id::text, 8), '' FROM (SELECT $1::uuid AS id) AS x`,
      [id],
    );
    const found = await rows<{ id: string; currency: 'BTC' | 'USD' }>(
      'SELECT w.id, w.currency FROM wallet w JOIN account a ON a.id = w.account_id WHERE a.user_id = $1',
      [id],
    );
    return new Payee(id, Object.fromEntries(found.map(({ id: wallet, currency }) => [currency, wallet])) as never);
  }

  async address(currency: 'BTC' | 'USD' = 'BTC'): Promise<string> {
    const address = `bcrt1test${++count}`;
    await client.query('INSERT INTO onchain_address (address, wallet_id, account_id) SELECT $2, id, account_id FROM wallet WHERE id = $1', [
      this.wallets[currency],
      address,
    ]);
    return address;
  }

  /** Posted and held of a wallet, in its unit. */
  async has(currency: 'BTC' | 'USD' = 'BTC'): Promise<[posted: number, held: number]> {
    const { posted, held } = await one<{ posted: string; held: string }>(
      'SELECT l.posted, l.held FROM wallet w JOIN ledger_account l ON l.id = w.ledger_account_id WHERE w.id = $1',
      [this.wallets[currency]],
    );
    return [Number(posted), Number(held)];
  }

  /** Status, amount, fee and note of its rows of the history, the oldest first. */
  async history(): Promise<string[]> {
    const found = await rows<{ row: string }>(
      `SELECT concat_ws(' ', t.status, t.amount, t.fee, left(t.memo, 7)) AS row FROM transaction t JOIN account a ON a.id = t.account_id
        WHERE a.user_id = $1 ORDER BY t.created_at, t.txid, t.vout`,
      [this.userId],
    );
    return found.map(({ row }) => row);
  }

  /** Spends what the wallet has, but for `left`. */
  async spend(left: bigint): Promise<void> {
    await client.query(
      `SELECT ledger_apply(ARRAY[ROW('post', gen_random_uuid(), 1::smallint, NULL, ARRAY[ROW(w.ledger_account_id, $2 - l.posted), ROW(-1, l.posted - $2)]::ledger_leg[])::ledger_operation])
         FROM wallet w JOIN ledger_account l ON l.id = w.ledger_account_id WHERE w.id = $1`,
      [this.wallets.BTC, left],
    );
  }
}

const begin = async (): Promise<string> => (await one<{ scan: string }>('SELECT scan FROM onchain_scan_begin()')).scan;
const blockOf = ({ height, fork = '' }: Output): string | null => (height === null ? null : `block${height}${fork}`);
const see = async (scan: string, outputs: readonly Output[], bid: bigint | null = BID): Promise<boolean> => {
  const found = outputs.map((each) => ({
    ...each,
    txid: idOf(each.txid),
    vout: each.vout ?? 0,
    hash: blockOf(each),
    at: new Date(),
  }));
  const records = recordsOf<string>(found, 'txid', 'vout', 'address', 'sats', 'height', 'hash', 'at');
  return (await one<{ seen: boolean }>('SELECT deposit_see($1, $2::onchain_output[], $3, $3) AS seen', [scan, records, bid])).seen;
};
const settle = async (
  scan: string,
  tip: number,
  { from = 0, bid = BID }: { from?: number; bid?: bigint | null } = {},
): Promise<string[]> => {
  const steps = await rows<{ step: string; result: string }>('SELECT step, result FROM deposit_settle($1, $2, $3, $4, $5, $6)', [
    scan,
    from,
    tip,
    `block${tip}`,
    TERMS,
    bid,
  ]);
  return steps.map(({ step, result }) => `${step} ${result}`);
};
/** A whole scan of a chain that has these outputs. */
const scan = async (tip: number, outputs: readonly Output[], more: { from?: number; bid?: bigint | null } = {}): Promise<string[]> => {
  const id = await begin();
  expect(await see(id, outputs, more.bid === undefined ? BID : more.bid)).toBe(true);
  return settle(id, tip, more);
};

it('credits an output once, with its confirmations and less the fee', async () => {
  const payee = await Payee.open();
  const address = await payee.address();
  const paid = { txid: 'once', address, sats: 50_000 };
  expect(await scan(99, [{ ...paid, height: null }])).toEqual([]);
  expect(await payee.history()).toEqual(['PENDING 50000000 0']);
  expect(await scan(100, [{ ...paid, height: 100 }])).toEqual([]);
  expect(await scan(101, [{ ...paid, height: 100 }])).toEqual(['credit ok']);
  expect(await scan(101, [{ ...paid, height: 100 }])).toEqual([]);
  expect(await payee.has()).toEqual([47_500_000, 0]);
  expect(await payee.history()).toEqual(['SUCCESS 47500000 2500000']);
});

it.each([
  ['a million', 1_000_000, 2, 997_500],
  ['above a million', 1_000_001, 3, 1_000_001],
  ['ten million', 10_000_000, 3, 10_000_000],
  ['above ten million', 10_000_001, 6, 10_000_001],
])('%s sats need their confirmations', async (what, sats, confirmations, credited) => {
  const payee = await Payee.open();
  const paid = { txid: what, address: await payee.address(), sats, height: 200 };
  expect(await scan(200 + confirmations - 2, [paid])).toEqual([]);
  expect(await scan(200 + confirmations - 1, [paid])).toEqual(['credit ok']);
  expect(await payee.has()).toEqual([credited * 1000, 0]);
});

it('needs as many confirmations for the parts of a transaction as for the whole', async () => {
  const payee = await Payee.open();
  const paid = await Promise.all(
    [0, 1].map(async (vout) => ({ txid: 'parts', vout, address: await payee.address(), sats: 600_000, height: 200 })),
  );
  expect(await scan(201, paid)).toEqual([]);
  expect(await scan(202, paid)).toEqual(['credit ok', 'credit ok']);
});

it('adds what is below the fee up, and takes one fee of the sum', async () => {
  const payee = await Payee.open();
  const address = await payee.address();
  const small = [1, 2, 3].map((n) => ({ txid: `small ${n}`, address, sats: 1_200, height: 300 + n }));
  expect(await scan(302, small.slice(0, 1))).toEqual(['wait ok']);
  expect(await payee.history()).toEqual(['PENDING 1200000 0 Not cre']);
  expect(await scan(303, small.slice(0, 2))).toEqual(['wait ok']);
  expect(await payee.has()).toEqual([0, 0]);
  expect(await scan(304, small)).toEqual(['credit ok']);
  expect(await payee.has()).toEqual([1_100_000, 0]);
  const history = await payee.history();
  // Whole satoshis each.
  expect(history.map((row) => row.replace(/\d+000/g, 'n'))).toEqual(Array.from({ length: 3 }, () => 'SUCCESS n n'));
  const [amounts, fees] = [1, 2].map((at) => history.reduce((sum, row) => sum + Number(row.split(' ')[at]), 0));
  expect([amounts, fees]).toEqual([1_100_000, FEE * 1000]);
  // Whole satoshis, so that the rows of the API have the sum too.
  expect(history.map((row) => Number(row.split(' ')[1]) % 1_000)).toEqual([0, 0, 0]);
});

it('ends what waits with an amount above the fee', async () => {
  const payee = await Payee.open();
  const address = await payee.address();
  const paid = [
    { txid: 'waits', address, sats: 2_500, height: 310 },
    { txid: 'comes', address, sats: 10_000, height: 311 },
  ];
  // One of an address at a time: the other one follows with the next scan.
  expect(await scan(312, paid)).toEqual(['wait ok']);
  expect(await scan(312, paid)).toEqual(['credit ok']);
  expect(await payee.has()).toEqual([10_000_000, 0]);
});

it('sells to the dealer at the bid of the confirmation, and waits for a price', async () => {
  const payee = await Payee.open();
  const paid = { txid: 'dollars', address: await payee.address('USD'), sats: 102_500, height: 400 };
  expect(await scan(401, [paid], { bid: null })).toEqual([]);
  expect(await payee.history()).toEqual([]);
  expect(await scan(401, [{ ...paid, height: null }])).toEqual([]);
  expect(await payee.history()).toEqual(['PENDING 5125 0']);
  expect(await scan(401, [paid], { bid: null })).toEqual([]);
  expect(await scan(401, [paid], { bid: 2n * BID })).toEqual(['credit ok']);
  expect(await payee.has('USD')).toEqual([10_000, 0]);
  expect(await payee.history()).toEqual(['SUCCESS 10000 250']);
});

it('credits one that has waited for a price for longer than scans look back', async () => {
  const payee = await Payee.open();
  const paid = { txid: 'late price', address: await payee.address('USD'), sats: 102_500, height: 400 };
  expect(await scan(401, [paid], { bid: null })).toEqual([]);
  expect(await scan(600, [], { from: 456, bid: null })).toEqual([]);
  expect(await scan(600, [], { from: 456 })).toEqual(['credit ok']);
  expect(await payee.has('USD')).toEqual([5_000, 0]);
  expect(await payee.history()).toEqual(['SUCCESS 5000 125']);
});

it('reads the outputs of a transaction a few times each, however many they are', async () => {
  const payee = await Payee.open();
  const address = await payee.address();
  const outputs = Array.from({ length: 400 }, (_, vout) => ({ txid: 'many', vout, address, sats: 10_000, height: 450 }));
  const rowsRead = async (tip: number): Promise<number> => {
    const id = await begin();
    expect(await see(id, outputs)).toBe(true);
    await client.query('BEGIN');
    await settle(id, tip);
    const { read } = await one<{ read: number }>(
      `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'deposit'`,
    );
    await client.query('COMMIT');
    return read;
  };
  for (const tip of [450, 455, 456]) expect(await rowsRead(tip)).toBeLessThan(60 * outputs.length);
  // Credited, and in another block.
  await client.query(`UPDATE deposit SET state = 'credited', credited = 1, credited_hash = 'another' WHERE state = 'pending'`);
  expect(await rowsRead(450)).toBeLessThan(60 * outputs.length);
  await client.query(`UPDATE deposit SET state = 'pending', credited = NULL, unproven_at = NULL, hold_id = NULL WHERE credited = 1`);
});

it('books what is paid to an account that is gone to unclaimed, with what waited', async () => {
  const payee = await Payee.open();
  const address = await payee.address();
  const paid = [
    { txid: 'before', address, sats: 1_000, height: 500 },
    { txid: 'after', address, sats: 7_000, height: 502 },
  ];
  expect(await scan(501, paid.slice(0, 1))).toEqual(['wait ok']);
  const { verdict } = await one('SELECT verdict FROM account_delete($1)', [payee.userId]);
  expect(verdict).toBe('deleted');
  const before = await one<{ posted: string }>('SELECT posted FROM ledger_account WHERE id = -6');
  expect(await scan(503, paid)).toEqual(['unclaim ok']);
  const after = await one<{ posted: string }>('SELECT posted FROM ledger_account WHERE id = -6');
  expect(Number(after.posted) - Number(before.posted)).toBe(8_000_000);
});

describe('a reorganisation', () => {
  const paid = async (name: string): Promise<{ payee: Payee; output: Output }> => {
    const payee = await Payee.open();
    const output = { txid: name, address: await payee.address(), sats: 52_500, height: 600 };
    expect(await scan(601, [output])).toEqual(['credit ok']);
    return { payee, output };
  };
  const review = (): Promise<unknown[]> => rows('SELECT txid FROM deposit WHERE unproven_at IS NOT NULL');

  it('holds what was credited, until it has its confirmations in another block', async () => {
    const { payee, output } = await paid('taken out');
    expect(await scan(602, [])).toEqual(['hold ok']);
    expect(await payee.has()).toEqual([50_000_000, 50_000_000]);
    expect(await payee.history()).toEqual(['SUCCESS 50000000 2500000 On hold']);
    expect(await review()).toHaveLength(1);
    expect(await scan(602, [])).toEqual([]);
    expect(await scan(602, [{ ...output, height: null }])).toEqual([]);
    expect(await scan(603, [{ ...output, height: 603 }])).toEqual([]);
    expect(await scan(604, [{ ...output, height: 603 }])).toEqual(['release ok']);
    expect(await payee.has()).toEqual([50_000_000, 0]);
    expect(await payee.history()).toEqual(['SUCCESS 50000000 2500000']);
    expect(await review()).toEqual([]);
    // A second time.
    expect(await scan(605, [])).toEqual(['hold ok']);
    expect(await scan(606, [{ ...output, height: 605 }])).toEqual(['release ok']);
    expect(await payee.has()).toEqual([50_000_000, 0]);
  });

  it('holds as much as the balance has', async () => {
    const { payee, output } = await paid('spent in part');
    await payee.spend(20_000_000n);
    expect(await scan(602, [])).toEqual(['hold ok']);
    expect(await payee.has()).toEqual([20_000_000, 20_000_000]);
    expect(await scan(603, [{ ...output, height: 602 }])).toEqual(['release ok']);
    expect(await payee.has()).toEqual([20_000_000, 0]);
  });

  it('holds for several deposits together as much as the balance has', async () => {
    const { payee } = await paid('first of two');
    const second = { txid: 'second of two', address: await payee.address(), sats: 52_500, height: 600 };
    expect(await scan(601, [{ txid: 'first of two', address: second.address, sats: 52_500, height: 600 }, second])).toEqual(['credit ok']);
    await payee.spend(60_000_000n);
    expect(await scan(602, [])).toEqual(['hold ok', 'hold ok']);
    expect(await payee.has()).toEqual([60_000_000, 60_000_000]);
  });

  it('of what is spent needs the operator', async () => {
    const { payee, output } = await paid('spent');
    await payee.spend(0n);
    expect(await scan(602, [])).toEqual(['hold ok']);
    expect(await payee.has()).toEqual([0, 0]);
    expect(await review()).toHaveLength(1);
    expect(await scan(603, [{ ...output, height: 602 }])).toEqual(['release ok']);
  });

  it('that leaves it its confirmations holds nothing', async () => {
    const { payee, output } = await paid('moved');
    expect(await scan(603, [{ ...output, height: 601, fork: 'b' }])).toEqual([]);
    expect(await payee.has()).toEqual([50_000_000, 0]);
  });

  it('below where the scan has looked is none', async () => {
    const { payee } = await paid('deep');
    expect(await scan(700, [], { from: 601 })).toEqual([]);
    expect(await payee.has()).toEqual([50_000_000, 0]);
  });
});

describe('a transaction that is gone', () => {
  const fail = (name: string): Promise<unknown> => client.query('SELECT deposit_fail($1)', [[idOf(name)]]);

  it('keeps its row, and is credited if it comes', async () => {
    const payee = await Payee.open();
    const output = { txid: 'dropped', address: await payee.address(), sats: 52_500 };
    await scan(800, [{ ...output, height: null }]);
    await fail('dropped'); // it is in the mempool
    await scan(800, []);
    expect(await payee.history()).toEqual(['PENDING 52500000 0']);
    expect(await scan(802, [{ ...output, height: 801 }])).toEqual(['credit ok']);
    expect(await payee.has()).toEqual([50_000_000, 0]);
  });

  it('has failed once it is replaced; if it comes all the same, it is credited', async () => {
    const payee = await Payee.open();
    const output = { txid: 'replaced', address: await payee.address(), sats: 52_500 };
    await scan(800, [{ ...output, height: null }]);
    await scan(800, []);
    await fail('replaced');
    expect(await payee.history()).toEqual(['FAILURE 52500000 0']);
    expect(await scan(802, [{ ...output, height: 801 }])).toEqual(['credit ok']);
    expect(await payee.history()).toEqual(['FAILURE 52500000 0', 'SUCCESS 50000000 2500000']);
    await fail('replaced');
    expect(await payee.has()).toEqual([50_000_000, 0]);
  });
});

it('a scan that stood still while another one began writes nothing', async () => {
  const payee = await Payee.open();
  const output = { txid: 'fenced', address: await payee.address(), sats: 52_500, height: 900 };
  const late = await begin();
  expect(await see(late, [])).toBe(true);
  expect(await scan(901, [output])).toEqual(['credit ok']);
  expect(await see(late, [{ ...output, height: null }])).toBe(false);
  expect(await settle(late, 899)).toEqual([]);
  expect(await payee.has()).toEqual([50_000_000, 0]);
  expect(await one('SELECT height, block_hash AS hash FROM onchain_cursor')).toEqual({ height: 901, hash: 'block901' });
});

it('of two places of an output in one scan the block counts: a wallet may list one that a reorganisation has moved twice', async () => {
  const payee = await Payee.open();
  const output = { txid: 'twice', address: await payee.address(), sats: 52_500 };
  const id = await begin();
  for (const height of [null, 930, null]) expect(await see(id, [{ ...output, height }])).toBe(true);
  expect(await settle(id, 931)).toEqual(['credit ok']);
  expect(await scan(931, [{ ...output, height: null }])).toEqual(['hold ok']);
});

it('a wallet that a session has locked gets its deposit later, and delays no other', async () => {
  const [locked, other] = [await Payee.open(), await Payee.open()];
  const outputs = [
    { txid: 'locked', address: await locked.address(), sats: 52_500, height: 950 },
    { txid: 'free', address: await other.address(), sats: 52_500, height: 950 },
  ];
  const session = new pg.Client(database.connection);
  await session.connect();
  await session.query('BEGIN');
  await session.query(
    'SELECT FROM ledger_account WHERE id = (SELECT ledger_account_id FROM wallet WHERE id = $1) FOR UPDATE',
    [locked.wallets.BTC], // prettier-ignore
  );
  expect(await scan(951, outputs)).toEqual(['credit ok']);
  await session.query('COMMIT');
  await session.end();
  expect(await locked.has()).toEqual([0, 0]);
  expect(await other.has()).toEqual([50_000_000, 0]);
  expect(await scan(951, outputs)).toEqual(['credit ok']);
  expect(await locked.has()).toEqual([50_000_000, 0]);
});

it('one of an impossible amount, or to an address of others, is none', async () => {
  const payee = await Payee.open();
  const output = { txid: 'impossible', address: await payee.address(), height: 960 };
  expect(
    await scan(970, [
      { ...output, sats: 0 },
      { ...output, vout: 1, sats: 2_100_000_000_000_001 },
      { ...output, vout: 2, sats: 10_000, address: 'bcrt1other' },
    ]),
  ).toEqual([]);
  expect(await payee.history()).toEqual([]);
});
