import { randomBytes } from 'node:crypto';
import { Transaction } from '@scure/btc-signer';
import type { Network } from '../platform/config/index.js';
import {
  REPLACEABLE,
  type ChainTip,
  type Finalized,
  type Funded,
  type FundRequest,
  type Lease,
  type OnChainBackend,
  type TransactionPage,
  type WalletTransaction,
} from '../money/onchain/index.js';

/** A wallet under test, and the world around it. What changes the chain resolves when the wallet has read it. */
export interface OnChainBackendFixture {
  readonly backend: OnChainBackend;
  readonly network: Network;
  /** A new address of another wallet. */
  addressOfOther(): Promise<string>;
  /** Another wallet pays these addresses in one transaction, which permits its replacement. Resolves to its id. */
  payFromOutside(outputs: readonly { readonly address: string; readonly sats: bigint }[]): Promise<string>;
  /** The sender of a payment from outside that is in the mempool pays itself instead, for a higher fee. Resolves to the new id. */
  replaceFromOutside(txid: string): Promise<string>;
  mine(blocks: number): Promise<void>;
  /** A longer chain replaces the latest blocks. Their transactions are in the mempool, or in other blocks. */
  reorganise(depth: number): Promise<void>;
  /** Cuts the connection between the back end and its node, which continues. Resolves when no call can reach the node. */
  disconnect(): Promise<void>;
  /** From now on the node does what it is asked, and its answers do not arrive. */
  loseAnswers(): Promise<void>;
  /** Ends both. Resolves when the tip is known again. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

/** Defines a Jest test of a fixture. */
export type OnChainTest = (title: string, test: (fixture: OnChainBackendFixture, wallet: WalletUnderTest) => Promise<void>) => void;

type Known<T extends { readonly status: string }, Status extends T['status']> = Extract<T, { readonly status: Status }>;

/** @throws Error, by `expect`, for another status */
export function knownAs<T extends { readonly status: string }, Status extends T['status']>(answer: T, status: Status): Known<T, Status> {
  expect(answer).toMatchObject({ status });
  return answer as Known<T, Status>;
}

/** The calls of a test of one back end. */
export class WalletUnderTest {
  constructor(private readonly fixture: Pick<OnChainBackendFixture, 'backend' | 'addressOfOther'>) {}

  private get backend(): OnChainBackend {
    return this.fixture.backend;
  }

  async tip(): Promise<Known<ChainTip, 'known'>> {
    return knownAs(await this.backend.tip(), 'known');
  }

  async address(): Promise<string> {
    return knownAs(await this.backend.newAddress(), 'created').address;
  }

  /** All pages. */
  async transactions(fromHeight: number): Promise<readonly WalletTransaction[]> {
    const listed: WalletTransaction[] = [];
    for (let cursor: number | null = 0; cursor !== null;) {
      const page: Known<TransactionPage, 'known'> = knownAs(await this.backend.transactions(fromHeight, cursor), 'known');
      listed.push(...page.transactions);
      cursor = page.next;
    }
    return listed;
  }

  /** The transaction as it is listed, once. Undefined if it is not. */
  async listed(txid: string, fromHeight = 0): Promise<WalletTransaction | undefined> {
    const found = (await this.transactions(fromHeight)).filter((transaction) => transaction.txid === txid);
    expect(found.length).toBeLessThanOrEqual(1);
    return found[0];
  }

  async balance(): Promise<{ readonly confirmedSats: bigint; readonly unconfirmedSats: bigint; readonly reservedSats: bigint }> {
    return knownAs(await this.backend.balance(), 'known');
  }

  /** Pays another wallet. */
  async request(sats: bigint, lease = newLease(), satsPerVbyte = 2): Promise<FundRequest> {
    return { outputs: [{ address: await this.fixture.addressOfOther(), sats }], satsPerVbyte, lease };
  }

  /** Pays so much that nothing worth spending is left. */
  async requestOfAll(lease = newLease()): Promise<FundRequest> {
    const { confirmedSats, reservedSats } = await this.balance();
    return this.request(confirmedSats - reservedSats - MAX_FEE_SATS, lease);
  }

  async fund(request: FundRequest): Promise<Known<Funded, 'funded'>> {
    return knownAs(await this.backend.fund(request), 'funded');
  }

  async finalize(psbt: string): Promise<Known<Finalized, 'final'>> {
    return knownAs(await this.backend.finalize(psbt), 'final');
  }
}

/** More than the fee of any transaction of the contract. */
const MAX_FEE_SATS = 50_000n;

export const newLease = (seconds = 600): Lease => ({ id: randomBytes(32).toString('hex'), seconds });

const transactionOf = (psbt: string): Transaction => Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownInputs: true });

export const feeOf = (psbt: string): bigint => transactionOf(psbt).fee;

/** The same transaction, which permits its replacement, with a higher fee that the change pays. */
export function withHigherFee({ psbt, changeVout }: Known<Funded, 'funded'>, moreSats: bigint): string {
  const transaction = transactionOf(psbt);
  for (let at = 0; at < transaction.inputsLength; at++) transaction.updateInput(at, { sequence: REPLACEABLE });
  const changeSats = transaction.getOutput(changeVout ?? 0).amount ?? 0n;
  expect(changeVout).not.toBeNull();
  transaction.updateOutput(changeVout ?? 0, { amount: changeSats - moreSats });
  return Buffer.from(transaction.toPSBT()).toString('base64');
}
