import { Injectable } from '@nestjs/common';
import {
  Batcher,
  columns,
  Database,
  fragment,
  mergedPageStatements,
  pageQuery,
  sql,
  type RowOf,
  type PageRequest,
  queryOne,
} from '../../platform/database/index.js';
import { HEX_32 } from '../../platform/kernel/form.js';
import { DealerService } from '../price/index.js';
import { distinctWallets, MAX_WALLETS, type WalletRef } from '../wallet/index.js';
import { InvoiceEntity } from './invoice.entity.js';
import { INVOICE_COLUMNS, type InvoiceList, type InvoiceRow } from './invoice.row.js';

const NEW_INVOICE = columns(InvoiceEntity).except('state', 'settledVia', 'expiresAt', 'createdAt', 'paidAt', 'closedAt', 'nextLookAt');

export interface NewInvoice extends RowOf<typeof NEW_INVOICE> {
  readonly expirySeconds: number;
}

const FORGOTTEN = sql`SELECT paid_at IS NOT NULL AS paid FROM invoice_forgotten WHERE payment_hash = decode($1, 'hex')`;
/** $1: seconds until the expiry. */
const INSERT = sql`INSERT INTO invoice (${NEW_INVOICE.names}, expires_at)
         SELECT ${NEW_INVOICE.names}, now() + make_interval(secs => expiry)
           FROM unnest(${NEW_INVOICE.arrays(2)}, $1::integer[]) AS new (${NEW_INVOICE.names}, expiry)
         WHERE EXISTS (SELECT FROM wallet w WHERE w.id = new.wallet_id) ON CONFLICT DO NOTHING RETURNING ${INVOICE_COLUMNS}`;
const LOCK = sql`SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE`;
/** Dollars expire within minutes. A time of the future is from when the clock was ahead: that of a concurrent call is a moment later. */
const OPEN_CENTS = sql`SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM invoice
         WHERE wallet_id = $1 AND by_owner = $2 AND state = 'open' AND expires_at > now()
           AND created_at > now() - interval '1 hour' AND created_at <= now() + interval '1 minute'`;
const FIND = sql`SELECT ${INVOICE_COLUMNS} FROM invoice WHERE payment_hash = $1`;
const PAYABLE = sql`SELECT ${INVOICE_COLUMNS} FROM invoice WHERE payment_hash = ANY (ARRAY(SELECT invoice_payable($1, $2)))`;
const HAS_WALLET = sql`SELECT 1 FROM wallet WHERE id = $1`;
const CANCEL = sql`SELECT invoice_cancel($1, $2, $3) AS result`;
const PAGES = mergedPageStatements({
  select: fragment`SELECT ${INVOICE_COLUMNS} FROM invoice WHERE wallet_id = list.id
    AND ($3 OR by_owner OR state = 'paid' OR (state = 'open' AND expires_at > now()))`,
  values: 3,
  id: fragment`payment_hash`,
  ids: 2,
  max: MAX_WALLETS,
  order: { createdAt: fragment`"createdAt"`, id: fragment`"paymentHash"` },
  where: fragment`page."accountId" = $1`,
});

@Injectable()
export class InvoiceStore {
  private readonly inserts: Batcher<NewInvoice, InvoiceRow | undefined>;

  constructor(
    private readonly database: Database,
    private readonly dealer: DealerService,
  ) {
    this.inserts = new Batcher((batch) => this.insertAll(batch));
  }

  /** Undefined if the owner already has an invoice of that external id, or the wallet is gone. Concurrent callers share calls, except for an amount in dollars. */
  insert(invoice: NewInvoice): Promise<InvoiceRow | undefined | 'too_much_open'> {
    const { amountCents } = invoice;
    return amountCents === null ? this.inserts.submit(invoice) : this.insertDollars(invoice, amountCents);
  }

  /** One at a time of an account, so that its bound is exact. */
  private insertDollars(invoice: NewInvoice, amountCents: bigint): Promise<InvoiceRow | undefined | 'too_much_open'> {
    const { accountId, walletId, externalIdByOwner } = invoice;
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK, [accountId]);
      const { cents } = await queryOne<{ cents: bigint }>(tx, OPEN_CENTS, [walletId, externalIdByOwner]);
      if (cents + amountCents > this.dealer.openInvoiceCents) return 'too_much_open';
      const [row] = await tx.query<InvoiceRow>(INSERT, [[invoice.expirySeconds], ...NEW_INVOICE.arraysOf([invoice])]);
      return row;
    });
  }

  async find(paymentHash: string): Promise<InvoiceRow | null> {
    const [found] = await this.database.query<InvoiceRow>(FIND, [paymentHash]);
    return found ?? null;
  }

  /** The status of an invoice whose row was deleted; null if there never was one of this hash. */
  async findForgotten(paymentHash: string): Promise<'EXPIRED' | 'PAID' | null> {
    if (!HEX_32.test(paymentHash)) return null;
    const [found] = await this.database.query<{ paid: boolean }>(FORGOTTEN, [paymentHash]);
    return found ? (found.paid ? 'PAID' : 'EXPIRED') : null;
  }

  /** False: its account was deleted, which other processes learn from the database only. */
  async hasWallet(walletId: string): Promise<boolean> {
    return (await this.database.query(HAS_WALLET, [walletId])).length > 0;
  }

  /** Those of an account's wallets that their node may still be paid. */
  listPayable(walletIds: readonly string[], limit: number): Promise<InvoiceRow[]> {
    return this.database.query<InvoiceRow>(PAYABLE, [walletIds, limit]);
  }

  async cancel(wallet: Pick<WalletRef, 'id' | 'accountId'>, paymentHash: string): Promise<'cancelled' | 'paid' | 'unknown'> {
    const values = [wallet.accountId, wallet.id, paymentHash];
    return (await queryOne<{ result: 'cancelled' | 'paid' | 'unknown' }>(this.database, CANCEL, values)).result;
  }

  list({ accountId, walletIds, includeExpiredByOthers }: InvoiceList, pageRequest: PageRequest): Promise<InvoiceRow[]> {
    const values = [accountId, distinctWallets(walletIds), includeExpiredByOthers ?? false];
    return this.database.query<InvoiceRow>(...pageQuery(PAGES, values, pageRequest));
  }

  private async insertAll(batch: readonly NewInvoice[]): Promise<(InvoiceRow | undefined)[]> {
    const expiries = batch.map(({ expirySeconds }) => expirySeconds);
    const rows = await this.database.query<InvoiceRow>(INSERT, [expiries, ...NEW_INVOICE.arraysOf(batch)]);
    const byHash = new Map(rows.map((row) => [row.paymentHash, row]));
    return batch.map(({ paymentHash }) => byHash.get(paymentHash));
  }
}
