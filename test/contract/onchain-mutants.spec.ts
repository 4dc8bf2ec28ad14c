import { sql } from '../../src/platform/database/index.js';
import type { OnChainBackend, Published, TransactionStatus, WalletTransaction } from '../../src/money/onchain/index.js';
import { onChainBackendContract } from '../../src/testing/onchain-backend-contract.js';
import { openChain, simulatedWalletFixture, type ChainFixture } from '../onchain/chain-fixture.js';
import { testsOf } from './mutants.js';

/** A wallet that breaks a promise of the port, and the test of the contract that must fail for it. */
type Mutant = readonly [what: string, test: string, change: (wallet: OnChainBackend) => Partial<OnChainBackend>];

const LISTED = 'deposits are listed in the mempool, then in their block, and again';
const BOTH = 'deposits of two outputs to one address have both';
const SENT = 'payments are funded, signed, and sent by publish alone';
const KEPT = 'payments keep their inputs until they release them';
const RENEWED = 'payments keep their inputs while the lease is renewed, and lose them when it runs out';
const REPLACED = 'payments are replaced by one that spends the same inputs for a higher fee';
const LOST = 'payments whose answers are lost: unknown to the caller, and done once';
const CUT_OFF = 'payments without a connection: every answer is unknown, no call rejects, and none is sent later';

/** Changes the list of transactions. */
const listing = (change: (listed: readonly WalletTransaction[]) => readonly WalletTransaction[]) => (wallet: OnChainBackend) => ({
  transactions: async (fromHeight: number, cursor: number) => {
    const page = await wallet.transactions(fromHeight, cursor);
    return page.status === 'known' ? { ...page, transactions: change(page.transactions) } : page;
  },
});
const lookingUp = (change: (found: TransactionStatus) => TransactionStatus) => (wallet: OnChainBackend) => ({
  lookup: async (txid: string) => change(await wallet.lookup(txid)),
});
const publishing = (change: (answer: Published, raw: string) => Published) => (wallet: OnChainBackend) => ({
  publish: async (raw: string, label: string) => change(await wallet.publish(raw, label), raw),
});
const RELEASE_ALL = sql`DELETE FROM simulated_chain.lease`;
const NOT_FOUND = { status: 'not_found' } as const;
const REJECTED = { status: 'rejected', reason: 'mutant' } as const;

/** Answers of the first time, by what was asked. */
function remembered<T>(): (key: string, value: T) => T {
  const first = new Map<string, T>();
  return (key, value) => {
    if (!first.has(key)) first.set(key, value);
    return first.get(key) as T;
  };
}

const MUTANTS: readonly Mutant[] = [
  [
    'gives an address twice',
    'the wallet gives each address once, and those of its network',
    (wallet) => {
      const again = remembered<ReturnType<OnChainBackend['newAddress']>>();
      return { newAddress: () => again('', wallet.newAddress()) };
    },
  ],
  [
    'does not count what is unconfirmed',
    'the wallet counts confirmed, unconfirmed and spent outputs',
    (wallet) => ({ balance: async () => ({ ...(await wallet.balance()), unconfirmedSats: 0n }) }),
  ],
  ['lists no deposit of the mempool', LISTED, listing((listed) => listed.filter(({ height }) => height !== null))],
  [
    'lists from the first block on, whatever was asked',
    LISTED,
    (wallet) => ({ transactions: (_from, cursor) => wallet.transactions(0, cursor) }),
  ],
  [
    'lists one output an address',
    BOTH,
    listing((listed) =>
      listed.map((transaction) => ({
        ...transaction,
        outputs: transaction.outputs.filter(({ address }, at, all) => all.findIndex((other) => other.address === address) === at),
      })),
    ),
  ],
  [
    'lists a transaction where it was first in a block',
    'deposits are listed once, where a reorganisation has moved them',
    (wallet) => {
      const first = remembered<WalletTransaction>();
      const inBlock = (each: WalletTransaction): WalletTransaction => (each.height === null ? each : first(each.txid, each));
      return listing((listed) => listed.map(inBlock))(wallet);
    },
  ],
  [
    'does not find who has replaced a deposit',
    'deposits that their sender has replaced are in no block, and no longer listed by a wallet that sees it',
    lookingUp((found) => (found.status === 'replaced' ? NOT_FOUND : found)),
  ],
  [
    'sends what it signs',
    SENT,
    (wallet) => ({
      finalize: async (psbt) => {
        const signed = await wallet.finalize(psbt);
        if (signed.status === 'final') await wallet.publish(signed.rawTransaction, 'a payment');
        return signed;
      },
    }),
  ],
  [
    'takes the same bytes once',
    SENT,
    (wallet) => {
      const seen = new Set<string>();
      const once = (answer: Published, raw: string): Published => (seen.size < seen.add(raw).size ? answer : REJECTED);
      return publishing(once)(wallet);
    },
  ],
  ['ignores the label', SENT, (wallet) => ({ publish: (raw) => wallet.publish(raw, '') })],
  ['ignores the fee rate', SENT, (wallet) => ({ fund: (request) => wallet.fund({ ...request, satsPerVbyte: 1 }) })],
  [
    'pays less than dust as if it were more',
    'payments are refused for dust and for an address of another network, and lease nothing',
    (wallet) => ({
      fund: (request) =>
        wallet.fund({ ...request, outputs: request.outputs.map(({ address, sats }) => ({ address, sats: sats < 546n ? 546n : sats })) }),
    }),
  ],
  [
    'leases nothing',
    KEPT,
    (wallet) => ({
      fund: async (request) => {
        const funded = await wallet.fund(request);
        await wallet.releaseLease(request.lease.id);
        return funded;
      },
    }),
  ],
  [
    'has one lease for all transactions',
    KEPT,
    (wallet) => ({
      fund: (request) => wallet.fund({ ...request, lease: { ...request.lease, id: 'one' } }),
      renewLease: (lease, inputs) => wallet.renewLease({ ...lease, id: 'one' }, inputs),
      releaseLease: () => wallet.releaseLease('one'),
    }),
  ],
  ['does not renew a lease', RENEWED, () => ({ renewLease: async () => true })],
  [
    'signs what it has funded, whatever the caller has changed',
    REPLACED,
    (wallet) => {
      let funded = '';
      return {
        fund: async (request) => {
          const answer = await wallet.fund(request);
          if (answer.status === 'funded') funded = answer.psbt;
          return answer;
        },
        finalize: () => wallet.finalize(funded),
      };
    },
  ],
  ['takes a lost answer for a refusal', LOST, publishing((answer) => (answer.status === 'unknown' ? REJECTED : answer))],
  ['does not find what it cannot look up', CUT_OFF, lookingUp((found) => (found.status === 'unknown' ? NOT_FOUND : found))],
  [
    'throws without a connection',
    CUT_OFF,
    lookingUp((found) => {
      if (found.status === 'unknown') throw new Error('expect: no connection');
      return found;
    }),
  ],
  [
    'sends later what it could not send at once',
    CUT_OFF,
    (wallet) => {
      const waiting: string[] = [];
      return {
        ...publishing((answer, raw) => {
          if (answer.status === 'unknown') waiting.push(raw);
          return answer;
        })(wallet),
        lookup: async (txid) => {
          for (const raw of waiting) await wallet.publish(raw, 'cut');
          return wallet.lookup(txid);
        },
      };
    },
  ],
];

describe('the contract of on-chain back ends refuses a wallet that', () => {
  let chain: ChainFixture;
  const { tests, begin, end } = testsOf(() =>
    onChainBackendContract(async () => {
      chain = await openChain();
      return simulatedWalletFixture(chain);
    }),
  );
  beforeAll(async () => {
    for (const work of begin) await work();
  });
  afterAll(async () => {
    for (const work of end) await work();
  });

  // The test that failed for the mutant before has left these.
  beforeEach(async () => {
    await chain.database.query(RELEASE_ALL);
    await chain.chain.mine();
  });

  it.each(MUTANTS)('%s', async (_what, name, change) => {
    const test = tests.get(name);
    if (!test) throw new Error(`The contract has no test "${name}"`);
    await test();
    const wallet: OnChainBackend = chain.wallet;
    const whole = Object.assign(Object.create(Object.getPrototypeOf(wallet) as object) as OnChainBackend, wallet);
    const changed = change(whole);
    Object.assign(wallet, changed);
    try {
      await expect((async () => test())()).rejects.toThrow(/expect/);
    } finally {
      for (const method of Object.keys(changed)) Reflect.deleteProperty(wallet, method);
      Object.assign(wallet, whole);
    }
  });
});
