import { Injectable } from '@nestjs/common';
import type { Visitor } from '../auth/index.js';
import { Config } from '../config/index.js';
import type { InvoiceRow } from '../invoice/index.js';
import { bitcoin, dollars, type Html, type ShellFrame } from '../page/index.js';
import { msatOfCents, PriceSource } from '../price/index.js';
import { AccountService, type AccountRow } from '../wallet/index.js';
import { worth } from './activities.js';
import { WalletReading } from './wallet-reading.js';
import { invoicePage, receivePage, walletPage, type Balance, type InvoiceState, type ReceiveForm } from './view/index.js';

const RECENT = 10;

/** Fills the wallet's pages. */
@Injectable()
export class WalletPages {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountService,
    private readonly reading: WalletReading,
    private readonly prices: PriceSource,
  ) {}

  async wallet(frame: ShellFrame, user: Visitor['user']): Promise<Html> {
    const account = await this.accounts.getOfUser(user.id);
    return walletPage({
      frame,
      bitcoin: this.balanceOf(account, 'BTC'),
      dollar: holdsMoney(account, 'USD') ? this.balanceOf(account, 'USD') : null,
      activity: await this.reading.recent(user.id, account, RECENT),
      lightningAddress: this.addressOf(user),
    });
  }

  receive(frame: ShellFrame, user: Visitor['user'], form: ReceiveForm): Html {
    return receivePage({ frame, form, lightningAddress: this.addressOf(user) });
  }

  async invoice(frame: ShellFrame, user: Visitor['user'], paymentHash: string): Promise<Html> {
    const account = await this.accounts.getOfUser(user.id);
    const invoice = await this.reading.invoice(account, paymentHash);
    return invoicePage({
      frame,
      paymentHash: invoice.paymentHash,
      request: invoice.paymentRequest,
      amount: bitcoin(invoice.amountMsat),
      about: worth(invoice.amountMsat, this.prices.centsPerBtc()),
      memo: invoice.memo,
      expiresAt: invoice.expiresAt,
      state: await this.stateOf(account, invoice),
    });
  }

  private async stateOf(account: AccountRow, invoice: InvoiceRow): Promise<InvoiceState> {
    if (invoice.cancelled) return { kind: 'cancelled' };
    if (invoice.status === 'EXPIRED') return { kind: 'expired' };
    if (invoice.status === 'PENDING') return { kind: 'waiting' };
    const receipt = await this.reading.receipt(invoice);
    return {
      kind: 'paid',
      amount: bitcoin(receipt?.amount ?? invoice.amountMsat),
      at: invoice.paidAt ?? invoice.createdAt,
      balance: this.balanceOf(account, 'BTC').amount,
      transactionId: receipt?.id ?? '',
    };
  }

  private addressOf({ username }: Visitor['user']): string {
    return `${username}@${new URL(this.config.publicUrl).host}`;
  }

  private balanceOf({ wallets }: AccountRow, currency: 'BTC' | 'USD'): Balance {
    const wallet = wallets.find((each) => each.currency === currency);
    const [posted, held] = [wallet?.posted ?? 0n, wallet?.held ?? 0n];
    const price = this.prices.centsPerBtc();
    if (currency === 'BTC')
      return { amount: bitcoin(posted - held), about: worth(posted - held, price), held: held > 0n ? bitcoin(held) : null };
    return {
      amount: dollars(posted - held),
      about: bitcoin(msatOfCents(posted - held, price)),
      held: held > 0n ? dollars(held) : null,
    };
  }
}

const holdsMoney = ({ wallets }: AccountRow, currency: 'BTC' | 'USD'): boolean =>
  wallets.some((wallet) => wallet.currency === currency && (wallet.posted !== 0n || wallet.held !== 0n));
