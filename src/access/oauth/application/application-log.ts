import { Injectable } from '@nestjs/common';
import { sql, type Tx } from '../../../platform/database/index.js';
import { OperatorActions } from '../../../platform/operator-action/index.js';

/** Who acts and why, for the log of operators. */
export interface Actor {
  readonly who: string;
  readonly because?: string;
}

export interface ApplicationAct {
  readonly action: string;
  readonly id: string;
  readonly by: Actor;
  readonly details?: object;
  /** The new state, if it changes: the developer gets a notice. */
  readonly state?: string | false;
  /** For the developer. */
  readonly reason?: string;
}

const NOTIFY = sql`SELECT notice_add(a.owner_id, 'application_state', jsonb_build_object('id', a.id, 'name', a.name, 'state', $2::text, 'reason', $3::text))
           FROM oauth_application a WHERE a.id = $1 AND a.owner_id IS NOT NULL`;

/** What happens to applications: in the log of operators, and in the notices of their developers. */
@Injectable()
export class ApplicationLog {
  constructor(private readonly actions: OperatorActions) {}

  /** In the transaction of the act. */
  async record(tx: Tx, { action, id, by: { who, because = '' }, details = {}, state = false, reason = '' }: ApplicationAct): Promise<void> {
    await this.actions.record(tx, { who, action, subject: id, because, details });
    if (state !== false) await tx.query(NOTIFY, [id, state, reason]);
  }
}
