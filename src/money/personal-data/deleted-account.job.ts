import { Injectable } from '@nestjs/common';
import { Mail } from '../../edge/mail/index.js';
import { Database, queryOne, sql, type Tx } from '../../platform/database/index.js';
import { Jobs, type JobRun } from '../../platform/job/index.js';
import { InvoiceService } from '../invoice/index.js';

const TASK = 'account_forget';
const LIMIT_SECONDS = 600;
const AT_ONCE = 500;

const FORGET_HISTORY = sql`SELECT history_forget($1, ${AT_ONCE}) AS ids`;
const FORGET_PAYMENTS = sql`SELECT payment_forget($1)`;
const FORGET_INVOICES = sql`SELECT invoice_forget_account($1, ${AT_ONCE}) AS count`;
const PAYABLE = sql`SELECT 1 FROM invoice_payable($1, 1)`;

/** What is left to do once an account is deleted: its rows may be many, so a job takes them in batches. */
@Injectable()
export class DeletedAccountJob {
  constructor(
    private readonly database: Database,
    private readonly mail: Mail,
    private readonly invoices: InvoiceService,
    private readonly jobs: Jobs,
  ) {
    jobs.task<string>(TASK, (accountId, run) => this.forget(accountId, run), { limitSeconds: LIMIT_SECONDS });
  }

  async add(tx: Tx, accountId: string, email: string): Promise<void> {
    await this.jobs.add(tx, TASK, accountId);
    const lines = [
      'Your account was deleted, as you asked. Your wallets, keys, apps and webhooks are gone, and your username is not given to another person.',
      'If this was not you, contact the operator of this server.',
    ];
    await this.mail.send(tx, email, { subject: 'Your account was deleted', lines });
  }

  /** Also cancels an invoice that another caller made while the account was deleted. */
  private async forget(accountId: string, { signal }: JobRun): Promise<void> {
    await this.invoices.cancelAll(accountId);
    while (!signal.aborted && (await this.forgetHistory(accountId)) === AT_ONCE);
    while (!signal.aborted && (await queryOne<{ count: number }>(this.database, FORGET_INVOICES, [accountId])).count === AT_ONCE);
    signal.throwIfAborted();
    if ((await this.database.query(PAYABLE, [accountId])).length > 0)
      throw new Error('An invoice of the deleted account can still be paid');
  }

  private forgetHistory(accountId: string): Promise<number> {
    return this.database.transaction(async (tx) => {
      const { ids } = await queryOne<{ ids: readonly string[] }>(tx, FORGET_HISTORY, [accountId]);
      await tx.query(FORGET_PAYMENTS, [ids]);
      return ids.length;
    });
  }
}
