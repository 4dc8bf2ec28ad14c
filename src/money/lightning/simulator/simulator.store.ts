import { pointFromScalar } from 'tiny-secp256k1';
import type { Network } from '../../../platform/config/index.js';
import { Batcher, columnsOf, queryOne, sql, type Database } from '../../../platform/database/index.js';
import type { PaymentIndex } from '../lightning-backend.js';
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
const LOOKUP_PAYMENTS = sql`SELECT * FROM simulator.lookup_payments($1)`;
const LOOKUP_INVOICE = sql`SELECT found.*, payment_request FROM simulator.lookup_invoice($1) AS found JOIN simulator.invoice ON payment_hash = $1`;
const LATEST_INDEX = sql`SELECT says, payment_index FROM simulator.latest_payment_index()`;
const FINALS = sql`SELECT p.id, p.payment_hash, p.state, p.amount_msat, p.fee_msat, p.reason, p.final_at, p.final_index, p.faults,
          CASE WHEN p.state = 'settled' THEN i.preimage END AS preimage
     FROM simulator.payment p LEFT JOIN simulator.invoice i ON i.payment_hash = p.payment_hash
    WHERE p.payer = $1 AND p.final_index > $2 AND NOT p.faults ? 'forgotten' ORDER BY p.final_index LIMIT ${FINALS_PAGE}`;

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

  async findInvoice(paymentHash: string): Promise<SimulatedInvoice | undefined> {
    return (await this.database.query<SimulatedInvoice>(LOOKUP_INVOICE, [paymentHash]))[0];
  }

  async latestPaymentIndex(): Promise<PaymentIndex> {
    const row = await queryOne<{ says: 'exact' | 'unknown' | 'unsupported'; payment_index: bigint }>(this.database, LATEST_INDEX);
    return row.says === 'exact' ? row.payment_index : row.says;
  }

  listFinals(payer: NodeName, afterIndex: bigint): Promise<FinalRow[]> {
    return this.database.query<FinalRow>(FINALS, [payer, afterIndex]);
  }

  async addInvoices(payee: NodeName, batch: readonly InvoiceToAdd[]): Promise<boolean[]> {
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

  send(payer: NodeName, batch: readonly PaymentToSend[]): Promise<SentRow[]> {
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
