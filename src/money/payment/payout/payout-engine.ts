import { Injectable } from '@nestjs/common';
import { Leaders } from '../../../platform/job/index.js';
import { Log, LogInterval } from '../../../platform/logging/index.js';
import { OnChainWallet, type Outpoint, type TransactionStatus } from '../../onchain/index.js';
import { PayoutSender } from './payout-sender.js';
import { PayoutSettings } from './payout.settings.js';
import { PayoutStore, type LiveBatch } from './payout.store.js';
import { inputsOf } from './payout-transaction.js';

type SentBatch = LiveBatch & { readonly txid: string; readonly txids: readonly string[] };

const REPORT_EVERY_MS = 600_000;

/**
 * Sends payouts and follows their transactions until they are deep in the chain; one process does it for all. It is correct with two: each
 * step is one statement that the state of the batch allows or not.
 */
@Injectable()
export class PayoutEngine {
  private readonly log = new Log(PayoutEngine.name);
  private readonly reports = new LogInterval(REPORT_EVERY_MS);
  private lookedAt = -Infinity;
  private tipHash = '';

  constructor(
    private readonly settings: PayoutSettings,
    private readonly wallet: OnChainWallet,
    private readonly store: PayoutStore,
    private readonly sender: PayoutSender,
    leaders: Leaders,
  ) {
    if (!wallet.isPresent) return;
    leaders.loop({
      name: 'payouts',
      role: 'payouts',
      pauseMs: settings.roundMs,
      round: (signal) => this.round(signal),
      onFailure: ({ message }) => this.log.warn('payout_unavailable', {}, `Payouts could not be sent or followed: ${message}`),
    });
  }

  private async round(signal: AbortSignal): Promise<void> {
    const live = await this.store.live();
    for (const { id, isAbandoned } of live) if (isAbandoned) await this.sender.dissolve(id);
    const sent = live.filter((batch): batch is SentBatch => batch.txid !== null);
    for (const { id, txid, raw } of sent) if (raw !== null && !signal.aborted) await this.sender.publish(id, { raw, txid });
    if (sent.length > 0) await this.look(sent, signal);
    for (const speed of new Set([...(await this.store.due()), ...this.sender.apart])) if (!signal.aborted) await this.sender.send(speed);
    await this.store.noticeLate();
  }

  /** With each block, and now and then: a transaction may leave the mempool without one. */
  private async look(sent: readonly SentBatch[], signal: AbortSignal): Promise<void> {
    const tip = await this.wallet.tip();
    const isDue = performance.now() - this.lookedAt >= this.settings.lookSeconds * 1_000;
    if (tip.status !== 'known' || (!isDue && tip.hash === this.tipHash)) return;
    for (const batch of sent) if (!signal.aborted) await this.follow(batch, tip.height);
    if (!signal.aborted) [this.lookedAt, this.tipHash] = [performance.now(), tip.hash];
  }

  private async follow(batch: SentBatch, tipHeight: number): Promise<void> {
    const inputs = batch.psbt === null ? [] : inputsOf(batch.psbt);
    const statuses = await Promise.all(batch.txids.map(async (txid) => ({ txid, ...(await this.wallet.lookup(txid, inputs)) })));
    for (const status of statuses) if (status.status === 'confirmed') return this.confirmed(batch, status, tipHeight);
    if (statuses.some(({ status }) => status === 'unknown')) return;
    if (batch.state === 'confirmed') {
      this.log.warn('payout_block_gone', { batchId: batch.id, txid: batch.txid }, `Payouts ${batch.id}: a reorganisation took their block`);
      return this.store.unconfirm(batch.id);
    }
    // Of a coin whose own transaction was replaced after a reorganisation, there is none any more.
    const origins = await Promise.all(inputs.map(({ txid }) => this.wallet.lookup(txid)));
    for (const status of [...statuses, ...origins]) if (isConflict(status, batch)) return this.conflicting(batch, status, tipHeight);
    if (inputs.length > 0) await this.renewLease(batch, inputs);
    const isGone = statuses.some(({ txid, status }) => txid === batch.txid && status === 'not_found');
    if (isGone && batch.state === 'broadcast') await this.store.unconfirm(batch.id);
  }

  private async confirmed(
    { id, state, blockHash: known, height: before }: SentBatch,
    { txid, height, blockHash }: Extract<TransactionStatus, { status: 'confirmed' }> & { readonly txid: string },
    tipHeight: number,
  ): Promise<void> {
    if (state !== 'confirmed' || known !== blockHash || before !== height) await this.store.confirm(id, txid, height, blockHash);
    else if (tipHeight - height + 1 >= this.settings.finalConfirmations) await this.store.makeFinal(id, height);
  }

  /** No version of the batch can be in the chain any more once the other transaction is deep enough; each spends the same inputs. */
  private async conflicting({ id, txid }: SentBatch, { by, height }: Conflict, tipHeight: number): Promise<void> {
    const isOver = tipHeight - height + 1 >= this.settings.replacedConfirmations;
    if (isOver || this.reports.isOver(id))
      this.log.error(
        'payout_conflict',
        { batchId: id, txid, by, height },
        `Payouts ${id}: ${by} has spent inputs of ${txid}; ${isOver ? 'they are sent by another transaction' : 'waiting for its confirmations'}`,
      );
    if (isOver) await this.store.replace(id);
  }

  private async renewLease({ id, txid }: SentBatch, inputs: readonly Outpoint[]): Promise<void> {
    const isRenewed = await this.wallet.renewLease(this.sender.leaseOf(id), inputs);
    if (isRenewed === true) return this.store.leased(id);
    if (isRenewed === false && this.reports.isOver(`lease ${id}`))
      this.log.warn('payout_lease_lost', { batchId: id, txid }, `Payouts ${id}: the wallet no longer keeps inputs of ${txid} for them`);
  }
}

type Conflict = Extract<TransactionStatus, { status: 'replaced' }>;

const isConflict = (status: TransactionStatus, { txids }: SentBatch): status is Conflict =>
  status.status === 'replaced' && !txids.includes(status.by);
