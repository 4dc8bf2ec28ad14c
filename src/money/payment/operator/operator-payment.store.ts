import { Injectable } from '@nestjs/common';
import { columns, Database, fragment, mayTakeLong, sql, type Fragment, type RowOf } from '../../../platform/database/index.js';
import { PaymentNodeEntity, PaymentEntity, type PaymentState } from '../payment.entity.js';
import type { FinishResult } from '../payment.store.js';

/** Not the preimage, which proves a payment, and not the dispatch token. */
const PAYMENT = columns(PaymentEntity).only(
  ...(['id', 'kind', 'state', 'amountMsat', 'feeLimitMsat', 'feeMsat', 'amountCents', 'heldCents', 'dealerCentsPerBtc'] as const),
  ...(['paymentHash', 'nodeId', 'accountId', 'walletId', 'failure'] as const),
  ...(['createdAt', 'dispatchedAt', 'seenInFlight', 'notFoundAt', 'nextCheckAt', 'finishedAt'] as const),
);

export interface OperatorPaymentRow extends RowOf<typeof PAYMENT> {
  readonly readAt: Date;
  /** It was created less than a dispatch lease plus a caller's wait ago: its node may still answer. */
  readonly isFresh: boolean;
}

const ATTEMPT = columns(PaymentEntity).only('id', 'state', 'accountId', 'failure', 'createdAt', 'dispatchedAt', 'finishedAt');
const MARK = columns(PaymentNodeEntity).only('paymentIndex', 'unbrokenSince');

export type PaymentAttemptRow = RowOf<typeof ATTEMPT>;

export interface PaymentFilter {
  readonly state: PaymentState | null;
  readonly accountId: string | null;
  readonly olderThanSeconds: number;
  readonly after: string | null;
  readonly limit: number;
}

export interface ResolveParams {
  readonly id: string;
  readonly state: Exclude<PaymentState, 'in_flight'>;
  readonly feeMsat: bigint;
  readonly preimage: string | null;
  readonly nodeStatus: string;
  readonly who: string;
  readonly because: string;
}

const shown = (freshSeconds: Fragment): Fragment =>
  fragment`${PAYMENT.of('payment')}, payment.created_at > now() - make_interval(secs => ${freshSeconds}) AS "isFresh", now() AS "readAt"`;
const LIST =
  mayTakeLong(sql`SELECT ${shown(fragment`$4`)} FROM payment WHERE ($1::text IS NULL OR state = $1) AND created_at <= now() - make_interval(secs => $2)
            AND ($5::uuid IS NULL OR account_id = $5) AND ($6::uuid IS NULL OR (created_at, id) < (SELECT l.created_at, l.id FROM payment l WHERE l.id = $6))
          ORDER BY created_at DESC, id DESC LIMIT $3`);
const FIND = sql`SELECT ${shown(fragment`$2`)} FROM payment WHERE id = $1`;
const ATTEMPTS = sql`SELECT ${ATTEMPT.of('payment')} FROM payment WHERE payment_hash = $1 AND state IN ('in_flight', 'settled')
          UNION ALL SELECT ${ATTEMPT.of('payment')} FROM payment WHERE payment_hash = $1 AND state = 'failed' ORDER BY "createdAt" DESC LIMIT 100`;
const FIND_MARK = sql`SELECT ${MARK.of('payment_node')} FROM payment_node WHERE node_id = $1`;
const RESOLVE = sql`SELECT code, loss AS "lossMsat" FROM payment_resolve_v2($1, $2, $3, $4, $5, $6, $7)`;

@Injectable()
export class OperatorPaymentStore {
  constructor(private readonly database: Database) {}

  list({ state, accountId, olderThanSeconds, after, limit }: PaymentFilter, freshSeconds: number): Promise<OperatorPaymentRow[]> {
    return this.database.query<OperatorPaymentRow>(LIST, [state, olderThanSeconds, limit, freshSeconds, accountId, after]);
  }

  async find(id: string, freshSeconds: number): Promise<OperatorPaymentRow | undefined> {
    return (await this.database.query<OperatorPaymentRow>(FIND, [id, freshSeconds]))[0];
  }

  attempts(paymentHash: string): Promise<PaymentAttemptRow[]> {
    return this.database.query<PaymentAttemptRow>(ATTEMPTS, [paymentHash]);
  }

  async findNodeMark(nodeId: string): Promise<RowOf<typeof MARK> | undefined> {
    return (await this.database.query<RowOf<typeof MARK>>(FIND_MARK, [nodeId]))[0];
  }

  async resolve(resolved: ResolveParams): Promise<FinishResult> {
    const { id, state, feeMsat, preimage, nodeStatus, who, because } = resolved;
    const [row] = await this.database.query<FinishResult>(RESOLVE, [id, state, feeMsat, preimage, nodeStatus, who, because]);
    return row ?? { code: 'unknown', lossMsat: 0n };
  }
}
