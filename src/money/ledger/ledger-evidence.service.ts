import { Injectable } from '@nestjs/common';
import { columns, Database, sql, type RowOf } from '../../platform/database/index.js';
import { LedgerHoldEntity } from './ledger.entity.js';

const HOLD = columns(LedgerHoldEntity).only('amount', 'state', 'createdAt', 'closedAt');
const FIND_HOLD = sql`SELECT ${HOLD.of('h')} FROM ledger_hold h WHERE h.id = $1`;
const JOURNALS = sql`SELECT j.idem, j.id, j.op, j.created_at AS "createdAt" FROM ledger_journal j WHERE j.idem = ANY ($1::uuid[]) ORDER BY j.id`;
const ENTRIES = sql`SELECT e.journal_id AS "journalId", coalesce(a.label, 'account ' || a.id) AS account, e.amount
          FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE e.journal_id = ANY ($1::bigint[]) ORDER BY e.journal_id, e.account_id`;
const CUSTOMER_ENTRIES = sql`SELECT CASE e.currency WHEN 1 THEN 'BTC' ELSE 'USD' END AS currency, e.amount
          FROM ledger_journal j JOIN ledger_entry e ON e.journal_id = j.id WHERE j.idem = $1 AND e.account_id > 0`;

export type HoldEvidence = RowOf<typeof HOLD>;

interface JournalRow {
  readonly idem: string;
  readonly id: bigint;
  readonly op: 'post' | 'hold' | 'capture' | 'void';
  readonly createdAt: Date;
}

interface EntryRow {
  readonly journalId: bigint;
  readonly account: string;
  readonly amount: bigint;
}

/** A journal with its entries. `account` is the name of a system account, or the number of a customer's. */
export interface JournalEvidence extends JournalRow {
  readonly entries: readonly Omit<EntryRow, 'journalId'>[];
}

/** An amount below zero was paid by the customer. */
export interface CustomerEntry {
  readonly currency: 'BTC' | 'USD';
  readonly amount: bigint;
}

@Injectable()
export class LedgerEvidenceService {
  constructor(private readonly database: Database) {}

  async findHold(id: string): Promise<HoldEvidence | undefined> {
    return (await this.database.query<HoldEvidence>(FIND_HOLD, [id]))[0];
  }

  listCustomerEntries(key: string): Promise<CustomerEntry[]> {
    return this.database.query<CustomerEntry>(CUSTOMER_ENTRIES, [key]);
  }

  /** The journals with these keys, in the order in which they were booked. */
  async listJournals(keys: readonly string[]): Promise<JournalEvidence[]> {
    const journals = await this.database.query<JournalRow>(JOURNALS, [keys]);
    const entries = await this.database.query<EntryRow>(ENTRIES, [journals.map(({ id }) => id)]);
    return journals.map((journal) => ({
      ...journal,
      entries: entries.filter(({ journalId }) => journalId === journal.id).map(({ account, amount }) => ({ account, amount })),
    }));
  }
}
