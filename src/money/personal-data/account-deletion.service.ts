import { Injectable } from '@nestjs/common';
import { UserService } from '../../access/user/index.js';
import { Database, isLockTimeout, queryOne, sql } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { InvoiceService } from '../invoice/index.js';
import type { DeletionOutcome, DeletionRefusal } from './account-deletion.outcome.js';
import { DeletedAccountJob } from './deleted-account.job.js';

interface Verdict {
  readonly verdict: 'deleted' | 'unknown' | Exclude<DeletionRefusal, 'operator' | 'busy'>;
  readonly accountId: string;
}

const ACCOUNT = sql`SELECT id FROM account WHERE user_id = $1`;
const DELETE = sql`SELECT d.verdict, d.account_id AS "accountId" FROM account_delete($1) AS d`;
/** Another caller may make an invoice for the person between the cancellation and the deletion. */
const ATTEMPTS = 3;

const refused = (reason: DeletionRefusal): DeletionOutcome => ({ kind: 'refused', reason });

/** Undoes the transaction, with what it would have answered. */
class NotDeleted extends Error {
  constructor(readonly reason: DeletionRefusal) {
    super('The account was not deleted');
  }
}

/**
 * Deletes an account with empty wallets. What can still be paid is cancelled first; then one transaction judges and deletes, while no payment of
 * this server begins and none is booked.
 */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly invoices: InvoiceService,
    private readonly job: DeletedAccountJob,
    private readonly events: Events,
  ) {}

  async delete(userId: string): Promise<DeletionOutcome> {
    for (let attempt = 1; ; attempt++) {
      const [account] = await this.database.query<{ id: string }>(ACCOUNT, [userId]);
      // Another request has deleted it.
      if (!account) return { kind: 'deleted' };
      if ((await this.users.findById(userId))?.isOperator) return refused('operator');
      await this.invoices.cancelAll(account.id);
      const outcome = await this.deleteOnce(userId);
      if (outcome.kind === 'refused' && outcome.reason === 'invoice_open' && attempt < ATTEMPTS) continue;
      await this.events.delivered();
      return outcome;
    }
  }

  private async deleteOnce(userId: string): Promise<DeletionOutcome> {
    try {
      await this.database.transaction(async (tx) => {
        const { verdict, accountId } = await queryOne<Verdict>(tx, DELETE, [userId]);
        if (verdict === 'unknown') return;
        if (verdict !== 'deleted') throw new NotDeleted(verdict);
        const person = await this.users.delete(tx, userId);
        if (!person) throw new NotDeleted('operator');
        await this.job.add(tx, accountId, person.email);
      });
      return { kind: 'deleted' };
    } catch (error) {
      if (error instanceof NotDeleted) return refused(error.reason);
      if (isLockTimeout(error)) return refused('busy');
      throw error;
    }
  }
}
