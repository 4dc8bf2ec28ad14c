import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/kernel/clock.js';
import { OnChainWallet, type ChainAddress, type FeeRate } from '../../onchain/index.js';
import type { PayoutOrder } from './payout.entity.js';
import { PayoutSettings, type PayoutSpeed } from './payout.settings.js';
import { PayoutStore } from './payout.store.js';
import { vbytesOf } from './payout-transaction.js';

const RATE_KEPT_MS = 30_000;

/** What a payment to an address may cost, and when it is sent. All of the cost is held, and what the miner does not get returns. */
@Injectable()
export class PayoutFees {
  private readonly rates = new Map<PayoutSpeed, { readonly rate: Promise<FeeRate>; readonly until: number }>();

  constructor(
    private readonly settings: PayoutSettings,
    private readonly wallet: OnChainWallet,
    private readonly store: PayoutStore,
    private readonly clock: Clock,
  ) {}

  get isPresent(): boolean {
    return this.wallet.isPresent;
  }

  /** @returns undefined while the wallet knows no rate. @param sats the amount, or with `isAll` the amount and its fee */
  async quote(address: ChainAddress, sats: bigint, speed: PayoutSpeed, isAll: boolean): Promise<PayoutOrder | undefined> {
    const rate = await this.rateOf(speed);
    if (rate.status !== 'known') return undefined;
    const vbytes = vbytesOf(address);
    const minerLimitSats = BigInt(Math.ceil((rate.satsPerVbyte * vbytes * (100 + this.settings.marginPercent)) / 100));
    const amountSats = isAll ? sats - minerLimitSats - this.settings.serviceFeeOf(sats) : sats;
    return { speed, vbytes, minerLimitSats, serviceSats: this.settings.serviceFeeOf(amountSats), isAll };
  }

  /** Whether the wallet has so much, beside what it keeps for channels and what was promised before. Change that waits for a block counts. */
  async covers(sats: bigint): Promise<boolean | 'unknown'> {
    const [balance, unsentSats] = await Promise.all([this.wallet.balance(), this.store.unsentSats()]);
    if (balance.status !== 'known') return 'unknown';
    return balance.confirmedSats + balance.unconfirmedSats - balance.reservedSats - unsentSats >= sats;
  }

  /** When a payment is sent, which is in no transaction yet; null: it is in one, or cancelled, or no payment to a bitcoin address. */
  expectedAt(id: string): Promise<Date | null> {
    return this.store.expected.load(id);
  }

  private rateOf(speed: PayoutSpeed): Promise<FeeRate> {
    const known = this.rates.get(speed);
    if (known && this.clock.elapsed() < known.until) return known.rate;
    const rate = this.wallet.feeRate(this.settings.speeds[speed].targetBlocks);
    this.rates.set(speed, { rate, until: this.clock.elapsed() + RATE_KEPT_MS });
    void rate.then(({ status }) => status === 'unknown' && this.rates.delete(speed));
    return rate;
  }
}
