import { Injectable } from '@nestjs/common';
import { columnsOf, Database, Batcher, fragment, sliceQuery, sliceStatements, sql, type Slice, type Statement } from '../database/index.js';
import type { WalletRef } from '../wallet/index.js';
import { INVOICE_COLUMNS, type InvoiceRow } from './invoice.row.js';

export interface NewInvoice {
  readonly paymentHash: string;
  readonly accountId: string;
  readonly walletId: string;
  readonly nodeId: string;
  readonly paymentRequest: string;
  readonly paymentSecret: string;
  readonly preimage: string;
  readonly amountMsat: bigint;
  readonly memo: string | null;
  readonly descriptionHash: string | null;
  readonly externalId: string;
  /** False: another caller created it on the owner's behalf and chose `externalId`. */
  readonly byOwner: boolean;
  readonly centsPerBtc: bigint;
  readonly expirySeconds: number;
}

/** The account and wallets whose invoices to list. */
export interface InvoiceList {
  readonly accountId: string;
  readonly walletIds: readonly string[];
  /** Includes invoices that others created on the owner's behalf and that ended unpaid. */
  readonly includeExpiredByOthers?: boolean | null | undefined;
}

const FORGOTTEN: Statement = {
  name: 'invoice_forgotten_find',
  text: `SELECT paid_at IS NOT NULL AS paid FROM invoice_forgotten WHERE payment_hash = decode($1, 'hex')`,
};
const INSERT = sql`INSERT INTO invoice (payment_hash, account_id, wallet_id, node_id, payment_request, payment_secret, preimage, amount_msat, memo, description_hash, external_id, by_owner, cents_per_btc, expires_at)
         SELECT hash, account, wallet, node, request, secret, preimage, amount, memo, description_hash, external_id, by_owner, price, now() + make_interval(secs => expiry)
           FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::boolean[], $13::bigint[], $14::int[])
             AS x(hash, account, wallet, node, request, secret, preimage, amount, memo, description_hash, external_id, by_owner, price, expiry)
         ON CONFLICT DO NOTHING RETURNING ${INVOICE_COLUMNS}`;
const FIND = sql`SELECT ${INVOICE_COLUMNS} FROM invoice WHERE payment_hash = $1`;
const CANCEL: Statement = { name: 'invoice_cancel', text: 'SELECT invoice_cancel($1, $2, $3) AS result' };
const PAGES = sliceStatements({
  select: fragment`SELECT ${INVOICE_COLUMNS} FROM invoice WHERE account_id = $1 AND wallet_id = ANY ($2::uuid[])
    AND ($3 OR by_owner OR state = 'paid' OR (state = 'open' AND expires_at > now()))`,
  values: 3,
  id: fragment`payment_hash`,
});
const BATCH = 128;

/** The rows of invoices. */
@Injectable()
export class InvoiceStore {
  private readonly inserts: Batcher<NewInvoice, InvoiceRow | undefined>;

  constructor(private readonly database: Database) {
    this.inserts = new Batcher((batch) => this.insertAll(batch), { max: BATCH });
  }

  /** Undefined if the owner already has an invoice of that external id. Concurrent callers share calls. */
  insert(invoice: NewInvoice): Promise<InvoiceRow | undefined> {
    return this.inserts.submit(invoice);
  }

  async find(paymentHash: string): Promise<InvoiceRow | null> {
    const [found] = await this.database.query<InvoiceRow>(FIND, [paymentHash]);
    return found ?? null;
  }

  /** The status of an invoice whose row was deleted; null if there never was one of this hash. */
  async findForgotten(paymentHash: string): Promise<'EXPIRED' | 'PAID' | null> {
    if (!/^[0-9a-f]{64}$/.test(paymentHash)) return null;
    const [found] = await this.database.query<{ paid: boolean }>(FORGOTTEN, [paymentHash]);
    return found ? (found.paid ? 'PAID' : 'EXPIRED') : null;
  }

  async cancel(wallet: WalletRef, paymentHash: string): Promise<'cancelled' | 'paid' | 'unknown'> {
    const [row] = await this.database.query<{ result: 'cancelled' | 'paid' | 'unknown' }>(CANCEL, [
      wallet.accountId,
      wallet.id,
      paymentHash,
    ]);
    return row?.result ?? 'unknown';
  }

  list({ accountId, walletIds, includeExpiredByOthers = false }: InvoiceList, slice: Slice): Promise<InvoiceRow[]> {
    return this.database.query<InvoiceRow>(...sliceQuery(PAGES, [accountId, walletIds, includeExpiredByOthers ?? false], slice));
  }

  private async insertAll(batch: readonly NewInvoice[]): Promise<(InvoiceRow | undefined)[]> {
    const columns = columnsOf(
      batch,
      'paymentHash',
      'accountId',
      'walletId',
      'nodeId',
      'paymentRequest',
      'paymentSecret',
      'preimage',
      'amountMsat',
      'memo',
      'descriptionHash',
      'externalId',
      'byOwner',
      'centsPerBtc',
      'expirySeconds',
    );
    const rows = await this.database.query<InvoiceRow>(INSERT, columns);
    const byHash = new Map(rows.map((row) => [row.paymentHash, row]));
    return batch.map(({ paymentHash }) => byHash.get(paymentHash));
  }
}
