import { setTimeout as sleep } from 'node:timers/promises';
import type { OnModuleDestroy } from '@nestjs/common';
import { isUnavailable } from '../../database/index.js';
import type { Clock } from '../../kernel/clock.js';
import { HEX_32 } from '../../kernel/form.js';
import { paymentHashOf } from '../../kernel/payment-hash.js';
import { randomBytes } from '../../kernel/random.js';
import { MAX_AMOUNT_MSAT } from '../../kernel/money.js';
import { Bolt11Error, encodeInvoice } from '../bolt11/index.js';
import {
  LightningBackend,
  PAYMENT_FAILURES,
  type CancelledInvoice,
  type ChannelBalance,
  type CreatedInvoice,
  type FailedPayment,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type NodeInfo,
  type PaymentFailure,
  type PaymentIndex,
  type PaymentPage,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
  type SettledPayment,
} from '../lightning-backend.js';
import { Log } from '../../logging/index.js';
import { follow } from './follow.js';
import { MIN_FINAL_CLTV_EXPIRY_DELTA, type NodeKey, type SentRow, type SimulatorWorld } from './world.js';

const ALIAS = 'simulator';
const MAX_EXPIRY_SECONDS = 2 ** 31 - 1;
/** In blocks; above what LND 0.21 asks of an invoice. */
const UNKNOWN = { status: 'unknown' } as const;
const NOT_SENT = { status: 'not_sent' } as const;

/** The simulator's reasons as failures of the port: the payee's refusals, and the failures that a fault may name. */
const FAILURE_OF_REASON: Readonly<Record<string, PaymentFailure>> = {
  unknown_invoice: 'no_route',
  cancelled: 'rejected',
  already_paid: 'rejected',
  amount_too_low: 'rejected',
  amount_too_high: 'rejected',
  ...Object.fromEntries(PAYMENT_FAILURES.map((failure) => [failure, failure])),
};

type SentState = Pick<SentRow, 'state' | 'fee_msat' | 'reason' | 'preimage'>;

/** Our simulated node. It keeps no state in memory: any number of instances may share one database. */
export class SimulatorBackend extends LightningBackend implements OnModuleDestroy {
  private readonly log = new Log(SimulatorBackend.name);
  readonly nodeId: string;

  private constructor(
    private readonly world: SimulatorWorld,
    private readonly clock: Clock,
    private readonly key: NodeKey,
  ) {
    super();
    this.nodeId = key.nodeId;
  }

  static async open(world: SimulatorWorld, clock: Clock): Promise<SimulatorBackend> {
    return new SimulatorBackend(world, clock, await world.key('ours'));
  }

  onModuleDestroy(): void {
    this.world.ticker.stop();
  }

  info(): Promise<NodeInfo> {
    return this.answer<NodeInfo>(async () => {
      await this.world.tick();
      return { status: 'ready', nodeId: this.nodeId, network: this.world.network, alias: ALIAS };
    }, UNKNOWN);
  }

  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    const { preimage, amountMsat, expirySeconds } = request;
    const validExpiry = Number.isInteger(expirySeconds) && expirySeconds > 0 && expirySeconds <= MAX_EXPIRY_SECONDS;
    if (!HEX_32.test(preimage) || !validExpiry) return Promise.resolve({ status: 'refused', reason: 'invalid' });
    const paymentHash = paymentHashOf(preimage);
    const paymentSecret = randomBytes(32).toString('hex');
    return this.answer<CreatedInvoice>(async () => {
      const paymentRequest = this.write(request, paymentHash, paymentSecret);
      if (paymentRequest === undefined) return { status: 'refused', reason: 'invalid' };
      const added = await this.world.addOurInvoice({
        paymentHash,
        paymentRequest,
        preimage,
        amountMsat,
        ageSeconds: 0,
        expirySeconds,
        faults: {},
      });
      return added
        ? { status: 'created', nodeId: this.nodeId, paymentHash, paymentRequest, paymentSecret }
        : { status: 'refused', reason: 'duplicate' };
    }, UNKNOWN);
  }

  cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    return this.answer<CancelledInvoice>(async () => {
      const state = await this.world.cancel(paymentHash);
      // The call leaves no invoice open.
      return state === null ? 'not_found' : state === 'settled' ? 'settled' : 'cancelled';
    }, 'unknown');
  }

  lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    return this.answer<InvoiceState>(async () => {
      const row = await this.world.findInvoice(paymentHash);
      if (!row) return { status: 'not_found' };
      if (row.state === 'open') return { status: 'open', paymentRequest: row.payment_request };
      if (row.state === 'cancelled') return { status: 'cancelled' };
      return row.settle_index === null || row.amount_msat === null
        ? UNKNOWN
        : { status: 'settled', settleIndex: row.settle_index, amountMsat: row.amount_msat };
    }, UNKNOWN);
  }

  pay({ paymentHash, paymentRequest, amountMsat, feeLimitMsat, timeoutSeconds, onInFlight }: PaymentRequest): Promise<PayResult> {
    if (amountMsat <= 0n || amountMsat > MAX_AMOUNT_MSAT || feeLimitMsat < 0n || feeLimitMsat > MAX_AMOUNT_MSAT) {
      return Promise.resolve({ status: 'failed', reason: 'rejected' });
    }
    return this.answer<PayResult>(async () => {
      const row = await this.world.sendOurs({ paymentHash, paymentRequest, amountMsat, feeLimitMsat, faults: {} }).catch(whileAway);
      this.world.ticker.poll();
      if (!row || row.refusal === 'not_sent') return NOT_SENT;
      if (row.refusal === 'lost' || row.faults?.dropResponse) return UNKNOWN;
      if (row.state === 'in_flight') onInFlight?.();
      const outcome = finalOf(row) ?? (await this.ending(paymentHash, timeoutSeconds));
      if (row.faults?.responseDelayMs) await sleep(row.faults.responseDelayMs);
      return outcome;
    }, UNKNOWN);
  }

  lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    return this.answer<PaymentStatus>(async () => {
      const row = await this.world.findPayment(paymentHash);
      return row ? (finalOf(row) ?? { status: 'in_flight' }) : { status: 'not_found' };
    }, UNKNOWN);
  }

  latestPaymentIndex(): Promise<PaymentIndex> {
    return this.answer<PaymentIndex>(() => this.world.latestPaymentIndex(), 'unknown');
  }

  override listPayments(afterIndex: bigint, limit: number): Promise<PaymentPage> {
    return this.answer<PaymentPage>(async () => {
      const says = await this.world.latestPaymentIndex();
      if (typeof says === 'string') return { status: says };
      return { status: 'known', payments: await this.world.listOurs(afterIndex, limit) };
    }, UNKNOWN);
  }

  override channelBalance(): Promise<ChannelBalance> {
    return this.answer<ChannelBalance>(async () => {
      const { settled, inFlight } = await this.world.balance();
      return { status: 'known', localMsat: settled - inFlight, remoteMsat: -settled, inFlightMsat: inFlight };
    }, UNKNOWN);
  }

  async *invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncGenerator<InvoiceSettlement> {
    if (!(await this.isThere())) return;
    for await (const row of follow(this.world, 'outside', afterIndex, signal)) {
      yield { settleIndex: row.final_index, paymentHash: row.payment_hash, amountMsat: row.amount_msat, settledAt: row.final_at };
    }
  }

  async *paymentOutcomes(signal: AbortSignal): AsyncGenerator<FinalPayment> {
    const present = await this.world.tick().catch(() => undefined);
    if (!present) return;
    for await (const row of follow(this.world, 'ours', present.last.ours, signal)) yield { ...endOf(row), paymentHash: row.payment_hash };
  }

  private async isThere(): Promise<boolean> {
    return (await this.world.tick().catch(() => undefined)) !== undefined;
  }

  /** Waits for the end of a payment in flight, up to `timeoutSeconds`. */
  private async ending(paymentHash: string, timeoutSeconds: number): Promise<PayResult> {
    const deadline = new AbortController();
    const cancelTimeout = this.clock.timeout(timeoutSeconds * 1000, () => deadline.abort());
    try {
      let seen: bigint | undefined;
      for (;;) {
        const tick = await this.world.ticker.next(deadline.signal);
        if (!tick) return UNKNOWN;
        if (tick.last.ours === seen) continue;
        seen = tick.last.ours;
        const row = await this.world.findPayment(paymentHash);
        const outcome = row && finalOf(row);
        if (outcome) return outcome;
      }
    } finally {
      cancelTimeout();
    }
  }

  private write(request: InvoiceRequest, paymentHash: string, paymentSecret: string): string | undefined {
    const { amountMsat, description, descriptionHash, expirySeconds } = request;
    const invoice = { network: this.world.network, amountMsat, description, descriptionHash, expirySeconds, paymentHash, paymentSecret };
    const createdAtSeconds = Math.floor(this.clock.now() / 1000);
    try {
      return encodeInvoice({ ...invoice, createdAtSeconds, minFinalCltvExpiryDelta: MIN_FINAL_CLTV_EXPIRY_DELTA }, this.key.privateKey);
    } catch (error) {
      if (error instanceof Bolt11Error) return undefined;
      throw error;
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

/** Undefined while the payment is in flight. */
const finalOf = (sent: SentState): SettledPayment | FailedPayment | undefined =>
  sent.state === 'settled' || sent.state === 'failed' ? endOf(sent) : undefined;

function endOf({ state, preimage, fee_msat: feeMsat, reason }: SentState): SettledPayment | FailedPayment {
  if (state === 'settled' && preimage !== null) return { status: 'settled', preimage, feeMsat: feeMsat ?? 0n };
  return { status: 'failed', reason: FAILURE_OF_REASON[reason ?? 'error'] ?? 'error' };
}
