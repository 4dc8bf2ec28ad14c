import { Injectable } from '@nestjs/common';
import { Database, Lane } from '../database/index.js';
import { Events } from '../events/index.js';
import { PriceSource } from '../price/index.js';
import { transactionOf, type TransactionRecord, type TransactionRow } from '../wallet/index.js';

/** One wish to pay, as the database judges it. Exactly one of `paymentHash` and `recipientWalletId` is there. */
export interface PaymentBeginning {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly recipientWalletId: string | null;
  readonly paymentHash: string | null;
  readonly paymentRequest: string | null;
  readonly expiresAt: Date | null;
  readonly amountMsat: bigint;
  readonly feeLimitMsat: bigint;
  readonly memo: string | null;
  readonly principalId: string;
  readonly clientId: string | null;
}

export type BeginResult =
  | 'settled'
  | 'in_flight'
  | 'already_paid'
  | 'pending'
  | 'paid_by_other'
  | 'unknown_wallet'
  | 'unknown_recipient'
  | 'wrong_currency'
  | 'wrong_recipient_currency'
  | 'self_payment'
  | 'expired'
  | 'cancelled'
  | 'wrong_amount'
  | 'insufficient'
  | 'out_of_range'
  | 'again'
  | 'refused';

export interface Begun {
  readonly result: BeginResult;
  readonly payment_id: string;
}

/** The final word about a payment in flight. */
export interface PaymentEnding {
  readonly id: string;
  readonly state: 'settled' | 'failed';
  readonly feeMsat: bigint;
  readonly preimage: string | null;
  readonly failure: string | null;
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

const BEGIN = {
  name: 'payment_begin',
  text: 'SELECT result, payment_id FROM payment_begin($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[], $8::bigint[], $9::bigint[], $10::text[], $11, $12::text[], $13::text[], $14)',
};
const FINISH = {
  name: 'payment_finish',
  text: 'SELECT payment_finish($1::uuid[], $2::text[], $3::numeric[], $4::text[], $5::text[]) AS codes',
};
const DUE = { name: 'payment_due', text: `SELECT ${DUE_COLUMNS('$3')} FROM payment_due($1, $2)` };
const SEEN = {
  name: 'payment_seen',
  text: `UPDATE payment SET seen_in_flight = true, not_found_at = NULL WHERE id = $1 AND state = 'in_flight'`,
};
const NOT_FOUND = { name: 'payment_not_found', text: 'SELECT payment_not_found($1, $2) AS lost' };
const OPEN_BY_HASH = {
  name: 'payment_open_by_hash',
  text: `SELECT ${DUE_COLUMNS('$2')} FROM payment WHERE payment_hash = $1 AND state = 'in_flight'`,
};
// The sub-select comes first and alone: what is as it should be costs a look into the index of live payments.
export const RELEASED_BY_HASH = {
  name: 'payment_released_by_hash',
  text: `SELECT id FROM payment WHERE payment_hash = $1 AND state = 'failed' AND NOT (SELECT EXISTS (SELECT FROM payment WHERE payment_hash = $1 AND state IN ('in_flight', 'settled')))
          ORDER BY created_at DESC LIMIT 1`,
};
const INITIATORS = {
  name: 'payment_initiators',
  text: 'SELECT id, principal_id AS "principalId", client_id AS "clientId" FROM payment WHERE id = ANY ($1::uuid[])',
};
const BY_PRINCIPALS = {
  name: 'payment_by_principals',
  text: 'SELECT t.* FROM payment p JOIN transaction t ON t.id = p.id WHERE p.principal_id = ANY ($1::text[]) ORDER BY p.created_at DESC, p.id DESC LIMIT $2',
};
const BATCH = 128;

/** One statement a state change, many payments a statement: whoever arrives while one commits travels in the next. */
@Injectable()
export class PaymentStore {
  private readonly beginnings: Lane<PaymentBeginning & { readonly nodeId: string | null }, Begun>;
  private readonly endings: Lane<PaymentEnding, string>;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly prices: PriceSource,
  ) {
    this.beginnings = new Lane((batch) => this.beginAll(batch), { max: BATCH });
    this.endings = new Lane((batch) => this.finishAll(batch), { max: BATCH });
  }

  /** @param nodeId the node that is asked to pay, if anybody has to be */
  async begin(beginning: PaymentBeginning, nodeId: string | null): Promise<Begun> {
    for (;;) {
      const begun = await this.beginnings.submit({ ...beginning, nodeId });
      if (begun.result !== 'again') return begun;
    }
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

  private async beginAll(batch: readonly (PaymentBeginning & { readonly nodeId: string | null })[]): Promise<Begun[]> {
    const column = <K extends keyof PaymentBeginning>(key: K): PaymentBeginning[K][] => batch.map((beginning) => beginning[key]);
    const begun = await this.database.query<Begun>(BEGIN, [
      column('id'),
      column('userId'),
      column('walletId'),
      column('recipientWalletId'),
      column('paymentHash'),
      column('paymentRequest'),
      column('expiresAt'),
      column('amountMsat'),
      column('feeLimitMsat'),
      column('memo'),
      batch.find(({ nodeId }) => nodeId !== null)?.nodeId ?? null,
      column('principalId'),
      column('clientId'),
      this.prices.centsPerBtc(),
    ]);
    this.events.wake();
    return begun;
  }

  private async finishAll(batch: readonly PaymentEnding[]): Promise<string[]> {
    const column = <K extends keyof PaymentEnding>(key: K): PaymentEnding[K][] => batch.map((ending) => ending[key]);
    const rows = await this.database.query<{ codes: string[] }>(FINISH, [
      column('id'),
      column('state'),
      column('feeMsat'),
      column('preimage'),
      column('failure'),
    ]);
    this.events.wake();
    return rows[0]?.codes ?? [];
  }
}
