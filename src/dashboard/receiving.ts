import { Injectable } from '@nestjs/common';
import { InvoiceService } from '../invoice/index.js';
import { HEX_32, inAnyCase } from '../kernel/form.js';
import { MEMO_BYTES } from '../kernel/text.js';
import { SATS_PER_BTC } from '../kernel/money.js';
import { PageError, readAmount } from '../page/index.js';
import { PriceSource } from '../price/index.js';
import { AccountService } from '../wallet/index.js';
import type { ReceiveForm } from './view/index.js';

export type ReceivingOutcome =
  { readonly kind: 'made'; readonly paymentHash: string } | { readonly kind: 'mistaken'; readonly form: ReceiveForm };

const MAX_SATS = 10_000_000_000_000n;

/** Creates and cancels invoices from what a person typed. */
@Injectable()
export class Receiving {
  constructor(
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
    private readonly prices: PriceSource,
  ) {}

  async ask(userId: string, typed: Pick<ReceiveForm, 'amount' | 'unit' | 'memo'>): Promise<ReceivingOutcome> {
    const sats = this.satsOf(typed);
    const errors: ReceiveForm['errors'] = {
      ...(typeof sats === 'string' && { amount: sats }),
      ...(Buffer.byteLength(typed.memo) > MEMO_BYTES && {
        memo: `Use at most ${MEMO_BYTES} bytes: shorten the text or remove emoji.`,
      }),
    };
    if (typeof sats === 'string' || errors.memo !== undefined) return { kind: 'mistaken', form: { ...typed, errors } };
    const { wallets } = await this.accounts.getOfUser(userId);
    const walletId = wallets.find(({ currency }) => currency === 'BTC')?.id ?? '';
    const outcome = await this.invoices.create({ walletId, userId, amountSats: Number(sats), memo: typed.memo });
    if (outcome.kind === 'created') return { kind: 'made', paymentHash: outcome.invoice.paymentHash };
    throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
  }

  /** Cancelling an invoice that is paid, or another person's, changes nothing: its page shows its state. */
  async cancel(userId: string, paymentHash: string): Promise<void> {
    if (!inAnyCase(HEX_32).test(paymentHash)) throw new PageError({ kind: 'error', error: 'missing' });
    const invoice = await this.invoices.findByHash(paymentHash);
    if (invoice) await this.invoices.cancel(userId, invoice.walletId, paymentHash);
  }

  /** Whole satoshis, or the fault as a sentence. Dollars are converted at the current price, rounded up. */
  private satsOf({ amount, unit }: Pick<ReceiveForm, 'amount' | 'unit'>): bigint | string {
    const reading = readAmount(amount, unit);
    if (reading.kind === 'refused') return reading.reason;
    const price = this.prices.centsPerBtc();
    const sats = reading.kind === 'empty' ? 0n : unit === 'sats' ? reading.value : (reading.value * SATS_PER_BTC + price - 1n) / price;
    if (sats === 0n) return 'Enter an amount of at least 1 sat.';
    return sats > MAX_SATS ? 'That amount is too large.' : sats;
  }
}
