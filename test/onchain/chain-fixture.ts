import { randomBytes } from 'node:crypto';
import { Log } from '../../src/platform/logging/index.js';
import { Database, openDataSource, poolOf } from '../../src/platform/database/index.js';
import { LightningSimulator } from '../../src/money/lightning/index.js';
import { SimulatorStore } from '../../src/money/lightning/simulator/index.js';
import { chainKey } from '../../src/money/onchain/simulator/chain-keys.js';
import { ChainSimulator, ChainStore, SimulatedWallet } from '../../src/money/onchain/simulator/index.js';
import type { OnChainBackendFixture } from '../../src/testing/onchain-backend-contract.js';
import { CURRENT_SCHEMA, createTestDatabase } from '../support/database.js';

const NETWORK = 'regtest';

/** A simulated chain on a database of its own, as one process has it. */
export interface ChainFixture {
  readonly wallet: SimulatedWallet;
  readonly chain: ChainSimulator;
  readonly node: LightningSimulator;
  readonly database: Database;
  close(): Promise<void>;
}

export async function openChain(): Promise<ChainFixture> {
  const databaseOfTest = await createTestDatabase();
  const { connection } = databaseOfTest;
  const dataSource = await openDataSource({ connection, poolSize: 4, entities: [], ...CURRENT_SCHEMA }, new Log('test'));
  const database = new Database(poolOf(dataSource));
  const store = new ChainStore(database, NETWORK);
  return {
    wallet: new SimulatedWallet(store),
    chain: new ChainSimulator(store),
    node: new LightningSimulator(new SimulatorStore(database, NETWORK)),
    database,
    close: async () => {
      await dataSource.destroy();
      await databaseOfTest.drop();
    },
  };
}

/** An address of the outside, new each time. */
export const addressOfOther = (): string => chainKey(randomBytes(32), NETWORK).address;

/** @throws Error for null: the chain did not take the transaction */
export function taken(txid: string | null): string {
  if (txid === null) throw new Error('The simulated chain refused a transaction of the outside');
  return txid;
}

/** The world around the simulated wallet, as the contract suite asks for it. */
export async function simulatedWalletFixture(opened?: ChainFixture): Promise<OnChainBackendFixture> {
  const fixture = opened ?? (await openChain());
  const { wallet, chain, node } = fixture;
  return {
    backend: wallet,
    network: NETWORK,
    addressOfOther: () => Promise.resolve(addressOfOther()),
    payFromOutside: async (outputs) => taken(await chain.deposit(...outputs)),
    replaceFromOutside: async (txid) => taken(await chain.replace(txid)),
    mine: async (blocks) => void (await chain.mine(blocks)),
    reorganise: async (depth) => void (await chain.reorganise(depth)),
    disconnect: () => node.setAway(true),
    loseAnswers: () => chain.loseAnswers('newAddress', 'fund', 'publish'),
    reconnect: async () => {
      await chain.loseAnswers();
      await node.setAway(false);
    },
    close: () => fixture.close(),
  };
}
