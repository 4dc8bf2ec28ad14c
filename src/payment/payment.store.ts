import { Injectable } from '@nestjs/common';
import { columnsOf, Database, Lane, type Statement } from '../database/index.js';
import { Config } from '../config/index.js';
import { Events } from '../events/index.js';
import { Metrics } from '../metrics/index.js';
import { PriceSource } from '../price/index.js';
import { transactionOf, type TransactionRecord, type TransactionRow } from '../wallet/index.js';
import {
  PaymentBeginner,
  type Attempt,
  type Beginning,
  type BeginManner,
  type Begun,
  type Clash,
  type Unconfirmed,
} from './payment.beginner.js';
import type { SendFailure } from './payment.outcome.js';

/** The final word about a payment in flight. */
export interface PaymentEnding {
  readonly id: string;
  readonly state: 'settled' | 'failed';
  readonly feeMsat: bigint;
  readonly preimage: string | null;
  readonly failure: SendFailure | null;
}

/** In whose name a payment was begun. */
export interface Initiator {
  readonly principalId: string;
  readonly clientId: string | null;
}

/** A payment that is due to be asked for. */
export interface DuePayment {
  readonly id: string;
  readonly payment_hash: string;
  readonly node_id: string;
  /** The node has said that it is under way: from then on, what it says of the hash is about this payment. */
  readonly seen: boolean;
  /** It is so old that its dispatcher has handed it over or never will. What was handed over may still be on its way to the node. */
  readonly lease_over: boolean;
}

const DUE_COLUMNS = (lease: string): string =>
  `id, payment_hash, node_id, seen_in_flight AS seen, created_at <= now() - make_interval(secs => ${lease}) AS lease_over`;

const BEGIN: Statement = {
  name: 'payment_begin',
  text: 'SELECT result, payment_id FROM payment_begin($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[], $8::bigint[], $9::bigint[], $10::text[], $11, $12::text[], $13::text[], $14, $15::boolean[], $16)',
};
const FINISH: Statement = {
  name: 'payment_finish',
  text: 'SELECT payment_finish($1::uuid[], $2::text[], $3::numeric[], $4::text[], $5::text[]) AS codes',
};
const DUE: Statement = { name: 'payment_due', text: `SELECT ${DUE_COLUMNS('$3')} FROM payment_due($1, $2)` };
const SEEN: Statement = {
  name: 'payment_seen',
  text: `UPDATE payment SET seen_in_flight = true, not_found_at = NULL WHERE id = $1 AND state = 'in_flight'`,
};
const NOT_FOUND: Statement = { name: 'payment_not_found', text: 'SELECT payment_not_found($1, $2) AS lost' };
const OPEN_BY_HASH: Statement = {
  name: 'payment_open_by_hash',
  text: `SELECT ${DUE_COLUMNS('$2')} FROM payment WHERE payment_hash = $1 AND state = 'in_flight'`,
};
// The sub-select comes first and alone: what is as it should be costs a look into the index of live payments.
export const RELEASED_BY_HASH: Statement = {
  name: 'payment_released_by_hash',
  text: `SELECT id FROM payment WHERE payment_hash = $1 AND state = 'failed' AND NOT (SELECT EXISTS (SELECT FROM payment WHERE payment_hash = $1 AND state IN ('in_flight', 'settled')))
          ORDER BY created_at DESC LIMIT 1`,
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

/** One statement per state change, many payments per statement: whoever arrives while one commits travels in the next. */
@Injectable()
export class PaymentStore {
  private readonly beginner: PaymentBeginner;
  private readonly endings: Lane<PaymentEnding, string>;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly prices: PriceSource,
    config: Config,
    metrics: Metrics,
  ) {
    this.beginner = new PaymentBeginner((batch, manner) => this.beginAll(batch, manner), config, metrics);
    this.endings = new Lane((batch) => this.finishAll(batch), { max: BATCH });
  }

  /** @throws what the database says of an outage or a fault; nothing has begun then */
  begin(attempt: Attempt): Promise<Beginning | Unconfirmed> {
    return this.beginner.begin(attempt);
  }

  finish(ending: PaymentEnding): Promise<string> {
    return this.endings.submit(ending);
  }

  /** Claims payments in flight for a look-up; other processes pass them by for a while. */
  due(limit: number, firstAfterSeconds: number, leaseSeconds: number): Promise<DuePayment[]> {
    return this.database.query<DuePayment>(DUE, [limit, firstAfterSeconds, leaseSeconds]);
  }

  async findInFlight(paymentHash: string, leaseSeconds: number): Promise<DuePayment | undefined> {
    return (await this.database.query<DuePayment>(OPEN_BY_HASH, [paymentHash, leaseSeconds]))[0];
  }

  /** The latest payment of this hash whose money was released, if nobody has paid it or is paying it. */
  async findReleased(paymentHash: string): Promise<string | undefined> {
    return (await this.database.query<{ id: string }>(RELEASED_BY_HASH, [paymentHash]))[0]?.id;
  }

  /** Notes that the node has it under way: whatever it does not know later, it was sent. */
  async seen(id: string): Promise<void> {
    await this.database.query(SEEN, [id]);
  }

  /** Notes that the node knows no attempt that must be this one; true when it has said so twice, further apart than a dispatch may take. */
  async notFound(id: string, leaseSeconds: number): Promise<boolean> {
    return (await this.database.query<{ lost: boolean }>(NOT_FOUND, [id, leaseSeconds]))[0]?.lost ?? false;
  }

  async initiators(paymentIds: readonly string[]): Promise<Map<string, Initiator>> {
    const rows = await this.database.query<Initiator & { id: string }>(INITIATORS, [paymentIds]);
    return new Map(rows.map(({ id, principalId, clientId }) => [id, { principalId, clientId }]));
  }

  async listByPrincipals(principalIds: readonly string[], limit: number): Promise<TransactionRow[]> {
    return (await this.database.query<TransactionRecord>(BY_PRINCIPALS, [principalIds, limit])).map(transactionOf);
  }

  private async beginAll(batch: readonly Attempt[], { skipLocked = false, anew = false }: BeginManner): Promise<(Begun | Clash)[]> {
    const values = [
      ...columnsOf(batch, 'id', 'userId', 'walletId', 'recipientWalletId', 'paymentHash', 'paymentRequest', 'expiresAt'),
      ...columnsOf(batch, 'amountMsat', 'feeLimitMsat', 'memo'),
      batch.find(({ nodeId }) => nodeId !== null)?.nodeId ?? null,
      ...columnsOf(batch, 'principalId', 'clientId'),
      this.prices.centsPerBtc(),
      ...columnsOf(batch, 'toUs'),
      skipLocked,
    ];
    const begun = await (anew ? this.database.queryAnew<Begun | Clash>(BEGIN, values) : this.database.query<Begun | Clash>(BEGIN, values));
    this.events.wake();
    return begun;
  }

  private async finishAll(batch: readonly PaymentEnding[]): Promise<string[]> {
    const columns = columnsOf(batch, 'id', 'state', 'feeMsat', 'preimage', 'failure');
    const rows = await this.database.query<{ codes: string[] }>(FINISH, columns);
    this.events.wake();
    return rows[0]?.codes ?? [];
  }
}
