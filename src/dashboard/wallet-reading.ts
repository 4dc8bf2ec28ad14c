import { Injectable } from '@nestjs/common';
import { firstPage } from '../database/index.js';
import { InvoiceService, type InvoiceRow } from '../invoice/index.js';
import { HEX_32, inAnyCase } from '../kernel/form.js';
import { HistoryService, type AccountRow } from '../wallet/index.js';
import { Activities } from './activities.js';
import { PageError } from '../page/index.js';

/** Reads history and invoices for the wallet's pages. */
@Injectable()
export class WalletReading {
  constructor(
    private readonly history: HistoryService,
    private readonly invoices: InvoiceService,
    private readonly activities: Activities,
  ) {}

  async recent(userId: string, account: AccountRow, limit: number): ReturnType<Activities['of']> {
    const scope = { accountId: account.id, walletIds: account.wallets.map(({ id }) => id) };
    const rows = await this.history.list(scope, firstPage(limit));
    return this.activities.of(userId, rows.slice(0, limit));
  }

  /** @throws PageError unless it is an invoice of this account */
  async invoice(account: AccountRow, paymentHash: string): Promise<InvoiceRow> {
    const invoice = inAnyCase(HEX_32).test(paymentHash) ? await this.invoices.findByHash(paymentHash) : null;
    if (invoice?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    return invoice;
  }

  async receipt({ walletId, paymentHash }: InvoiceRow): Promise<{ id: string; amount: bigint } | undefined> {
    return (await this.history.listByHash(walletId, paymentHash)).find(({ direction }) => direction === 'RECEIVE');
  }
}
