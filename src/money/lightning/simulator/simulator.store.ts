import { pointFromScalar } from 'tiny-secp256k1';
import type { Network } from '../../../platform/config/index.js';
import { Batcher, columnsOf, queryOne, sql, type Database } from '../../../platform/database/index.js';
import type { FeeProbeRequest, NodePayment, PaymentIndex } from '../lightning-backend.js';
import { jsonOfFaults, type Faults } from './faults.js';
import { Ticker, type Tick } from './ticker.js';

export type NodeName = 'ours' | 'outside';

export interface NodeKey {
  readonly privateKey: Buffer;
  readonly nodeId: string;
}

export interface InvoiceToAdd {
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly preimage: string;
  readonly amountMsat: bigint | null;
  readonly ageSeconds: number;
  readonly expirySeconds: number;
  readonly faults: Faults;
}

interface PaymentToSend {
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly amountMsat: bigint | null;
  /** Null for the outside, whose fees are not simulated. */
  readonly feeLimitMsat: bigint | null;
  readonly faults: Faults;
}

interface PaymentRow {
  readonly payment_hash: string;
  readonly state: 'in_flight' | 'settled' | 'failed';
  readonly fee_msat: bigint;
  readonly reason: string | null;
  readonly preimage: string | null;
}

export interface FinalRow extends PaymentRow {
  readonly id: bigint;
  readonly amount_msat: bigint;
  readonly final_at: Date;
  readonly final_index: bigint;
  readonly faults: Faults;
}

type Attempt = Omit<PaymentRow, 'payment_hash'> & Pick<FinalRow, 'amount_msat' | 'faults'>;

/** The latest attempt to pay a hash, and why this one was refused at once. Without any attempt, its columns are null. */
export type SentRow = { readonly refusal: string | null; readonly begun: boolean } & {
  readonly [Name in keyof Attempt]: Attempt[Name] | null;
};

interface SimulatedInvoice {
  readonly state: 'open' | 'settled' | 'cancelled';
  readonly payment_request: string;
  readonly settle_index: bigint | null;
  readonly amount_msat: bigint | null;
}

export const MIN_FINAL_CLTV_EXPIRY_DELTA = 80;

const FINALS_PAGE = 256;

const KEY = sql`SELECT private_key FROM simulator.node WHERE name = $1`;
const TICK = sql`SELECT ours, outside, due_in_ms, (SELECT sum(restores)::int FROM simulator.node) AS restores FROM simulator.tick()`;
const ADD_INVOICES = sql`SELECT simulator.add_invoices($1, $2, $3, $4, $5, $6, $7, $8) AS payment_hash`;
const SEND = sql`SELECT * FROM simulator.send($1, $2, $3, $4, $5, $6)`;
const CANCEL = sql`SELECT * FROM simulator.cancel($1)`;
const RELEASE = sql`SELECT simulator.release($1, $2) AS released`;
const LOOKUP_PAYMENTS = sql`SELECT * FROM simulator.lookup_payments($1)`;
const LOOKUP_INVOICE = sql`SELECT found.*, payment_request FROM simulator.lookup_invoice($1) AS found JOIN simulator.invoice ON payment_hash = $1`;
const LATEST_INDEX = sql`SELECT says, payment_index FROM simulator.latest_payment_index()`;
const LIST_OURS = sql`SELECT p.id AS index, p.payment_hash AS "paymentHash", p.state, p.amount_msat AS "amountMsat", coalesce(p.fee_msat, 0) AS "feeMsat", p.created_at AS "createdAt"
     FROM simulator.payment p, simulator.reach() WHERE p.payer = 'ours' AND p.id > $1 AND NOT p.faults ? 'forgotten' ORDER BY p.id LIMIT $2`;
const BALANCE = sql`SELECT coalesce(sum(CASE payer WHEN 'outside' THEN amount_msat ELSE -amount_msat - fee_msat END) FILTER (WHERE state = 'settled'), 0)::int8 AS settled,
          coalesce(sum(amount_msat + fee_msat) FILTER (WHERE payer = 'ours' AND state = 'in_flight'), 0)::int8 AS "inFlight"
     FROM simulator.payment, simulator.reach()`;
const PROBE = sql`SELECT simulator.probe_fee($1, $2, $3, $4) AS fee`;
const FINALS = sql`SELECT p.id, p.payment_hash, p.state, p.amount_msat, p.fee_msat, p.reason, p.final_at, p.final_index, p.faults,
          CASE WHEN p.state = 'settled' THEN i.preimage END AS preimage
     FROM simulator.payment p LEFT JOIN simulator.invoice i ON i.payment_hash = p.payment_hash
    WHERE p.payer = $1 AND p.final_index > $2 AND NOT p.faults ? 'forgotten' ORDER BY p.final_index LIMIT ${FINALS_PAGE}`;
const TAKE_FAULT = sql`UPDATE simulator.payment SET faults = faults - $2 WHERE id = $1 AND faults ? $2 RETURNING id`;

/** Access to the simulator's tables: one statement per step. Errors are the database's own. */
export class SimulatorStore {
  readonly ticker = new Ticker(() => this.tick());
  private readonly keys = new Map<NodeName, NodeKey>();
  /** Concurrent callers share calls. An answer of `ourInvoices` is false where there is an invoice of the hash, of `cancellations` null where there is none. */
  readonly ourInvoices = new Batcher((batch: readonly InvoiceToAdd[]) => this.addInvoices('ours', batch));
  readonly ourPayments = new Batcher((batch: readonly PaymentToSend[]) => this.send('ours', batch));
  readonly cancellations = new Batcher((batch: readonly string[]) => this.cancelAll(batch));
  readonly paymentLookUps = new Batcher((batch: readonly string[]) => this.findPayments(batch));

  constructor(
    readonly database: Database,
    readonly network: Network,
  ) {}

  async key(name: NodeName): Promise<NodeKey> {
    const known = this.keys.get(name);
    if (known) return known;
    const { private_key: privateKey } = await queryOne<{ private_key: Buffer }>(this.database, KEY, [name]);
    const key = { privateKey, nodeId: nodeIdOf(privateKey) };
    this.keys.set(name, key);
    return key;
  }

  /** Ends payments that are due, and returns the state of the simulated network. */
  async tick(): Promise<Tick> {
    const row = await queryOne<{ ours: bigint; outside: bigint; due_in_ms: number | null; restores: number }>(this.database, TICK);
    return { last: { ours: row.ours, outside: row.outside }, restores: row.restores, dueInMs: row.due_in_ms };
  }

  async probeFee(paymentHash: string, { paymentRequest, amountMsat, feeLimitMsat }: FeeProbeRequest): Promise<bigint | null> {
    const values = [paymentHash, paymentRequest, amountMsat, feeLimitMsat];
    return (await queryOne<{ fee: bigint | null }>(this.database, PROBE, values)).fee;
  }

  async addOutsideInvoice(invoice: InvoiceToAdd): Promise<void> {
    await this.addInvoices('outside', [invoice]);
  }

  async sendOutsides(payment: PaymentToSend): Promise<SentRow> {
    const [row] = await this.send('outside', [payment]);
    if (!row) throw new Error('Unreachable: a statement of the simulator returned no row');
    return row;
  }

  async findInvoice(paymentHash: string): Promise<SimulatedInvoice | undefined> {
    return (await this.database.query<SimulatedInvoice>(LOOKUP_INVOICE, [paymentHash]))[0];
  }

  async latestPaymentIndex(): Promise<PaymentIndex> {
    const row = await queryOne<{ says: 'exact' | 'unknown' | 'unsupported'; payment_index: bigint }>(this.database, LATEST_INDEX);
    return row.says === 'exact' ? row.payment_index : row.says;
  }

  listOurs(afterIndex: bigint, limit: number): Promise<NodePayment[]> {
    return this.database.query<NodePayment>(LIST_OURS, [afterIndex, limit]);
  }

  /** Returns the balance of our node, which is below zero for one that spends what it has not received. */
  balance(): Promise<{ settled: bigint; inFlight: bigint }> {
    return queryOne(this.database, BALANCE);
  }

  async release(paymentHash: string, reason: string | null): Promise<boolean> {
    return (await queryOne<{ released: boolean }>(this.database, RELEASE, [paymentHash, reason])).released;
  }

  listFinals(payer: NodeName, afterIndex: bigint): Promise<FinalRow[]> {
    return this.database.query<FinalRow>(FINALS, [payer, afterIndex]);
  }

  /** Removes a fault from a payment. True for the call that removed it. */
  async takeFault(id: bigint, fault: keyof Faults): Promise<boolean> {
    return (await this.database.query(TAKE_FAULT, [id, fault])).length > 0;
  }

  private async addInvoices(payee: NodeName, batch: readonly InvoiceToAdd[]): Promise<boolean[]> {
    const rows = await this.database.query<{ payment_hash: string }>(ADD_INVOICES, [
      payee,
      ...columnsOf(batch, 'paymentHash', 'paymentRequest', 'preimage', 'amountMsat', 'ageSeconds', 'expirySeconds'),
      batch.map(({ faults }) => jsonOfFaults(faults)),
    ]);
    const added = new Set(rows.map(({ payment_hash: hash }) => hash));
    // Removed when found: of two requests for one hash in a batch, the second is a duplicate.
    return batch.map(({ paymentHash }) => added.delete(paymentHash));
  }

  private async cancelAll(batch: readonly string[]): Promise<(SimulatedInvoice['state'] | null)[]> {
    const rows = await this.database.query<{ payment_hash: string; state: SimulatedInvoice['state'] }>(CANCEL, [batch]);
    const states = new Map(rows.map(({ payment_hash: hash, state }) => [hash, state]));
    return batch.map((hash) => states.get(hash) ?? null);
  }

  private send(payer: NodeName, batch: readonly PaymentToSend[]): Promise<SentRow[]> {
    return this.database.query<SentRow>(SEND, [
      payer,
      ...columnsOf(batch, 'paymentHash', 'paymentRequest', 'amountMsat', 'feeLimitMsat'),
      batch.map(({ faults }) => jsonOfFaults(faults)),
    ]);
  }

  private async findPayments(hashes: readonly string[]): Promise<(PaymentRow | undefined)[]> {
    const rows = await this.database.query<PaymentRow>(LOOKUP_PAYMENTS, [hashes]);
    const found = new Map(rows.map((row) => [row.payment_hash, row]));
    return hashes.map((hash) => found.get(hash));
  }
}

function nodeIdOf(privateKey: Buffer): string {
  const point = pointFromScalar(privateKey, true);
  if (!point) throw new Error('A key of the simulator is not a secp256k1 key');
  return Buffer.from(point).toString('hex');
}
