import { Injectable } from '@nestjs/common';
import { AdvisoryLock, Batcher, columns, Database, mayTakeLong, sql, type RowOf } from '../database/index.js';
import { LedgerAccountEntity } from './ledger.entity.js';
import { isReadable, operationRecords, type LedgerOperation } from './ledger.input.js';
import type { AuditFinding, LedgerBalance, LedgerResult } from './ledger.outcome.js';

const BALANCE = columns(LedgerAccountEntity).only('id', 'posted', 'held');
const APPLY = sql`SELECT ledger_apply($1::ledger_operation[]) AS results`;
const AUDIT = mayTakeLong(sql`SELECT what, n FROM ledger_audit WHERE n <> 0 ORDER BY what`);
const MAY_AUDIT = sql`SELECT pg_try_advisory_xact_lock(${AdvisoryLock.ledgerAudit}) AS may`;
const SYSTEM_ACCOUNT_AT = sql`SELECT label FROM ledger_account WHERE ctid = $1::tid AND id < 0`;
const BALANCES = sql`SELECT ${BALANCE.of('ledger_account')} FROM ledger_account WHERE id = ANY ($1)`;

const BATCH_MAX = 256;

interface AuditRow {
  readonly what: string;
  readonly n: bigint;
}
const findings = (rows: readonly AuditRow[]): AuditFinding[] => rows.map(({ what, n }) => ({ what, count: Number(n) }));

/** The ledger for callers that only move money. Payments call `ledger_apply` in their own SQL functions. */
@Injectable()
export class LedgerService {
  private readonly batcher = new Batcher<LedgerOperation, LedgerResult>((batch) => this.send(batch), { max: BATCH_MAX });

  constructor(private readonly database: Database) {}

  /**
   * Applies operations in order and independently: a refused one does not affect the others. Concurrent callers share batches.
   * @returns one result per operation
   * @throws the database's error: then each operation may or may not have been applied; a retry with the same keys applies it once
   */
  async apply(operations: readonly LedgerOperation[]): Promise<LedgerResult[]> {
    return Promise.all(operations.map(async (operation) => (isReadable(operation) ? this.batcher.submit(operation) : 'invalid')));
  }

  /** One statement over the whole history. @returns violated invariants; empty when the ledger is sound */
  async audit(): Promise<AuditFinding[]> {
    return findings(await this.database.query<AuditRow>(AUDIT));
  }

  /** `audit`, unless another process is auditing: then null. */
  async auditAlone(): Promise<AuditFinding[] | null> {
    return this.database.transaction(async (tx) => {
      const [answer] = await tx.query<{ may: boolean }>(MAY_AUDIT);
      return answer?.may ? findings(await tx.query<AuditRow>(AUDIT)) : null;
    });
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

  /** Balances of the given accounts, without those that do not exist. */
  async balances(accountIds: readonly bigint[]): Promise<Map<bigint, LedgerBalance>> {
    const rows = await this.database.query<RowOf<typeof BALANCE>>(BALANCES, [accountIds]);
    return new Map(rows.map(({ id, posted, held }) => [id, { posted, held }]));
  }

  private async send(batch: readonly LedgerOperation[]): Promise<LedgerResult[]> {
    const [row] = await this.database.query<{ results: LedgerResult[] }>(APPLY, [operationRecords(batch)]);
    return row?.results ?? [];
  }
}
