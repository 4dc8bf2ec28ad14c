import { Injectable } from '@nestjs/common';
import { Database, queryOne, sql } from '../../../platform/database/index.js';
import { LedgerService, type AuditFinding } from '../../ledger/index.js';
import { Log } from '../../../platform/logging/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import type { NewOperatorAction } from '../../../platform/operator-action/index.js';

const LIST = sql`SELECT subject, cause, because, since FROM payment_freeze ORDER BY since DESC, subject LIMIT $1`;
const COUNT = sql`SELECT count(*)::int AS count FROM payment_freeze`;
const SET = sql`SELECT payment_freeze_set($1, $2, $3, $4) AS outcome`;
const END = sql`SELECT payment_freeze_end($1, false, $2, $3) AS ended`;

/** Why sends are stopped: an operator has decided so, the audit of the ledger has failed, or the node and the ledger disagree. */
type FreezeCause = 'operator' | 'audit' | 'reconciliation';

/** Sends that are stopped. */
export interface PaymentFreezeRow {
  /** The id of an account; `all`: the sends of all accounts. */
  readonly subject: string;
  readonly cause: FreezeCause;
  readonly because: string;
  readonly since: Date;
}

export type FreezeReason = Pick<NewOperatorAction, 'who' | 'because'>;

/** `already`: the same cause has stopped them before. `unknown`: there is no such account. */
type FreezeOutcome = 'frozen' | 'already' | 'unknown';

/**
 * Stops sends: those of an account, or of all accounts (null). What is in flight ends as usual, and payments arrive. The audit of the ledger
 * stops all sends when it fails, and only an operator allows them again. The comparison with the node (`reconciliation`) stops and allows
 * them by SQL functions of its own.
 */
@Injectable()
export class PaymentFreezeService {
  private readonly log = new Log(PaymentFreezeService.name);

  constructor(
    private readonly database: Database,
    ledger: LedgerService,
    metrics: Metrics,
  ) {
    ledger.onFailedAudit((findings) => this.freezeAll(findings));
    metrics.gauge('sluice_payment_freezes', 'Accounts whose sends are stopped, and one more for all sends', async () => {
      return (await queryOne<{ count: number }>(database, COUNT)).count;
    });
  }

  list(limit: number): Promise<PaymentFreezeRow[]> {
    return this.database.query<PaymentFreezeRow>(LIST, [limit]);
  }

  async freeze(accountId: string | null, cause: FreezeCause, { who, because }: FreezeReason): Promise<FreezeOutcome> {
    return (await queryOne<{ outcome: FreezeOutcome }>(this.database, SET, [accountId, cause, who, because])).outcome;
  }

  /** Ends the freezes of the account, or those of all accounts, except that of the comparison with the node. @returns whether there was one */
  async thaw(accountId: string | null, { who, because }: FreezeReason): Promise<boolean> {
    return (await queryOne<{ ended: boolean }>(this.database, END, [accountId, who, because])).ended;
  }

  private async freezeAll(findings: readonly AuditFinding[]): Promise<void> {
    const because = findings.map(({ what, count }) => `${what}: ${count}`).join(', ');
    if ((await this.freeze(null, 'audit', { who: 'sluice', because })) === 'frozen')
      this.log.error('payment_sends_stopped', { findings }, `All sends are stopped, because the audit of the ledger failed: ${because}`);
  }
}
