import { setTimeout as sleep } from 'node:timers/promises';
import type { OnModuleDestroy } from '@nestjs/common';
import { isUnavailable, queryOne, sql } from '../../../platform/database/index.js';
import type { Clock } from '../../../platform/kernel/clock.js';
import { decodeInvoice } from '../bolt11/index.js';
import { LightningBackend, PAYMENT_FAILURES } from '../lightning-backend.js';
import type * as port from '../lightning-messages.js';
import { ALL_CAPABILITIES, isPayable, type LightningCapability } from '../lightning-port.js';
import { Log } from '../../../platform/logging/index.js';
import { follow } from './follow.js';
import { SimulatorInvoices } from './simulator-invoices.js';
import type { NodeKey, SentRow, SimulatorStore } from './simulator.store.js';

type Port = LightningBackend;
const ALIAS = 'simulator';
const UNKNOWN = { status: 'unknown' } as const;
const NOT_SENT = { status: 'not_sent' } as const;

/** The simulator's reasons as failures of the port: the payee's refusals, and the failures that a fault may name. */
const FAILURE_OF_REASON: Readonly<Record<string, port.PaymentFailure>> = {
  unknown_invoice: 'no_route',
  cancelled: 'rejected',
  already_paid: 'rejected',
  amount_too_low: 'rejected',
  amount_too_high: 'rejected',
  ...Object.fromEntries(PAYMENT_FAILURES.map((failure) => [failure, failure])),
};

const LIST = sql`SELECT p.id AS index, p.payment_hash AS "paymentHash", p.state, p.amount_msat AS "amountMsat", coalesce(p.fee_msat, 0) AS "feeMsat", p.created_at AS "createdAt"
     FROM simulator.payment p, simulator.reach() WHERE p.payer = 'ours' AND p.id > $1 AND NOT p.faults ? 'forgotten' ORDER BY p.id LIMIT $2`;
/** Below zero for a node that spends what it has not received. */
const BALANCE = sql`SELECT coalesce(sum(CASE payer WHEN 'outside' THEN amount_msat ELSE -amount_msat - fee_msat END) FILTER (WHERE state = 'settled'), 0)::int8 AS settled,
          coalesce(sum(amount_msat + fee_msat) FILTER (WHERE payer = 'ours' AND state = 'in_flight'), 0)::int8 AS "inFlight"
     FROM simulator.payment, simulator.reach()`;
const PROBE = sql`SELECT simulator.probe_fee($1, $2, $3, $4) AS "feeMsat"`;

type SentState = Pick<SentRow, 'state' | 'fee_msat' | 'reason' | 'preimage'>;

/** Our simulated node. It keeps no state in memory: any number of instances may share one database. */
export class SimulatorBackend extends LightningBackend implements OnModuleDestroy {
  private readonly log = new Log(SimulatorBackend.name);
  readonly portVersion = 1;
  /** There is no connection whose end could prove anything. */
  readonly capabilities = new Set<LightningCapability>([...ALL_CAPABILITIES].filter((capability) => capability !== 'delivery_proof'));
  readonly nodeId: string;
  private readonly invoices: SimulatorInvoices;

  private constructor(
    private readonly store: SimulatorStore,
    private readonly clock: Clock,
    key: NodeKey,
  ) {
    super();
    this.nodeId = key.nodeId;
    this.invoices = new SimulatorInvoices(store, clock, key);
  }

  static async open(store: SimulatorStore, clock: Clock): Promise<SimulatorBackend> {
    return new SimulatorBackend(store, clock, await store.key('ours'));
  }

  onModuleDestroy(): void {
    this.store.ticker.stop();
  }

  info(): Promise<port.NodeInfo> {
    return this.answer<port.NodeInfo>(async () => {
      await this.store.tick();
      return { status: 'ready', nodeId: this.nodeId, network: this.store.network, alias: ALIAS };
    }, UNKNOWN);
  }

  readonly createInvoice: Port['createInvoice'] = (request) => this.answer(() => this.invoices.create(request), UNKNOWN);
  override readonly cancelInvoice: Port['cancelInvoice'] = (hash) => this.answer(() => this.invoices.cancel(hash), 'unknown');
  readonly lookupInvoice: Port['lookupInvoice'] = (hash) => this.answer(() => this.invoices.find(hash), UNKNOWN);
  override readonly latestPaymentIndex: Port['latestPaymentIndex'] = () => this.answer(() => this.store.latestPaymentIndex(), 'unknown');

  pay(request: port.PaymentRequest): Promise<port.PayResult> {
    if (!isPayable(request)) return Promise.resolve({ status: 'failed', reason: 'rejected' });
    const { paymentHash, paymentRequest, amountMsat, feeLimitMsat, timeoutSeconds, onInFlight } = request;
    return this.answer<port.PayResult>(async () => {
      const row = await this.store.ourPayments
        .submit({ paymentHash, paymentRequest, amountMsat, feeLimitMsat, faults: {} })
        .catch(whileAway);
      this.store.ticker.poll();
      if (!row || row.refusal === 'not_sent') return NOT_SENT;
      if (row.refusal === 'lost' || row.faults?.dropResponse) return UNKNOWN;
      if (row.state === 'in_flight') onInFlight?.();
      const outcome = finalOf(row) ?? (await this.ending(paymentHash, timeoutSeconds));
      if (row.faults?.responseDelayMs) await sleep(row.faults.responseDelayMs);
      return outcome;
    }, UNKNOWN);
  }

  lookupPayment(paymentHash: string): Promise<port.PaymentStatus> {
    return this.answer<port.PaymentStatus>(async () => {
      const row = await this.store.paymentLookUps.submit(paymentHash);
      return row ? (finalOf(row) ?? { status: 'in_flight' }) : { status: 'not_found' };
    }, UNKNOWN);
  }

  override listPayments(afterIndex: bigint, limit: number): Promise<port.PaymentPage> {
    return this.answer<port.PaymentPage>(async () => {
      const says = await this.store.latestPaymentIndex();
      if (typeof says === 'string') return { status: says };
      return { status: 'known', payments: await this.store.database.query<port.NodePayment>(LIST, [afterIndex, limit]) };
    }, UNKNOWN);
  }

  override probeFee(request: port.FeeProbeRequest): Promise<port.FeeProbe> {
    const decoded = decodeInvoice(request.paymentRequest);
    if (!decoded.ok || !isPayable(request)) return Promise.resolve({ status: 'no_route' });
    return this.answer<port.FeeProbe>(async () => {
      const values = [decoded.invoice.paymentHash, request.paymentRequest, request.amountMsat, request.feeLimitMsat];
      const { feeMsat } = await queryOne<{ feeMsat: bigint | null }>(this.store.database, PROBE, values);
      return feeMsat === null ? { status: 'no_route' } : { status: 'known', feeMsat };
    }, UNKNOWN);
  }

  override channelBalance(): Promise<port.ChannelBalance> {
    return this.answer<port.ChannelBalance>(async () => {
      const { settled, inFlight } = await queryOne<{ settled: bigint; inFlight: bigint }>(this.store.database, BALANCE);
      return { status: 'known', localMsat: settled - inFlight, remoteMsat: -settled, inFlightMsat: inFlight };
    }, UNKNOWN);
  }

  async *invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncGenerator<port.InvoiceSettlement> {
    if (!(await this.store.tick().catch(() => undefined))) return;
    for await (const row of follow(this.store, 'outside', afterIndex, signal)) {
      yield { settleIndex: row.final_index, paymentHash: row.payment_hash, amountMsat: row.amount_msat, settledAt: row.final_at };
    }
  }

  async *paymentOutcomes(signal: AbortSignal): AsyncGenerator<port.FinalPayment> {
    const present = await this.store.tick().catch(() => undefined);
    if (!present) return;
    for await (const row of follow(this.store, 'ours', present.last.ours, signal)) yield { ...endOf(row), paymentHash: row.payment_hash };
  }

  private async ending(paymentHash: string, timeoutSeconds: number): Promise<port.PayResult> {
    const deadline = new AbortController();
    const cancelTimeout = this.clock.timeout(timeoutSeconds * 1000, () => deadline.abort());
    try {
      let seen: bigint | undefined;
      for (;;) {
        const tick = await this.store.ticker.next(deadline.signal);
        if (!tick) return UNKNOWN;
        if (tick.last.ours === seen) continue;
        seen = tick.last.ours;
        const row = await this.store.paymentLookUps.submit(paymentHash);
        const outcome = row && finalOf(row);
        if (outcome) return outcome;
      }
    } finally {
      cancelTimeout();
    }
  }

  /** Makes a method total. Without the database this node is unreachable; any other error is a bug and gets the same answer. */
  private async answer<T>(work: () => Promise<T>, unknown: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error))
        this.log.error('lightning_simulator_failed', {}, 'A call of the simulator failed; its result is unknown', error);
      return unknown;
    }
  }
}

/** The request did not reach a node that is away, and the statement was rolled back. Any other error may hide a response. */
function whileAway(error: unknown): undefined {
  if (error instanceof Error && error.message === 'the simulated node is away') return undefined;
  throw error;
}

const finalOf = (sent: SentState): port.SettledPayment | port.FailedPayment | undefined =>
  sent.state === 'settled' || sent.state === 'failed' ? endOf(sent) : undefined;

function endOf({ state, preimage, fee_msat: feeMsat, reason }: SentState): port.SettledPayment | port.FailedPayment {
  if (state === 'settled' && preimage !== null) return { status: 'settled', preimage, feeMsat: feeMsat ?? 0n };
  return { status: 'failed', reason: FAILURE_OF_REASON[reason ?? 'error'] ?? 'error' };
}
