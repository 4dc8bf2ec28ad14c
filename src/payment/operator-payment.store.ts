import { Injectable } from '@nestjs/common';
import { columns, Database, fragment, mayTakeLong, sql, type Fragment, type RowOf } from '../database/index.js';
import { PaymentEntity, type PaymentState } from './payment.entity.js';
import type { FinishCode } from './payment.store.js';

/** Not the preimage, which proves a payment, and not the dispatch token. */
const PAYMENT = columns(PaymentEntity).only(
  'id',
  'kind',
  'state',
  'amountMsat',
  'feeLimitMsat',
  'feeMsat',
  'paymentHash',
  'nodeId',
  'accountId',
  'walletId',
  'failure',
  'createdAt',
  'dispatchedAt',
  'seenInFlight',
  'notFoundAt',
  'nextCheckAt',
  'finishedAt',
);

/** A payment as its operator sees it. Amounts are millisatoshis. */
export interface OperatorPaymentRow extends RowOf<typeof PAYMENT> {
  /** It was created less than a dispatch lease plus a caller's wait ago: its node may still answer. */
  readonly isFresh: boolean;
}

export interface PaymentFilter {
  readonly state: PaymentState | null;
  readonly olderThanSeconds: number;
  readonly limit: number;
}

export interface ResolveParams {
  readonly id: string;
  readonly state: Exclude<PaymentState, 'in_flight'>;
  readonly feeMsat: bigint;
  readonly preimage: string | null;
  readonly who: string;
  readonly because: string;
}

const shown = (freshSeconds: Fragment): Fragment =>
  fragment`${PAYMENT.of('payment')}, payment.created_at > now() - make_interval(secs => ${freshSeconds}) AS "isFresh"`;
const LIST =
  mayTakeLong(sql`SELECT ${shown(fragment`$4`)} FROM payment WHERE ($1::text IS NULL OR state = $1) AND created_at <= now() - make_interval(secs => $2)
          ORDER BY created_at DESC, id DESC LIMIT $3`);
const FIND = sql`SELECT ${shown(fragment`$2`)} FROM payment WHERE id = $1`;
const RESOLVE = sql`SELECT code, loss FROM payment_resolve($1, $2, $3, $4, $5, $6)`;

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

  async resolve({ id, state, feeMsat, preimage, who, because }: ResolveParams): Promise<{ code: FinishCode; lossMsat: bigint }> {
    const [row] = await this.database.query<{ code: FinishCode; loss: bigint }>(RESOLVE, [id, state, feeMsat, preimage, who, because]);
    return { code: row?.code ?? 'unknown', lossMsat: row?.loss ?? 0n };
  }
}
