import { Injectable } from '@nestjs/common';
import { Database, recordsOf, WaryBatcher, type Statement } from '../database/index.js';
import { Config } from '../config/index.js';
import { Events } from '../events/index.js';
import { Metrics } from '../metrics/index.js';
import { PriceSource } from '../price/index.js';
import { transactionOf, type TransactionRecord, type TransactionRow } from '../transaction/index.js';
import {
  PaymentBeginner,
  type Attempt,
  type TimedBeginResult,
  type BeginOptions,
  type BeginResult,
  type BeginConflict,
  type UnconfirmedPayment,
} from './payment.beginner.js';
import type { SendFailure } from './payment.outcome.js';

/** Input of `payment_finish`: the end of a payment in flight. */
export interface PaymentResolution {
  readonly id: string;
  /** `unsent` and `lost` end as failed, if they still hold once the row is locked; see `payment_finish`. */
  readonly state: 'settled' | 'failed' | 'unsent' | 'lost';
  readonly feeMsat: bigint;
  readonly preimage: string | null;
  readonly failure: SendFailure | null;
}

/** The code of `payment_finish` and the operator's loss. `locked`: nothing has changed, retry. */
export interface FinishResult {
  readonly code: string;
  readonly lossMsat: bigint;
}

/** The principal and client that began a payment. */
export interface Initiator {
  readonly principalId: string;
  readonly clientId: string | null;
}

/** The fields of the types `payment_attempt` and `payment_resolution`, in their order. */
const ATTEMPT = [
  ...(['id', 'userId', 'walletId', 'recipientWalletId', 'paymentHash', 'paymentRequest', 'expiresAt'] as const),
  ...(['amountMsat', 'feeLimitMsat', 'memo', 'principalId', 'clientId', 'toUs'] as const),
];
const RESOLUTION = ['id', 'state', 'feeMsat', 'preimage', 'failure'] as const;
const BEGIN: Statement = {
  name: 'payment_begin',
  text: 'SELECT result, payment_id FROM payment_begin($1::payment_attempt[], $2, $3, $4)',
};
const FINISH: Statement = {
  name: 'payment_finish',
  text: 'SELECT code, loss_msat AS "lossMsat" FROM payment_finish($1::payment_resolution[], $2)',
};
const INITIATORS: Statement = {
  name: 'payment_initiators',
  text: 'SELECT id, principal_id AS "principalId", client_id AS "clientId" FROM payment WHERE id = ANY ($1::uuid[])',
};
const BY_PRINCIPALS: Statement = {
  name: 'payment_by_principals',
  text: 'SELECT t.* FROM payment p JOIN transaction t ON t.id = p.id WHERE p.principal_id = ANY ($1::text[]) ORDER BY p.created_at DESC, p.id DESC LIMIT $2',
};
const BATCH = 128;

/** One statement per state change, many payments per statement: calls made during a batch are queued for the next batch. */
@Injectable()
export class PaymentStore {
  private readonly beginner: PaymentBeginner;
  private readonly endings: WaryBatcher<PaymentResolution, FinishResult>;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly prices: PriceSource,
    config: Config,
    metrics: Metrics,
  ) {
    this.beginner = new PaymentBeginner((batch, manner) => this.beginAll(batch, manner), config, metrics);
    const isLocked = ({ code }: FinishResult): boolean => code === 'locked';
    this.endings = new WaryBatcher((batch, skipLocked) => this.finishAll(batch, skipLocked), {
      max: BATCH,
      isLocked,
      keyOf: ({ id }) => id,
    });
  }

  /** @throws the database's error in an outage or after a bug; the payment has not begun then */
  begin(attempt: Attempt): Promise<TimedBeginResult | UnconfirmedPayment> {
    return this.beginner.begin(attempt);
  }

  finish(ending: PaymentResolution): Promise<FinishResult> {
    return this.endings.submit(ending);
  }

  async initiators(paymentIds: readonly string[]): Promise<Map<string, Initiator>> {
    const rows = await this.database.query<Initiator & { id: string }>(INITIATORS, [paymentIds]);
    return new Map(rows.map(({ id, principalId, clientId }) => [id, { principalId, clientId }]));
  }

  async listByPrincipals(principalIds: readonly string[], limit: number): Promise<TransactionRow[]> {
    return (await this.database.query<TransactionRecord>(BY_PRINCIPALS, [principalIds, limit])).map(transactionOf);
  }

  private async beginAll(
    batch: readonly Attempt[],
    { skipLocked = false, anew = false }: BeginOptions,
  ): Promise<(BeginResult | BeginConflict)[]> {
    const nodeId = batch.find((attempt) => attempt.nodeId !== null)?.nodeId ?? null;
    const values = [recordsOf(batch, ...ATTEMPT), nodeId, this.prices.centsPerBtc(), skipLocked];
    const begun = await (anew
      ? this.database.queryAnew<BeginResult | BeginConflict>(BEGIN, values)
      : this.database.query<BeginResult | BeginConflict>(BEGIN, values));
    this.events.wake();
    return begun;
  }

  private async finishAll(batch: readonly PaymentResolution[], skipLocked: boolean): Promise<FinishResult[]> {
    const ended = await this.database.query<FinishResult>(FINISH, [recordsOf(batch, ...RESOLUTION), skipLocked]);
    this.events.wake();
    return ended;
  }
}
