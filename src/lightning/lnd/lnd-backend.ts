import type { OnModuleDestroy } from '@nestjs/common';
import type { Config, Network } from '../../config/index.js';
import { HEX_32 } from '../../kernel/form.js';
import { MAX_AMOUNT_MSAT } from '../../kernel/money.js';
import { Log, LogInterval } from '../../logging/index.js';
import {
  LightningBackend,
  type CancelledInvoice,
  type ChannelBalance,
  type CreatedInvoice,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type NodeInfo,
  type PaymentIndex,
  type PaymentPage,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
} from '../lightning-backend.js';
import { isDuplicate, isNotFound, isRefusal, wordsOf } from './lnd-errors.js';
import type { LndInfo } from './lnd-calls.js';
import { LndConnection, type LndSettings } from './lnd-connection.js';
import { LndPayments } from './lnd-payments.js';
import { FirstSettlement, settlementsAfter } from './lnd-settlements.js';

const UNKNOWN = { status: 'unknown' } as const;
const MAX_DESCRIPTION_BYTES = 639;
/** LND's own limit: a year. */
const MAX_EXPIRY_SECONDS = 31_536_000;
/** The core's deadline comes after the connection's, so that the reason is known. */
const CALL_SHARE = 0.9;

const hexBytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
export const networkOf = ({ chains }: LndInfo): string | undefined => chains[0]?.network;

/** One LND node, by its gRPC. It keeps no state but which node it is. */
export class LndBackend extends LightningBackend implements OnModuleDestroy {
  private readonly log = new Log('Lnd');
  private readonly problems = new LogInterval(60_000);
  private readonly connection: LndConnection;
  private readonly payments: LndPayments;
  private readonly firstSettlement = new FirstSettlement();
  /** The connection by which the node last proved to be ours. */
  private verified: number | undefined;
  private pinnedId = '';

  constructor(
    settings: LndSettings,
    private readonly network: Network,
    private readonly withRouteHints: boolean,
    callMs: number,
  ) {
    super();
    this.connection = new LndConnection(settings, callMs * CALL_SHARE);
    this.payments = new LndPayments(this.connection, callMs * CALL_SHARE);
  }

  /**
   * Asks the node once. One that does not answer is asked again by `info`: Sluice is not ready until then.
   * @throws Error if the node is on another network
   */
  static async open({ lnd, network, lightning }: Config): Promise<LndBackend> {
    if (!lnd) throw new Error('LND_ADDRESS and LND_MACAROON must be set');
    const backend = new LndBackend(lnd, network, lnd.routeHints, lightning.callMs);
    try {
      await backend.greet();
      return backend;
    } catch (error) {
      backend.onModuleDestroy();
      throw error;
    }
  }

  /** Empty until the node has answered for the first time. */
  get nodeId(): string {
    return this.pinnedId;
  }

  onModuleDestroy(): void {
    this.connection.close();
  }

  async info(): Promise<NodeInfo> {
    const info = await this.identify();
    if (!info) return UNKNOWN;
    if (!info.synced_to_chain) return this.unknownBecause('it is not synced to the chain');
    return { status: 'ready', nodeId: this.pinnedId, network: this.network, alias: info.alias };
  }

  async createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    const { amountMsat, preimage, expirySeconds, description = '', descriptionHash } = request;
    if (!isValid(request)) return { status: 'refused', reason: 'invalid' };
    if (!(await this.isOurNode())) return UNKNOWN;
    try {
      const made = await this.connection.call('lnrpc.Lightning/AddInvoice', {
        r_preimage: hexBytes(preimage),
        value_msat: String(amountMsat ?? 0n),
        expiry: String(expirySeconds),
        private: this.withRouteHints,
        ...(descriptionHash === undefined ? { memo: description } : { description_hash: hexBytes(descriptionHash) }),
      });
      return {
        status: 'created',
        nodeId: this.pinnedId,
        paymentHash: made.r_hash.toString('hex'),
        paymentRequest: made.payment_request,
        paymentSecret: made.payment_addr.toString('hex'),
      };
    } catch (error) {
      return isDuplicate(error) ? { status: 'refused', reason: 'duplicate' } : this.unknownBecause(wordsOf(error));
    }
  }

  async cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    if (!HEX_32.test(paymentHash)) return 'not_found';
    try {
      if (!(await this.isOurNode())) return 'unknown';
      await this.connection.call('invoicesrpc.Invoices/CancelInvoice', { payment_hash: hexBytes(paymentHash) });
      return 'cancelled';
    } catch (error) {
      // LND's refusals have no codes: the invoice itself says why.
      if (!isRefusal(error)) return 'unknown';
      const { status } = await this.lookupInvoice(paymentHash);
      return status === 'open' ? 'unknown' : status;
    }
  }

  async lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    if (!HEX_32.test(paymentHash)) return { status: 'not_found' };
    try {
      if (!(await this.isOurNode())) return UNKNOWN;
      const invoice = await this.connection.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash: hexBytes(paymentHash) });
      if (invoice.state === 'CANCELED') return { status: 'cancelled' };
      // Accepted: parts of a payment have arrived, and nothing is settled.
      if (invoice.state !== 'SETTLED') return { status: 'open', paymentRequest: invoice.payment_request };
      return { status: 'settled', settleIndex: BigInt(invoice.settle_index), amountMsat: BigInt(invoice.amt_paid_msat) };
    } catch (error) {
      return isNotFound(error) ? { status: 'not_found' } : UNKNOWN;
    }
  }

  pay(request: PaymentRequest): Promise<PayResult> {
    return this.payments.pay(request, () => this.ourConnection());
  }

  async lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    return (await this.isOurNode()) ? this.payments.find(paymentHash) : UNKNOWN;
  }

  async latestPaymentIndex(): Promise<PaymentIndex> {
    try {
      return (await this.isOurNode()) ? await this.payments.latestIndex() : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  override async listPayments(afterIndex: bigint, limit: number): Promise<PaymentPage> {
    return this.ifOurs<PaymentPage>(() => this.payments.page(afterIndex, limit));
  }

  override async channelBalance(): Promise<ChannelBalance> {
    return this.ifOurs<ChannelBalance>(() => this.payments.channelBalance());
  }

  private async ifOurs<Answer>(ask: () => Promise<Answer>): Promise<Answer | typeof UNKNOWN> {
    try {
      return (await this.isOurNode()) ? await ask() : UNKNOWN;
    } catch (error) {
      this.report(wordsOf(error));
      return UNKNOWN;
    }
  }

  invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    return this.whileOurs(() => settlementsAfter(this.connection, this.firstSettlement, afterIndex, signal));
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return this.whileOurs(() => this.payments.outcomes(signal));
  }

  /** A stream that ends instead of throwing, and is not opened at another node. */
  private async *whileOurs<Item>(open: () => AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      if (await this.isOurNode()) yield* open();
    } catch (error) {
      this.report(`a stream ended: ${wordsOf(error)}`);
    }
  }

  private async isOurNode(): Promise<boolean> {
    return (await this.ourConnection()) !== undefined;
  }

  /** The number of a connection that leads to our node: before the first call by a new one, because another node may be at its other end. */
  private async ourConnection(): Promise<number | undefined> {
    const { number } = this.connection;
    if (number === undefined || this.verified !== number) await this.identify();
    return this.verified;
  }

  private async identify(): Promise<LndInfo | undefined> {
    try {
      return await this.greet();
    } catch (error) {
      this.report(wordsOf(error));
      return undefined;
    }
  }

  /** @throws Error if it is not the node that this process works with */
  private async greet(): Promise<LndInfo | undefined> {
    const { number, count } = this.connection;
    this.verified = undefined;
    let info: LndInfo;
    try {
      info = await this.connection.call('lnrpc.Lightning/GetInfo', {});
    } catch (error) {
      this.report(wordsOf(error));
      return undefined;
    }
    const network = networkOf(info);
    if (network !== this.network) throw new Error(`NETWORK is ${this.network}, but the LND node is on ${network ?? 'an unknown network'}`);
    if (this.pinnedId !== '' && this.pinnedId !== info.identity_pubkey)
      throw new Error(`LND_ADDRESS now leads to node ${info.identity_pubkey} instead of ${this.pinnedId}; restart Sluice if that is meant`);
    this.pinnedId = info.identity_pubkey;
    // Answered by the connection that there was, or by the first one after it.
    if (this.connection.count === (number === undefined ? count + 1 : count)) this.verified = this.connection.number;
    return info;
  }

  private unknownBecause(reason: string): typeof UNKNOWN {
    this.report(reason);
    return UNKNOWN;
  }

  private report(reason: string): void {
    if (this.problems.isOver()) this.log.warn('lightning_node_unusable', {}, `LND cannot be used: ${reason}`);
  }
}

function isValid({ amountMsat, description = '', descriptionHash, expirySeconds, preimage }: InvoiceRequest): boolean {
  const validAmount = amountMsat === null || (amountMsat > 0n && amountMsat <= MAX_AMOUNT_MSAT);
  const validText = descriptionHash === undefined ? Buffer.byteLength(description) <= MAX_DESCRIPTION_BYTES : HEX_32.test(descriptionHash);
  const validExpiry = Number.isInteger(expirySeconds) && expirySeconds > 0 && expirySeconds <= MAX_EXPIRY_SECONDS;
  return validAmount && validText && validExpiry && HEX_32.test(preimage);
}
