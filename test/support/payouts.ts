import { randomBytes } from 'node:crypto';
import { chainKey } from '../../src/money/onchain/simulator/chain-keys.js';
import { ChainSimulator, OnChainWallet } from '../../src/money/onchain/index.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TestApp, TestAppOptions } from './app.js';
import type { Person } from './fixture.js';
import { dataOf } from './graphql.js';

/** Rounds follow each other at once, and what has failed is tried again in the next one. */
export const EAGER: NonNullable<TestAppOptions['settings']> = { PayoutSettings: { roundMs: 20, retrySeconds: 0.05, lookSeconds: 0.05 } };

const PAYLOAD = `{ status errors { code message path } transaction { id status direction memo settlementAmount settlementFee
  initiationVia { __typename ... on InitiationViaOnChain { address } }
  settlementVia { __typename ... on SettlementViaOnChain { transactionHash vout } } } }`;
const INPUTS = {
  onChainPaymentSend: 'OnChainPaymentSendInput',
  onChainPaymentSendAll: 'OnChainPaymentSendAllInput',
  onChainUsdPaymentSend: 'OnChainUsdPaymentSendInput',
  onChainUsdPaymentSendAsBtcDenominated: 'OnChainUsdPaymentSendAsBtcDenominatedInput',
} as const;

export interface SentOutput {
  readonly txid: string;
  readonly vout: number;
  readonly address: string;
  readonly sats: bigint;
  readonly state: 'mempool' | 'confirmed' | 'gone';
}

/** Payments to addresses of the outside, and the simulated chain that gets them. */
export class Payouts {
  constructor(readonly app: TestApp) {}

  get chain(): ChainSimulator {
    return this.app.get(ChainSimulator);
  }

  /** The wallet has these coins. */
  async fund(...coins: readonly number[]): Promise<void> {
    for (const sats of coins) {
      const made = await this.app.get(OnChainWallet).newAddress();
      if (made.status !== 'created') throw new Error('The wallet made no address');
      await this.chain.deposit({ address: made.address, sats: BigInt(sats) });
    }
    await this.chain.mine();
  }

  outside(): string {
    return chainKey(randomBytes(32), 'regtest').address;
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
  async send(payer: Person, input: object, how: keyof typeof INPUTS = 'onChainPaymentSend', headers = payer.as('write')): Promise<any> {
    const walletId = how.includes('Usd') ? payer.wallets.USD : payer.wallets.BTC;
    const document = `mutation ($input: ${INPUTS[how]}!) { answer: ${how}(input: $input) ${PAYLOAD} }`;
    return (await dataOf(this.app.url, document, { input: { walletId, ...input } }, headers)).answer;
  }

  /** @throws Error unless it was queued */
  async queued(payer: Person, address: string, amount: number, speed = 'FAST'): Promise<string> {
    const sent = (await this.send(payer, { address, amount, speed })) as { status: string; transaction: { id: string } | null };
    if (sent.status !== 'SUCCESS' || !sent.transaction) throw new Error(`The payment was refused: ${JSON.stringify(sent)}`);
    return sent.transaction.id;
  }

  async state(id: string): Promise<string | undefined> {
    return (await this.app.pool.query<{ state: string }>('SELECT state FROM payout WHERE id = $1', [id])).rows[0]?.state;
  }

  /** Waits for a state. */
  async reaches(state: string, ...ids: readonly string[]): Promise<void> {
    for (const id of ids) await eventually(async () => (await this.state(id)) === state);
  }

  /** Every transaction that pays the address, whatever has become of it. */
  async paidTo(address: string): Promise<SentOutput[]> {
    const { rows } = await this.app.pool.query<SentOutput>(
      `SELECT o.txid, o.vout, o.address, o.sats, t.state FROM simulated_chain.output o JOIN simulated_chain.transaction t USING (txid) WHERE o.address = $1 ORDER BY t.id`,
      [address],
    );
    return rows;
  }

  async feeOf(txid: string): Promise<number> {
    const { rows } = await this.app.pool.query<{ fee: number }>(
      'SELECT fee_sats::float8 AS fee FROM simulated_chain.transaction WHERE txid = $1',
      [txid],
    );
    return rows[0]?.fee ?? NaN;
  }

  /** Msat that the ledger says have left the chain's wallet. */
  async leftMsat(): Promise<number> {
    const { rows } = await this.app.pool.query<{ posted: number }>('SELECT posted::float8 AS posted FROM ledger_account WHERE id = -8');
    return rows[0]?.posted ?? NaN;
  }
}
