import { randomBytes } from 'node:crypto';
import { queryOne, sql, type Statement } from '../../../platform/database/index.js';
import { MAX_AMOUNT_MSAT } from '../../../platform/kernel/money.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { decodeInvoice, encodeInvoice } from '../bolt11/index.js';
import { DEFAULT_EXPIRY_SECONDS } from '../bolt11/invoice.js';
import type { NodePayment, PaymentFailure } from '../lightning-backend.js';
import { jsonOfFaults, type Faults } from './faults.js';
import { MIN_FINAL_CLTV_EXPIRY_DELTA, type SimulatorStore } from './simulator.store.js';

export interface OutsideInvoiceParams {
  readonly amountMsat: bigint | null;
  readonly memo?: string;
  readonly descriptionHash?: string;
  readonly expirySeconds?: number;
  /** Dates the invoice back by this much, to get an expired one without waiting. */
  readonly ageSeconds?: number;
  readonly faults?: Faults;
}

export interface OutsideInvoice {
  readonly paymentRequest: string;
  readonly paymentHash: string;
  readonly preimage: string;
}

/** Why an invoice of ours was not paid. `unreachable`: our node is away. */
export type OutsideRefusal =
  | 'invalid_invoice'
  | 'wrong_network'
  | 'unknown_invoice'
  | 'already_paid'
  | 'cancelled'
  | 'expired'
  | 'amount_required'
  | 'amount_too_low'
  | 'amount_too_high'
  | 'unreachable'
  | 'failed';

export type OutsidePayment =
  | { readonly status: 'paid' | 'in_flight'; readonly paymentHash: string; readonly amountMsat: bigint }
  | { readonly status: OutsideRefusal };

/** All msat. `balanceMsat` = received - sent - fees: what the ledger's Lightning account must show when nothing is in flight. */
export interface Balances {
  readonly receivedMsat: bigint;
  readonly sentMsat: bigint;
  readonly feesMsat: bigint;
  readonly balanceMsat: bigint;
}

export interface SimulatedPayment extends Omit<NodePayment, 'index'> {
  readonly direction: 'in' | 'out';
  readonly reason: string | null;
  readonly finalAt: Date | null;
}

const SET_FAULTS = sql`UPDATE simulator.invoice SET faults = $2 WHERE payment_hash = $1 RETURNING payment_hash`;
const SET_AWAY = sql`UPDATE simulator.node SET away = $1 WHERE name = 'ours'`;
const RELEASE = sql`SELECT simulator.release($1, $2) AS released`;
const RESTORE = sql`SELECT simulator.restore()`;
const FORGET = sql`UPDATE simulator.payment SET faults = CASE WHEN $2 THEN faults || '{"forgotten": true}' ELSE faults - 'forgotten' END WHERE payer = 'ours' AND payment_hash = $1`;
const SAYS_INDEX = sql`UPDATE simulator.node SET says_index = $1 WHERE name = 'ours'`;
const BALANCES = sql`SELECT coalesce(sum(amount_msat) FILTER (WHERE payer = 'outside'), 0)::bigint AS received,
          coalesce(sum(amount_msat) FILTER (WHERE payer = 'ours'), 0)::bigint AS sent,
          coalesce(sum(fee_msat) FILTER (WHERE payer = 'ours'), 0)::bigint AS fees
     FROM simulator.payment WHERE state = 'settled'`;
const LIST_PAYMENTS = sql`SELECT CASE payer WHEN 'ours' THEN 'out' ELSE 'in' END AS direction, payment_hash AS "paymentHash", state, amount_msat AS "amountMsat",
          fee_msat AS "feeMsat", reason, created_at AS "createdAt", final_at AS "finalAt"
     FROM simulator.payment ORDER BY id DESC LIMIT $1`;

/**
 * The outside of the simulated network: it pays our invoices, issues invoices for us to pay, and injects faults. For the command line, the
 * demo and tests; it exists only if the simulator is the back end. Errors are the database's.
 */
export class LightningSimulator {
  constructor(private readonly store: SimulatorStore) {}

  /** @throws Bolt11Error when amount, memo or expiry fit no invoice */
  async createOutsideInvoice(params: OutsideInvoiceParams): Promise<OutsideInvoice> {
    const { amountMsat, memo = '', descriptionHash, expirySeconds = DEFAULT_EXPIRY_SECONDS, ageSeconds = 0, faults = {} } = params;
    const { privateKey } = await this.store.key('outside');
    const preimage = randomBytes(32).toString('hex');
    const paymentHash = paymentHashOf(preimage);
    const paymentRequest = encodeInvoice(
      {
        network: this.store.network,
        amountMsat,
        createdAtSeconds: Math.floor(Date.now() / 1000) - ageSeconds,
        paymentHash,
        paymentSecret: randomBytes(32).toString('hex'),
        ...(descriptionHash === undefined ? { description: memo } : { descriptionHash }),
        expirySeconds,
        minFinalCltvExpiryDelta: MIN_FINAL_CLTV_EXPIRY_DELTA,
      },
      privateKey,
    );
    await this.store.addInvoices('outside', [{ paymentHash, paymentRequest, preimage, amountMsat, ageSeconds, expirySeconds, faults }]);
    return { paymentRequest, paymentHash, preimage };
  }

  /**
   * Pays one of our invoices from outside. `in_flight` if a fault delays it.
   * @param options.amountMsat for an invoice without an amount, or to pay more than it asks: up to twice, as BOLT 4 lets payers do
   */
  async payOutside(
    paymentRequest: string,
    options: { readonly amountMsat?: bigint; readonly faults?: Faults } = {},
  ): Promise<OutsidePayment> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return { status: 'invalid_invoice' };
    const { invoice } = decoded;
    if (invoice.network !== this.store.network) return { status: 'wrong_network' };
    const { amountMsat = null, faults = {} } = options;
    if (amountMsat !== null && amountMsat <= 0n) return { status: 'amount_too_low' };
    if (amountMsat !== null && amountMsat > MAX_AMOUNT_MSAT) return { status: 'amount_too_high' };
    const [sent] = await this.store.send('outside', [{ ...invoice, amountMsat, feeLimitMsat: null, faults }]);
    this.store.ticker.poll();
    if (sent && sent.refusal !== null) return { status: sent.refusal as OutsideRefusal };
    // Another payment of this hash was first.
    if (!sent?.begun || sent.state === null || sent.amount_msat === null) return { status: 'already_paid' };
    if (sent.state === 'failed') return { status: 'failed' };
    return { status: sent.state === 'settled' ? 'paid' : 'in_flight', paymentHash: invoice.paymentHash, amountMsat: sent.amount_msat };
  }

  /** Ends a payment of either side that is in flight: as it would have ended, or by failing for `fail`. False if there is none. */
  async release(paymentHash: string, fail?: PaymentFailure): Promise<boolean> {
    const { released } = await queryOne<{ released: boolean }>(this.store.database, RELEASE, [paymentHash, fail ?? null]);
    this.store.ticker.poll();
    return released;
  }

  /** Changes the faults of the payments of an invoice, of either side, that begin from now on. False if there is no such invoice. */
  async setFaults(paymentHash: string, faults: Faults): Promise<boolean> {
    return (await this.store.database.query(SET_FAULTS, [paymentHash, jsonOfFaults(faults)])).length > 0;
  }

  /** Takes our node offline, or online again. While it is offline it answers no call; payments that it had begun proceed. */
  async setAway(away: boolean): Promise<void> {
    await this.change(SET_AWAY, [away]);
  }

  /**
   * Restores our node from a backup: its settle index restarts, and it no longer has the invoices that were paid. It still has open ones,
   * as a restored copy of its database would. Streams break off.
   */
  async restore(): Promise<void> {
    await this.change(RESTORE);
  }

  /** Hides our node's records of the payments of a hash, as a restore from an older copy would, or shows them again. */
  async setForgotten(paymentHash: string, forgotten: boolean): Promise<void> {
    await this.change(FORGET, [paymentHash, forgotten]);
  }

  async setPaymentIndex(says: 'exact' | 'unknown' | 'unsupported'): Promise<void> {
    await this.store.database.query(SAYS_INDEX, [says]);
  }

  async balances(): Promise<Balances> {
    const { received, sent, fees } = await queryOne<{ received: bigint; sent: bigint; fees: bigint }>(this.store.database, BALANCES);
    return { receivedMsat: received, sentMsat: sent, feesMsat: fees, balanceMsat: received - sent - fees };
  }

  listPayments(limit = 50): Promise<SimulatedPayment[]> {
    return this.store.database.query<SimulatedPayment>(LIST_PAYMENTS, [limit]);
  }

  /** Changes the simulated network, whose followers learn of it at once. */
  private async change(statement: Statement, values: readonly unknown[] = []): Promise<void> {
    await this.store.database.query(statement, values);
    this.store.ticker.poll();
  }
}
