import { Injectable } from '@nestjs/common';
import { UserService } from '../../access/user/index.js';
import { Mail } from '../../edge/mail/index.js';
import { Database, mayTakeLong, queryOne, sql } from '../../platform/database/index.js';
import { Jobs, type JobRun } from '../../platform/job/index.js';
import { InvoiceService } from '../invoice/index.js';

const TASK = 'account_forget';
const LIMIT_SECONDS = 600;
const AT_ONCE = 500;

const FORGET_ACCOUNT = mayTakeLong(sql`SELECT account_forget($1, $2)`);
const FORGET_HISTORY = sql`SELECT history_forget($1, ${AT_ONCE}) AS ids`;
const FORGET_PAYMENTS = sql`SELECT payment_forget($1)`;
const FORGET_INVOICES = sql`SELECT invoice_forget_account($1, ${AT_ONCE}) AS count`;
const PAYABLE = sql`SELECT 1 FROM invoice_payable($1, 1)`;

interface DeletedAccount {
  readonly accountId: string;
  readonly userId: string;
  /** They are deleted before. */
  readonly walletIds: readonly string[];
}

/** What is left once `account_delete` has deleted the wallets, and has added this job: the rows may be many. */
@Injectable()
export class DeletedAccountJob {
  constructor(
    private readonly database: Database,
    private readonly mail: Mail,
    private readonly invoices: InvoiceService,
    private readonly users: UserService,
    jobs: Jobs,
  ) {
    jobs.task<DeletedAccount>(TASK, (account, run) => this.forget(account, run), { limitSeconds: LIMIT_SECONDS });
  }

  private async forgetPerson({ accountId, userId }: DeletedAccount): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(FORGET_ACCOUNT, [userId, accountId]);
      const person = await this.users.delete(tx, userId);
      if (!person) return;
      const lines = [
        'Your account was deleted, as you asked. Your wallets, keys, apps and webhooks are gone, and your username is not given to another person.',
        'If this was not you, contact the operator of this server.',
      ];
      await this.mail.send(tx, person.email, { subject: 'Your account was deleted', lines });
    });
  }

  /** Also cancels an invoice that another caller made while the account was deleted. */
  private async forget(account: DeletedAccount, { signal }: JobRun): Promise<void> {
    const { walletIds } = account;
    await this.forgetPerson(account);
    await this.invoices.cancelAll(walletIds);
    while (!signal.aborted && (await this.forgetHistory(walletIds)) === AT_ONCE);
    while (!signal.aborted && (await queryOne<{ count: number }>(this.database, FORGET_INVOICES, [walletIds])).count === AT_ONCE);
    signal.throwIfAborted();
    if ((await this.database.query(PAYABLE, [walletIds])).length > 0)
      throw new Error('An invoice of the deleted account can still be paid');
  }

  private forgetHistory(walletIds: readonly string[]): Promise<number> {
    return this.database.transaction(async (tx) => {
      const { ids } = await queryOne<{ ids: readonly string[] }>(tx, FORGET_HISTORY, [walletIds]);
      await tx.query(FORGET_PAYMENTS, [ids]);
      return ids.length;
    });
  }
}
