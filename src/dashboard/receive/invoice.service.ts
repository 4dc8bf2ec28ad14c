import { Injectable } from '@nestjs/common';
import { bitcoin, dollars, PageError, type Money } from '../../edge/page/index.js';
import { InvoiceService, type InvoiceRow } from '../../money/invoice/index.js';
import { PriceService } from '../../money/price/index.js';
import { HistoryService } from '../../money/transaction/index.js';
import { AccountService, type AccountRow, type Currency } from '../../money/wallet/index.js';
import { HEX_32, inAnyCase } from '../../platform/kernel/form.js';
import { satsCeil } from '../../platform/kernel/money.js';
import { availableIn, moneyOf, worthNow, worthThen } from '../activity/amount.js';
import { InvoiceAddressService } from './invoice-address.service.js';
import type { InvoiceModel, ReceiveState } from './invoice.view.js';

/** What the page of an invoice shows. */
@Injectable()
export class InvoicePageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
    private readonly history: HistoryService,
    private readonly prices: PriceService,
    private readonly addresses: InvoiceAddressService,
  ) {}

  get hasAddresses(): boolean {
    return this.addresses.isSupported;
  }

  /** @throws PageError unless it is an invoice of this person */
  async find(
    { id: userId, username }: { readonly id: string; readonly username: string },
    hash: string,
  ): Promise<Omit<InvoiceModel, 'frame'>> {
    const [account, invoice] = await this.ofPerson(userId, hash);
    const wallet = account.wallets.find(({ id }) => id === invoice.walletId)?.currency ?? 'BTC';
    const amount = amountOf(invoice);
    // The payer pays satoshis: those of an invoice in dollars are fixed.
    const inSats = invoice.amountMsat === null ? null : worthNow(invoice.amountMsat, 'BTC', account, this.prices.quote);
    const about = amount?.currency === 'USD' ? bitcoin(invoice.amountMsat ?? 0n) : inSats;
    const state = await this.stateOf(account, invoice, wallet);
    const sats = invoice.amountMsat === null ? null : satsCeil(invoice.amountMsat);
    return { ...invoice, username, wallet, amount, about, state, sats, ...(await this.addresses.find(account, invoice, sats)) };
  }

  /** @throws PageError unless it is an invoice of this person, and its wallet has an address */
  async showAddress(userId: string, hash: string): Promise<void> {
    const [, { walletId }] = await this.ofPerson(userId, hash);
    await this.addresses.show(userId, walletId);
  }

  private async ofPerson(userId: string, hash: string): Promise<[AccountRow, InvoiceRow]> {
    const invoice = isHash(hash) ? await this.invoices.findByHash(hash) : null;
    // After the invoice: the new balance of a paid one includes it.
    const account = await this.accounts.getOfUser(userId);
    if (invoice?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    return [account, invoice];
  }

  private async stateOf(account: AccountRow, invoice: InvoiceRow, wallet: Currency): Promise<ReceiveState> {
    const kind = stateOf(invoice);
    if (kind !== 'paid') return { kind };
    const receipt = (await this.history.listByHash(invoice.walletId, invoice.paymentHash)).find(({ direction }) => direction === 'RECEIVE');
    return {
      kind: 'paid',
      amount: receipt ? moneyOf(receipt.amount, receipt.currency) : (amountOf(invoice) ?? bitcoin(0n)),
      about: receipt ? worthThen(receipt.amount, receipt) : null,
      at: invoice.paidAt ?? invoice.createdAt,
      balance: moneyOf(availableIn(account, wallet), wallet),
      transactionId: receipt?.id ?? '',
    };
  }
}

export const amountOf = ({ amountMsat, amountCents }: InvoiceRow): Money | null =>
  amountCents !== null ? dollars(amountCents) : amountMsat === null ? null : bitcoin(amountMsat);

export function stateOf({ cancelled, status, leftMs }: InvoiceRow): ReceiveState['kind'] {
  if (cancelled) return 'cancelled';
  if (status === 'EXPIRED') return 'expired';
  if (status === 'PAID') return 'paid';
  return leftMs > 0 ? 'waiting' : 'closing';
}

export const isHash = (text: string): boolean => inAnyCase(HEX_32).test(text);
