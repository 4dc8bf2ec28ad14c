import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { newId } from '../../../platform/kernel/uuid.js';
import { Log, LogInterval } from '../../../platform/logging/index.js';
import { OnChainWallet, readTransaction, type Lease } from '../../onchain/index.js';
import { PayoutSettings, type PayoutSpeed } from './payout.settings.js';
import { PayoutStore, type SignedBatch } from './payout.store.js';
import { feeOf, outputsOf, paidPart, replaceable, type Payee, type PayoutOutput, type Recipient } from './payout-transaction.js';

type Draft = SignedBatch & { readonly outputs: PayoutOutput[] };

const REPORT_EVERY_MS = 600_000;

/** Why no batch was made. `refused`: the wallet does not pay one of them at all. `dear`: with these coins it costs more than was held. */
type Failure = 'short' | 'refused' | 'dear' | 'unknown';

/** What the mempool takes: in a block within a day. */
const LATEST_BLOCKS = 144;

/**
 * Makes a batch of what is queued: the wallet chooses coins and signs, the signed transaction is stored, and only then it is sent. Until it is
 * stored, whatever is unclear dissolves the batch: nothing was sent, and what the wallet has signed meanwhile cannot be stored any more.
 */
@Injectable()
export class PayoutSender {
  private readonly log = new Log(PayoutSender.name);
  private readonly reports = new LogInterval(REPORT_EVERY_MS);
  private readonly notBefore = new Map<PayoutSpeed, number>();
  /** After a batch that the wallet has not made for one of them: how many are tried one by one. */
  private readonly alone = new Map<PayoutSpeed, number>();
  private mayPay = (): Promise<boolean> => Promise.resolve(true);

  constructor(
    private readonly config: Config,
    private readonly settings: PayoutSettings,
    private readonly wallet: OnChainWallet,
    private readonly store: PayoutStore,
    private readonly clock: Clock,
  ) {}

  /** Those that are tried one by one now: the pause between two batches of a speed is not for them. */
  get apart(): PayoutSpeed[] {
    return [...this.alone].flatMap(([speed, left]) => (left > 0 ? speed : []));
  }

  /** @param mayPay asked about each batch: false returns the payments to the queue */
  sendOnlyIf(mayPay: () => Promise<boolean>): void {
    this.mayPay = mayPay;
  }

  leaseOf(batchId: string): Lease {
    return { id: hash('sha256', batchId), seconds: this.settings.leaseSeconds };
  }

  async send(speed: PayoutSpeed): Promise<void> {
    if (this.clock.elapsed() < (this.notBefore.get(speed) ?? 0)) return;
    this.notBefore.set(speed, this.clock.elapsed() + this.settings.retrySeconds * 1_000);
    const rate = await this.wallet.feeRate(this.settings.speeds[speed].targetBlocks);
    if (rate.status !== 'known') return;
    const batchId = newId();
    const alone = this.alone.get(speed) ?? 0;
    this.alone.set(speed, alone - 1);
    const recipients = await this.store.take(batchId, speed, rate.satsPerVbyte, alone > 0 ? 1 : this.settings.maxOutputs);
    if (recipients.length === 0) return;
    // Asked after that: a database that takes over later lacks the batch too, or has all that was sent before it.
    if (!(await this.mayPay()) || (await this.store.areSendsStopped())) return this.dissolve(batchId);
    const draft = await this.draft(batchId, recipients, rate.satsPerVbyte);
    if (typeof draft === 'string') return this.giveUp(batchId, speed, draft, recipients);
    if (!(await this.store.sign(batchId, draft, draft.outputs))) return void (await this.wallet.releaseLease(this.leaseOf(batchId).id));
    this.notBefore.delete(speed);
    await this.publish(batchId, draft);
  }

  /** The same bytes as often as wanted: an answer that is lost or unclear is asked for again in the next round. */
  async publish(batchId: string, { raw, txid }: Pick<SignedBatch, 'raw' | 'txid'>): Promise<void> {
    const published = await this.wallet.publish(raw, `payout ${batchId}`);
    if (published.status === 'published') return this.store.published(batchId, txid);
    if (published.status === 'rejected' && this.reports.isOver(txid))
      this.log.error(
        'payout_rejected',
        { batchId, txid, reason: published.reason },
        `Payouts ${batchId}: the node does not take ${txid} now`,
      );
  }

  /** The batch that a process left before it was signed. */
  async dissolve(batchId: string): Promise<void> {
    if (await this.store.dissolve(batchId)) await this.wallet.releaseLease(this.leaseOf(batchId).id);
  }

  private async draft(batchId: string, payees: readonly Payee[], satsPerVbyte: number): Promise<Draft | Failure> {
    const [outputs, lease] = [payees.map(({ address, sats }) => ({ address, sats })), this.leaseOf(batchId)];
    const funded = await this.wallet.fund({ outputs, satsPerVbyte, lease });
    if (funded.status !== 'funded') return funded.status;
    const draft = await this.sign(replaceable(funded.psbt), payees);
    const part = typeof draft === 'string' ? 1 : paidPart(draft.feeSats, draft.outputs, payees);
    return part >= 1 ? draft : this.draftCheaper(batchId, payees, Math.floor(satsPerVbyte * part));
  }

  /** Many small coins make a transaction large: at the rate that all of them can pay, if the mempool takes it. */
  private async draftCheaper(batchId: string, payees: readonly Payee[], satsPerVbyte: number): Promise<Draft | Failure> {
    const least = await this.wallet.feeRate(LATEST_BLOCKS);
    if (least.status !== 'known') return 'unknown';
    if (satsPerVbyte < least.satsPerVbyte) return 'dear';
    return (await this.wallet.releaseLease(this.leaseOf(batchId).id)) === 'released'
      ? this.draft(batchId, payees, satsPerVbyte)
      : 'unknown';
  }

  vsizeOf(rawTransaction: string): number {
    return readTransaction(rawTransaction, this.config.network).vsize;
  }

  /** Signed, and checked: the transaction pays them, and no other address but its change. */
  async sign(psbt: string, recipients: readonly Recipient[]): Promise<Draft | Failure> {
    const signed = await this.wallet.finalize(psbt);
    if (signed.status !== 'final') return signed.status;
    const { rawTransaction: raw, txid } = signed;
    const outputs = outputsOf(raw, recipients, this.config.network);
    return outputs ? { psbt, raw, txid, feeSats: feeOf(psbt), outputs } : 'refused';
  }

  private async giveUp(batchId: string, speed: PayoutSpeed, failure: Failure, recipients: readonly Recipient[]): Promise<void> {
    await this.dissolve(batchId);
    if (failure === 'unknown') return;
    const fields = { speed, payouts: recipients.length };
    if (failure === 'short' && this.reports.isOver(speed))
      this.log.error('payout_wallet_short', fields, `The wallet’s coins do not cover the ${speed} payouts; they wait`);
    if (failure === 'dear' && this.reports.isOver(`dear ${speed}`))
      this.log.warn('payout_dear', fields, `With the wallet’s coins the ${speed} payouts cost more than was held for them; they wait`);
    if (failure === 'refused') {
      const ids = recipients.map(({ id }) => id).join(', ');
      this.log.error('payout_refused', { ...fields, paymentIds: ids }, `The wallet refuses to pay ${ids}`);
    }
    if (recipients.length > 1) this.alone.set(speed, recipients.length);
    if (this.apart.includes(speed)) this.notBefore.delete(speed);
  }
}
