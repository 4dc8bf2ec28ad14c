import { Injectable } from '@nestjs/common';
import { AdvisoryLock, Database, mayTakeLong, queryOne, sql, type Statement, type Tx } from '../../platform/database/index.js';
import { SystemAccount } from './system-account.js';

/** Journals of one step: a statement of less than a second. */
const STEP = 10_000;
/** The unit in which the digest of the history grows; `ledger_digest_block()` is the same number. */
export const JOURNALS_OF_BLOCK = 10_000n;

const AUDIT = mayTakeLong(sql`SELECT what, n FROM ledger_audit WHERE n <> 0 ORDER BY what`);
const HISTORY = mayTakeLong(sql`SELECT ledger_digest(blocks) = digest AS same FROM ledger_audit_mark`);
const ADVANCE = sql`SELECT what, n, more FROM ledger_audit_advance(${STEP})`;
const READ_MARK = sql`SELECT audited_until AS "auditedUntil", whole_at AS "wholeAt", blocks, digest FROM ledger_audit_mark`;
const WHOLE = sql`SELECT ledger_audit_whole_done()`;
const DEALER = sql`SELECT coalesce(max(posted) FILTER (WHERE currency = 1), 0)::int8 AS "btcMsat", coalesce(max(posted) FILTER (WHERE currency = 2), 0)::int8 AS "usdCents"
           FROM ledger_account WHERE id = ANY ($1::bigint[])`;
const MAY_AUDIT = sql`SELECT pg_try_advisory_xact_lock(${AdvisoryLock.ledgerAudit}) AS may`;
const SYSTEM_ACCOUNT_AT = sql`SELECT label FROM ledger_account WHERE ctid = $1::tid AND id < 0`;
const FIND_HOLD = sql`SELECT h.amount, h.state, h.created_at AS "createdAt", h.closed_at AS "closedAt" FROM ledger_hold h WHERE h.id = $1`;
const JOURNALS = sql`SELECT j.idem, j.id, j.op, j.created_at AS "createdAt" FROM ledger_journal j WHERE j.idem = ANY ($1::uuid[]) ORDER BY j.id`;
const ENTRIES = sql`SELECT e.journal_id AS "journalId", coalesce(a.label, 'account ' || a.id) AS account, e.amount
          FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE e.journal_id = ANY ($1::bigint[]) ORDER BY e.journal_id, e.account_id`;

export interface AuditFinding {
  readonly what: string;
  readonly count: number;
}

/** The accounts of the dealer: what it has bought and not sold. One of them is below zero, as a rule that of dollars: customers have them. */
export interface DealerPosition {
  readonly btcMsat: bigint;
  readonly usdCents: bigint;
}

/** How far the audits have come. */
export interface AuditMark {
  /** Every journal that was committed before this time has been audited. */
  readonly auditedUntil: Date | null;
  /** The last audit of the whole history that found nothing. */
  readonly wholeAt: Date | null;
  /** Of 10,000 journals each. */
  readonly blocks: bigint;
  /** SHA-256 over the first `blocks` blocks of the history; empty for none. */
  readonly digest: Buffer;
}

export interface HoldEvidence {
  /** Positive, in the account's unit. */
  readonly amount: bigint;
  readonly state: 'open' | 'captured' | 'voided';
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}

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

interface AuditRow {
  readonly what: string | null;
  readonly n: bigint;
}
interface StepRow extends AuditRow {
  readonly more: boolean;
}

/** An invariant that two checks found violated is one finding. */
function findingsOf(rows: readonly AuditRow[]): AuditFinding[] {
  const counts = new Map<string, number>();
  for (const { what, n } of rows) if (what !== null) counts.set(what, (counts.get(what) ?? 0) + Number(n));
  return [...counts].map(([what, count]) => ({ what, count })).sort((a, b) => (a.what < b.what ? -1 : 1));
}

/** Audits the ledger, and shows what it has booked. It moves no money: the SQL functions of payments and invoices do, by `ledger_apply`. */
@Injectable()
export class LedgerService {
  private readonly failedAuditListeners: ((findings: readonly AuditFinding[]) => Promise<void>)[] = [];
  /** The audits of other folders. */
  private readonly others: Statement[] = [];

  constructor(private readonly database: Database) {}

  /** Awaits `listener` with the findings of every scheduled audit that has any. */
  onFailedAudit(listener: (findings: readonly AuditFinding[]) => Promise<void>): void {
    this.failedAuditListeners.push(listener);
  }

  async reportFailedAudit(findings: readonly AuditFinding[]): Promise<void> {
    for (const listener of this.failedAuditListeners) await listener(findings);
  }

  /**
   * Audits the whole history: every invariant, and whether the part that was audited before has changed.
   * @returns violated invariants; empty when the ledger is sound
   */
  audit(): Promise<AuditFinding[]> {
    return this.database.transaction((tx) => this.auditIn(tx));
  }

  /** `audit`, unless another process is auditing: then null. */
  auditAlone(): Promise<AuditFinding[] | null> {
    return this.database.transaction(async (tx) => {
      const { may } = await queryOne<{ may: boolean }>(tx, MAY_AUDIT);
      return may ? this.auditIn(tx) : null;
    });
  }

  /**
   * Audits the accounts, and the journals that no audit has read: each once, after every transaction that could have written before it has
   * ended. It audits nothing while another process does.
   * @param signal ends it between two steps; what remains is audited next time
   */
  async auditNew(signal?: AbortSignal): Promise<AuditFinding[]> {
    for (;;) {
      const rows = await this.database.query<StepRow>(ADVANCE);
      if (!rows.some(({ more }) => more) || signal?.aborted) return findingsOf(rows);
    }
  }

  dealerPosition(): Promise<DealerPosition> {
    return queryOne<DealerPosition>(this.database, DEALER, [[SystemAccount.dealerBtc, SystemAccount.dealerUsd]]);
  }

  /** An audit of the whole history runs this statement too: rows (what, n) of what must be zero, and is not. */
  alsoAudit(statement: Statement): void {
    this.others.push(mayTakeLong(statement));
  }

  auditMark(): Promise<AuditMark> {
    return queryOne<AuditMark>(this.database, READ_MARK);
  }

  /** Calls `listener` with the name of a system account for whose row a statement has waited too long. */
  onLockedSystemAccount(listener: (label: string) => void): void {
    this.database.onLockedRow('ledger_account', (ctid) => {
      this.database.query<{ label: string }>(SYSTEM_ACCOUNT_AT, [ctid]).then(
        ([account]) => account && listener(account.label),
        () => undefined, // the name is lost; the statement that timed out fails on its own
      );
    });
  }

  async findHold(id: string): Promise<HoldEvidence | undefined> {
    return (await this.database.query<HoldEvidence>(FIND_HOLD, [id]))[0];
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

  private async auditIn(tx: Tx): Promise<AuditFinding[]> {
    const findings: AuditFinding[] = [];
    for (const audit of [AUDIT, ...this.others]) findings.push(...findingsOf(await tx.query<AuditRow>(audit)));
    const { same } = await queryOne<{ same: boolean }>(tx, HISTORY);
    if (!same) findings.push({ what: 'history_changed', count: 1 });
    if (findings.length === 0) await tx.query(WHOLE);
    return findings;
  }
}
