import { Injectable } from '@nestjs/common';
import { UserService } from '../../access/user/index.js';
import { Database, isLockTimeout, queryOne, sql } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { InvoiceService } from '../invoice/index.js';
import type { DeletionOutcome, DeletionRefusal } from './account-deletion.outcome.js';

interface Verdict {
  readonly verdict: 'deleted' | 'unknown' | Exclude<DeletionRefusal, 'busy'>;
}

const ACCOUNT = sql`SELECT ARRAY(SELECT w.id FROM wallet w WHERE w.account_id = a.id) AS "walletIds" FROM account a WHERE a.user_id = $1`;
const DELETE = sql`SELECT d.verdict FROM account_delete($1) AS d`;
/** The first one cancels no invoice. Another caller may make one for the person between a cancellation and the deletion. */
const ATTEMPTS = 4;

const refused = (reason: DeletionRefusal): DeletionOutcome => ({ kind: 'refused', reason });

/**
 * Deletes an account with empty wallets. One SQL call judges, deletes the wallets and disables the person, while no payment of this server
 * begins and none is booked. Where only invoices are in the way, they are cancelled, and it is called again. A job deletes the rest.
 */
@Injectable()
export class AccountDeletionService {
  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly invoices: InvoiceService,
    private readonly events: Events,
  ) {}

  async delete(userId: string): Promise<DeletionOutcome> {
    for (let attempt = 1; ; attempt++) {
      const [account] = await this.database.query<{ walletIds: readonly string[] }>(ACCOUNT, [userId]);
      // Another request has deleted it.
      if (!account) return { kind: 'deleted' };
      if ((await this.users.findById(userId))?.isOperator) return refused('operator');
      const outcome = await this.deleteOnce(userId);
      if (outcome.kind === 'deleted') await this.events.delivered();
      if (outcome.kind === 'deleted' || outcome.reason !== 'invoice_open' || attempt === ATTEMPTS) return outcome;
      await this.invoices.cancelAll(account.walletIds);
    }
  }

  private async deleteOnce(userId: string): Promise<DeletionOutcome> {
    try {
      const { verdict } = await queryOne<Verdict>(this.database, DELETE, [userId]);
      return verdict === 'deleted' || verdict === 'unknown' ? { kind: 'deleted' } : refused(verdict);
    } catch (error) {
      if (isLockTimeout(error)) return refused('busy');
      throw error;
    }
  }
}
