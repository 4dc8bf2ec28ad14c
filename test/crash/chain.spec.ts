import { randomBytes } from 'node:crypto';
import { Database } from '../../src/platform/database/index.js';
import { ChainSimulator, type OnChainWallet } from '../../src/money/onchain/index.js';
import { chainKey } from '../../src/money/onchain/simulator/chain-keys.js';
import { ChainStore, SimulatedWallet } from '../../src/money/onchain/simulator/index.js';
import { OnChainReportService, type OnChainReport } from '../../src/operator/reconciliation/onchain-report.service.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf } from '../support/graphql.js';
import { violationsAtRest, violationsNow } from '../support/ledger-invariants.js';
import type { ServerProcess } from '../support/server-process.js';
import type { WalletClient } from '../support/wallet-client.js';
import { CrashingServer } from './crashing-server.js';
import { randomOf } from './load.js';

/** `CRASH_ROUNDS=100 npx jest test/crash/chain` runs longer. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 4);
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const PEOPLE = 4;
const COINS = 20;
const COIN_SATS = 1_000_000n;

const ADDRESS = 'mutation ($input: OnChainAddressCreateInput!) { answer: onChainAddressCreate(input: $input) { address } }';
const SEND = `mutation ($input: OnChainPaymentSendInput!) {
  answer: onChainPaymentSend(input: $input) { status errors { code } transaction { id } } }`;

jest.setTimeout(900_000 + ROUNDS * 60_000);

interface Sent {
  readonly address: string;
  readonly amount: number;
  /** Undefined: the process died before it answered. */
  readonly id?: string | undefined;
}

/** The chain has what the ledger says: of every deposit and every payment, whatever died on the way. */
describe(`deposits and payments to addresses, with reorganisations and kills (CRASH_SEED=${SEED})`, () => {
  const random = randomOf(SEED);
  const whole = (least: number, most: number): number => least + random(most - least + 1);
  const chance = (of: number): boolean => random(of) === 0;
  const sent: Sent[] = [];
  const addresses: string[] = [];
  let system: CrashingServer;
  let servers: ServerProcess[];
  let chain: ChainSimulator;
  let wallet: SimulatedWallet;
  let reports: OnChainReportService;
  /** With those that a demo has from its start. */
  let ownSats: bigint;

  beforeAll(async () => {
    system = await CrashingServer.prepare(PEOPLE, 2_000_000, { ACCOUNT_LIMITS: 'none', PAYOUT_FEE_TIERS: '1000000:300,900' });
    const database = new Database(system.pool);
    const store = new ChainStore(database, 'regtest');
    [chain, wallet] = [new ChainSimulator(store), new SimulatedWallet(store)];
    const present: Pick<OnChainWallet, 'isPresent' | 'balance'> = { isPresent: true, balance: () => wallet.balance() };
    reports = new OnChainReportService(database, present as OnChainWallet);
    servers = [system.server, await system.server.sibling()];

    await Promise.all(servers.map((server) => server.start()));

    for (let n = 0; n < COINS; n++) await chain.deposit({ address: await ownAddress(), sats: COIN_SATS });
    for (let n = 0; n < PEOPLE; n++) {
      const person = system.person(n);
      const input = { walletId: person.walletId };
      addresses.push(String((await dataOf(person.url, ADDRESS, { input }, person.as('receive'))).answer.address));
    }
    await chain.mine();
    ownSats = (await reports.report())?.differenceSats ?? 0n;
    expect(ownSats).toBeGreaterThanOrEqual(COIN_SATS * BigInt(COINS));
  });
  afterEach(async () => {
    for (const server of servers) if (!server.isRunning) await server.start();
  });
  afterAll(async () => {
    for (const server of servers?.slice(1) ?? []) await server.end('SIGKILL');
    await system?.close();
  });

  async function ownAddress(): Promise<string> {
    const made = await wallet.newAddress();
    if (made.status !== 'created') throw new Error('The wallet made no address');
    return made.address;
  }

  async function send(person: WalletClient): Promise<void> {
    const [address, amount] = [chainKey(randomBytes(32), 'regtest').address, whole(10_000, 60_000)];
    const input = { walletId: person.walletId, address, amount, speed: 'FAST' };
    try {
      const { answer } = await dataOf(person.url, SEND, { input }, person.as('write'));
      expect([answer.errors, answer.status]).toEqual([[], 'SUCCESS']);
      sent.push({ address, amount, id: answer.transaction.id as string });
    } catch (error) {
      // What its process answers while it is killed: nothing, or that it does not know.
      if (error instanceof Error && 'matcherResult' in error) throw error;
      sent.push({ address, amount });
    }
  }

  const deposit = (): Promise<unknown> =>
    chain.deposit({ address: addresses[whole(0, PEOPLE - 1)] ?? '', sats: BigInt(whole(1_000, chance(3) ? 1_200_000 : 90_000)) });

  /** A batch may leave at once. */
  const hurry = (): Promise<unknown> => system.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '3 minutes'`);

  /** The ledger has followed the chain: the wallet has its own coins besides, and no other. */
  async function expectEqual(): Promise<OnChainReport> {
    let report: OnChainReport | null = null;
    await eventually(async () => {
      await hurry();
      report = await reports.report();
      return report?.differenceSats === ownSats;
    }).catch(() => expect(report).toMatchObject({ differenceSats: ownSats }));
    return report as unknown as OnChainReport;
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
    'round %i: at each block the wallet has what the ledger says',
    async () => {
      const victim = servers[whole(0, 1)] as ServerProcess;
      const work = Array.from({ length: 6 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, whole(0, 1_500)));
        return chance(2) ? deposit() : send(system.person(n, servers[n % 2]));
      });
      await new Promise((resolve) => setTimeout(resolve, whole(0, 3_000)));
      await victim.end('SIGKILL');

      await Promise.all(work);

      for (let block = 0; block < 3; block++) {
        await chain.mine(whole(1, 3));
        if (chance(3)) await chain.reorganise(whole(1, 6));
        if (block === 1) await victim.start();
        await expectEqual();
        expect(await violationsNow(system.pool)).toEqual({});
      }
    },
  );

  it('ends with each deposit credited and each payment in one transaction', async () => {
    await eventually(async () => {
      await hurry();
      await chain.mine();
      const { rows } = await system.pool.query(`SELECT FROM payout WHERE state <> 'confirmed'`);
      return rows.length === 0;
    });
    await chain.mine(14);
    await eventually(
      async () => (await system.pool.query(`SELECT FROM deposit WHERE state = 'pending' OR hold_id IS NOT NULL`)).rows.length === 0,
    );
    const { ledgerSats, wallet: has } = await expectEqual();
    expect(has).toMatchObject({ confirmedSats: ledgerSats + ownSats, unconfirmedSats: 0n });
    for (const { address, amount, id } of sent) {
      const { rows } = await system.pool.query(
        `SELECT o.sats::int AS sats FROM simulated_chain.output o JOIN simulated_chain.transaction t USING (txid) WHERE o.address = $1 AND t.state = 'confirmed'`,
        [address],
      );
      if (id !== undefined || rows.length > 0) expect(rows).toEqual([{ sats: amount }]);
    }
    expect(sent.length).toBeGreaterThan(ROUNDS);
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});
