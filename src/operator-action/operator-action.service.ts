import { Injectable } from '@nestjs/common';
import { columns, Database, sql, type RowOf, type Tx } from '../database/index.js';
import { OperatorActionEntity } from './operator-action.entity.js';

const ACTION = columns(OperatorActionEntity).only('at', 'who', 'action', 'because', 'details');

/** An operator's action, without its subject. */
export type OperatorActionRow = RowOf<typeof ACTION>;

/** What an operator has done to `subject`: the id of a payment, user or invitation. `details` has no secret. */
export type NewOperatorAction = Pick<OperatorActionEntity, 'who' | 'action' | 'subject' | 'because' | 'details'>;

const ADD = sql`SELECT operator_action_add($1, $2, $3, $4, $5)`;
const LIST = sql`SELECT ${ACTION.of('operator_action')} FROM operator_action WHERE subject = $1 ORDER BY id`;

/** The operators' log. SQL functions of other folders write it by `operator_action_add`. */
@Injectable()
export class OperatorActions {
  constructor(private readonly database: Database) {}

  /** Writes an action in the transaction that does it: neither is stored without the other. */
  async record(tx: Tx, { who, action, subject, because, details }: NewOperatorAction): Promise<void> {
    await tx.query(ADD, [who, action, subject, because, JSON.stringify(details)]);
  }

  /** The oldest first. */
  list(subject: string): Promise<OperatorActionRow[]> {
    return this.database.query<OperatorActionRow>(LIST, [subject]);
  }
}
