import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/index.js';

/** A payment as its operator sees it. Amounts are millisatoshis. */
export interface OperatorPaymentRow {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly amountMsat: bigint;
  readonly feeLimitMsat: bigint;
  readonly feeMsat: bigint | null;
  readonly paymentHash: string | null;
  readonly nodeId: string | null;
  readonly accountId: string;
  readonly walletId: string;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly dispatchedAt: Date | null;
  readonly seenInFlight: boolean;
  readonly notFoundAt: Date | null;
  readonly nextCheckAt: Date;
  readonly finishedAt: Date | null;
  /** It was created less than a dispatch lease plus a caller's wait ago: its node may still answer. */
  readonly isFresh: boolean;
}

/** An operator's action on a payment. */
export interface OperatorActionRow {
  readonly at: Date;
  readonly who: string;
  readonly action: string;
  readonly because: string;
  readonly details: unknown;
}

export interface PaymentFilter {
  readonly state: string | null;
  readonly olderThanSeconds: number;
  readonly limit: number;
}

export interface Resolution {
  readonly id: string;
  readonly state: 'settled' | 'failed';
  readonly feeMsat: bigint;
  readonly preimage: string | null;
  readonly who: string;
  readonly because: string;
}

const COLUMNS = (
  fresh: string,
): string => `id, kind, state, amount_msat AS "amountMsat", fee_limit_msat AS "feeLimitMsat", fee_msat AS "feeMsat",
  payment_hash AS "paymentHash", node_id AS "nodeId", account_id AS "accountId", wallet_id AS "walletId", failure, created_at AS "createdAt",
  dispatched_at AS "dispatchedAt", seen_in_flight AS "seenInFlight", not_found_at AS "notFoundAt", next_check_at AS "nextCheckAt",
  finished_at AS "finishedAt", created_at > now() - make_interval(secs => ${fresh}) AS "isFresh"`;
const LIST: Statement = {
  name: 'operator_payments',
  text: `SELECT ${COLUMNS('$4')} FROM payment WHERE ($1::text IS NULL OR state = $1) AND created_at <= now() - make_interval(secs => $2)
          ORDER BY created_at DESC, id DESC LIMIT $3`,
  mayTakeLong: true,
};
const FIND: Statement = { name: 'operator_payment', text: `SELECT ${COLUMNS('$2')} FROM payment WHERE id = $1` };
const ACTIONS: Statement = {
  name: 'operator_actions',
  text: 'SELECT at, who, action, because, details FROM operator_action WHERE subject = $1 ORDER BY id',
};
const RESOLVE: Statement = { name: 'payment_resolve', text: 'SELECT code, loss FROM payment_resolve($1, $2, $3, $4, $5, $6)' };

/** The statements of the operator's payment commands. */
@Injectable()
export class OperatorPaymentStore {
  constructor(private readonly database: Database) {}

  list({ state, olderThanSeconds, limit }: PaymentFilter, freshSeconds: number): Promise<OperatorPaymentRow[]> {
    return this.database.query<OperatorPaymentRow>(LIST, [state, olderThanSeconds, limit, freshSeconds]);
  }

  async find(id: string, freshSeconds: number): Promise<OperatorPaymentRow | undefined> {
    return (await this.database.query<OperatorPaymentRow>(FIND, [id, freshSeconds]))[0];
  }

  actions(id: string): Promise<OperatorActionRow[]> {
    return this.database.query<OperatorActionRow>(ACTIONS, [id]);
  }

  async resolve({ id, state, feeMsat, preimage, who, because }: Resolution): Promise<{ code: string; lossMsat: bigint }> {
    const [row] = await this.database.query<{ code: string; loss: bigint }>(RESOLVE, [id, state, feeMsat, preimage, who, because]);
    return { code: row?.code ?? 'unknown', lossMsat: row?.loss ?? 0n };
  }
}
