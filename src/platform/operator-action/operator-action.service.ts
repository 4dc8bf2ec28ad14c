import { Injectable } from '@nestjs/common';
import { columns, Database, mayTakeLong, sql, type RowOf, type Tx } from '../database/index.js';
import { OperatorActionEntity } from './operator-action.entity.js';

const ACTION = columns(OperatorActionEntity).only('at', 'who', 'action', 'because', 'details');

export type OperatorActionRow = RowOf<typeof ACTION>;

export type LoggedAction = OperatorActionEntity;

export interface ActionFilter {
  readonly subject: string | null;
  readonly who: string | null;
  readonly action: string | null;
  readonly before: bigint | null;
  readonly limit: number;
}

/** `subject` is the id of a payment, user or invitation. `details` has no secret. */
export type NewOperatorAction = Pick<OperatorActionEntity, 'who' | 'action' | 'subject' | 'because' | 'details'>;

const ADD = sql`SELECT operator_action_add($1, $2, $3, $4, $5)`;
const LIST = sql`SELECT ${ACTION.of('operator_action')} FROM operator_action WHERE subject = $1 ORDER BY id`;
const LOGGED = columns(OperatorActionEntity);
const PAGE = mayTakeLong(sql`SELECT ${LOGGED.of('a')} FROM operator_action a
          WHERE ($1::text IS NULL OR a.subject = $1) AND ($2::text IS NULL OR a.who = $2) AND ($3::text IS NULL OR starts_with(a.action, $3)) AND ($4::bigint IS NULL OR a.id < $4)
          ORDER BY a.id DESC LIMIT $5`);

/** The operators' log. SQL functions of other folders write it by `operator_action_add`. */
@Injectable()
export class OperatorActions {
  constructor(private readonly database: Database) {}

  /** Writes an action in the transaction that does it: neither is stored without the other. */
  async record(tx: Tx, { who, action, subject, because, details }: NewOperatorAction): Promise<void> {
    await tx.query(ADD, [who, action, subject, because, JSON.stringify(details)]);
  }

  page({ subject, who, action, before, limit }: ActionFilter): Promise<LoggedAction[]> {
    return this.database.query<LoggedAction>(PAGE, [subject, who, action, before, limit]);
  }

  list(subject: string): Promise<OperatorActionRow[]> {
    return this.database.query<OperatorActionRow>(LIST, [subject]);
  }
}
