import { Injectable } from '@nestjs/common';
import { Leaders } from '../../../platform/job/index.js';
import { ThrottledReport } from '../../../platform/kernel/throttled-report.js';
import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';
import { Log } from '../../../platform/logging/index.js';
import { OnChainWallet } from '../onchain-wallet.js';
import { OnChainSettings } from '../onchain.settings.js';
import type { ChainTip, TransactionPage, WalletTransaction } from '../onchain-backend.js';
import { DepositBooking } from './deposit-booking.service.js';
import { DepositStore, type ScanStart, type SeenOutput } from './deposit.store.js';

/** Blocks below the last scanned one that are read again at each new block: a reorganisation may reach as far. */
const REREAD_BLOCKS = 144;
/** The same while there is no new block. The mempool is always read. */
const RECENT_BLOCKS = 6;
const MAX_ROUND_MS = 60_000;
/** Of the transaction that has spent the coins of another one: that one will not come. */
const FINAL_CONFIRMATIONS = 6;

type KnownTip = Extract<ChainTip, { status: 'known' }>;

/** The wallet does not answer, or has read another block meanwhile. */
class WalletAwayError extends Error {}

/**
 * Reads what is paid to the addresses of wallets. One process scans, for economy; what it writes holds while several do, because the scan that
 * has begun last is the only one that may. It reads again as often as wanted, so it needs no stream, and misses nothing of an outage.
 */
@Injectable()
export class DepositScan {
  private readonly log = new Log(DepositScan.name);
  private readonly unavailable = new ThrottledReport((_ids, because) =>
    this.log.warn('deposit_scan_unavailable', {}, `The chain could not be scanned for deposits; it is scanned again: ${because}`),
  );

  constructor(
    private readonly wallet: OnChainWallet,
    private readonly store: DepositStore,
    private readonly booking: DepositBooking,
    settings: OnChainSettings,
    leaders: Leaders,
  ) {
    if (!wallet.isPresent) return;
    leaders.loop({
      name: 'deposits',
      role: 'deposits',
      pauseMs: settings.scanMs,
      limitMs: MAX_ROUND_MS,
      round: (signal) => this.scan(signal),
      onFailure: ({ message }) => this.unavailable.add('', message),
    });
  }

  private async scan(signal: AbortSignal): Promise<void> {
    const start = await this.store.begin();
    const tip = await this.tip(signal);
    const from = firstBlock(start, tip);
    for (let cursor: number | null = 0; cursor !== null;) {
      const page: TransactionPage | undefined = await unlessAborted(this.wallet.transactions(from, cursor), signal);
      if (!page) return;
      if (page.status === 'unknown') throw new WalletAwayError('the wallet does not list its transactions');
      if (!(await this.store.see(start.scan, page.transactions.flatMap(outputsOf)))) return;
      cursor = page.next;
    }
    // What a reorganisation has moved between two pages is on neither.
    if ((await this.tip(signal)).hash !== tip.hash) return;
    await this.booking.settle(start.scan, from, tip);
    await this.askForGone(tip, signal);
  }

  private async tip(signal: AbortSignal): Promise<KnownTip> {
    const tip = await unlessAborted(this.wallet.tip(), signal);
    if (tip?.status !== 'known') throw new WalletAwayError('the wallet does not report the tip of its chain');
    return tip;
  }

  /** Only a transaction that spends the same coin, deep in the chain, proves that a deposit will not come. */
  private async askForGone(tip: KnownTip, signal: AbortSignal): Promise<void> {
    if (!this.wallet.capabilities.has('conflicts')) return;
    const replaced: string[] = [];
    for (const txid of await this.store.listGone()) {
      const found = await unlessAborted(this.wallet.lookup(txid), signal);
      if (found?.status === 'replaced' && tip.height - found.height + 1 >= FINAL_CONFIRMATIONS) replaced.push(txid);
    }
    if (replaced.length > 0) await this.store.fail(replaced);
  }
}

/** A wallet that is older than Sluice may have more transactions than it lists within a round. */
function firstBlock({ height, blockHash, hasAddresses }: ScanStart, tip: KnownTip): number {
  if (height === null && hasAddresses) return 0;
  const isRecent = height === null || blockHash === tip.hash;
  return Math.max(0, isRecent ? tip.height - RECENT_BLOCKS : Math.min(height, tip.height) - REREAD_BLOCKS);
}

const outputsOf = ({ txid, height, blockHash, seenAt, outputs }: WalletTransaction): SeenOutput[] =>
  outputs.filter(({ isOurs }) => isOurs).map(({ vout, address, sats }) => ({ txid, vout, address, sats, height, blockHash, seenAt }));
