import { randomBytes } from 'node:crypto';
import { Database } from '../../src/platform/database/index.js';
import { chainKey } from '../../src/money/onchain/simulator/chain-keys.js';
import { ChainSimulator, ChainStore } from '../../src/money/onchain/simulator/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf } from '../support/graphql.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { CrashingServer } from './crashing-server.js';
import { FaultPoints, PAYOUT_POINTS } from './fault-points.js';

const SEND =
  'mutation ($input: OnChainPaymentSendInput!) { onChainPaymentSend(input: $input) { status errors { code } transaction { status } } }';
const [AMOUNT, SERVICE_FEE] = [20_000, 5_000];

let system: CrashingServer;
let points: FaultPoints;
let chain: ChainSimulator;

beforeAll(async () => {
  // A statement that stops at a point stays there until its process is killed.
  const patient = { DATABASE_STATEMENT_SECONDS: '240', DATABASE_LOCK_MS: '60000', DATABASE_POOL_SIZE: '24', ACCOUNT_LIMITS: 'none' };
  system = await CrashingServer.prepare(1, 1_000_000, patient);
  const store = new ChainStore(new Database(system.pool), 'regtest');
  chain = new ChainSimulator(store);
  for (const sats of [2_000_000n, 3_000_000n]) await chain.deposit({ address: await store.newAddress(), sats });
  await chain.mine();
  points = await FaultPoints.plant(system.database.connection);
  await system.server.start();
});
afterAll(async () => {
  await points?.close();
  await system?.close();
});

const send = async (address: string): Promise<unknown> => {
  const { url, walletId, as } = system.person(0);
  return dataOf(url, SEND, { input: { walletId, address, amount: AMOUNT } }, as('write'));
};
const stateOf = async (address: string): Promise<string | undefined> =>
  (
    await system.pool.query<{ state: string }>(
      'SELECT o.state FROM payout o JOIN payment p ON p.id = o.id WHERE p.payment_request = $1 ORDER BY p.created_at DESC LIMIT 1',
      [address],
    )
  ).rows[0]?.state;
/** The fees of the transactions that pay the address and may still be in a block, or are. */
const feesOf = async (address: string): Promise<number[]> =>
  (
    await system.pool.query<{ fee: number }>(
      `SELECT t.fee_sats::float8 AS fee FROM simulated_chain.output o JOIN simulated_chain.transaction t USING (txid) WHERE o.address = $1 AND t.state <> 'gone'`,
      [address],
    )
  ).rows.map(({ fee }) => fee);
/** The next batch may leave. */
const later = (state: string): Promise<unknown> =>
  system.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '3 minutes' WHERE state = $1 OR $1 = 'any'`, [state]);

describe.each(['rollBack', 'commit'] as const)('a process that is killed (%s)', (outcome) => {
  it.each(PAYOUT_POINTS)('at the step %s of a payment to a bitcoin address: one transaction pays it', async (point) => {
    const [before, address] = [await system.person(0).sats(), chainKey(randomBytes(32), 'regtest').address];
    await later('any');
    await points.set(point);
    void send(address).catch(() => undefined);
    if (point === 'confirm') {
      await eventually(async () => (await stateOf(address)) === 'broadcast');
      await chain.mine();
    }
    await points.reached(point);
    await points.kill(system.server, outcome, [point]);
    await system.server.start();
    const isBegun = point !== 'queue' || outcome === 'commit';
    expect((await stateOf(address)) !== undefined).toBe(isBegun);
    if (!isBegun) {
      expect(await system.person(0).sats()).toBe(before);
      expect(await send(address)).toMatchObject({ onChainPaymentSend: { status: 'SUCCESS' } });
    }
    await eventually(async () => {
      // A batch that its process has left unsigned is dissolved after two minutes.
      await later('open');
      if ((await stateOf(address)) === 'broadcast') await chain.mine();
      return (await stateOf(address)) === 'confirmed';
    });
    const [fee = NaN, ...others] = await feesOf(address);
    expect(others).toEqual([]);
    expect(before - (await system.person(0).sats())).toBe(AMOUNT + SERVICE_FEE + fee);
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});
