import type { OnModuleDestroy } from '@nestjs/common';
import type { Network } from '../../../platform/config/index.js';
import { Log, LogInterval } from '../../../platform/logging/index.js';
import { LightningBackend } from '../lightning-backend.js';
import type * as port from '../lightning-messages.js';
import { ALL_CAPABILITIES } from '../lightning-port.js';
import type { LndInfo } from './lnd-calls.js';
import { isRefusal, LndConnection, problemOf, wordsOf } from './lnd-connection.js';
import type { LndAccess } from '../lnd.settings.js';
import { LndInvoices } from './lnd-invoices.js';
import { LndPayments, probeFee } from './lnd-payments.js';
import { FirstSettlement, settlementsAfter } from './lnd-settlements.js';

type Port = LightningBackend;
const UNKNOWN = { status: 'unknown' } as const;
/** The core's deadline comes after the connection's, so that the reason is known. */
const CALL_SHARE = 0.9;

/**
 * Asks the pinned node. Resolves to undefined without its answer: it may have done what it was asked.
 * @param meaningOf what the words of a refusal mean; undefined: nothing
 */
export type AskLnd = <Answer>(
  work: (call: LndConnection['call']) => Promise<Answer>,
  meaningOf?: (words: string) => Answer | undefined,
) => Promise<Answer | undefined>;

/** One LND node, by its gRPC. It keeps no state but which node it is. */
export class LndBackend extends LightningBackend implements OnModuleDestroy {
  readonly portVersion = 1;
  readonly capabilities = ALL_CAPABILITIES;
  private readonly log = new Log('Lnd');
  private readonly problems = new LogInterval(60_000);
  private readonly connection: LndConnection;
  private readonly invoices: LndInvoices;
  private readonly payments: LndPayments;
  private readonly firstSettlement = new FirstSettlement();
  /** The connection by which the node last proved to be ours. */
  private verified: number | undefined;
  private pinnedId = '';
  private isSynced = true;

  constructor(
    private readonly access: LndAccess,
    private readonly network: Network,
    private readonly callMs: number,
  ) {
    super();
    this.connection = new LndConnection(access, callMs * CALL_SHARE);
    this.invoices = new LndInvoices(this.connection, access.routeHints);
    this.payments = new LndPayments(this.connection, callMs * CALL_SHARE);
  }

  /**
   * Asks the node once. One that does not answer is asked again by `info`: Sluice is not ready until then.
   * @throws Error if the node is on another network
   */
  static async open(access: LndAccess, network: Network, callMs: number): Promise<LndBackend> {
    const backend = new LndBackend(access, network, callMs);
    await backend.verifyNode().catch((error: unknown) => {
      backend.onModuleDestroy();
      throw error;
    });
    return backend;
  }

  get nodeId(): string {
    return this.pinnedId;
  }

  onModuleDestroy(): void {
    this.connection.close();
  }

  async info(): Promise<port.NodeInfo> {
    const info = await this.identify();
    if (!info) return UNKNOWN;
    if (!info.synced_to_chain) {
      this.report(new Error('it is not synced to the chain'));
      return UNKNOWN;
    }
    const { alias, block_height: blockHeight, block_hash: blockHash } = info;
    return { status: 'ready', nodeId: this.pinnedId, network: this.network, alias, blockHeight, blockHash };
  }

  readonly createInvoice: Port['createInvoice'] = (request) => this.ifOurs(() => this.invoices.create(request, this.pinnedId), UNKNOWN);
  override readonly cancelInvoice: Port['cancelInvoice'] = (hash) => this.ifOurs(() => this.invoices.cancel(hash), 'unknown');
  readonly lookupInvoice: Port['lookupInvoice'] = (hash) => this.ifOurs(() => this.invoices.find(hash), UNKNOWN);
  override readonly latestPaymentIndex: Port['latestPaymentIndex'] = () => this.ifOurs(() => this.payments.latestIndex(), 'unknown');
  override readonly listPayments: Port['listPayments'] = (after, limit) => this.ifOurs(() => this.payments.page(after, limit), UNKNOWN);
  override readonly probeFee: Port['probeFee'] = (request) => this.ifOurs(() => probeFee(this.connection, request), UNKNOWN);
  override readonly channelBalance: Port['channelBalance'] = () => this.ifOurs(() => this.payments.channelBalance(), UNKNOWN);

  pay(request: port.PaymentRequest): Promise<port.PayResult> {
    return this.payments.pay(request, async () => {
      const number = await this.ourConnection();
      // A node that is behind the chain chooses wrong time locks.
      return this.isSynced ? number : undefined;
    });
  }

  async lookupPayment(paymentHash: string): Promise<port.PaymentStatus> {
    return (await this.isOurNode()) ? this.payments.find(paymentHash) : UNKNOWN;
  }

  override async lookupPaymentAnew(paymentHash: string): Promise<port.PaymentStatus> {
    const connection = new LndConnection(this.access, (this.callMs * CALL_SHARE) / 2);
    try {
      const { identity_pubkey: nodeId } = await connection.call('lnrpc.Lightning/GetInfo', {});
      if (nodeId !== this.pinnedId) return UNKNOWN;
      return await new LndPayments(connection, (this.callMs * CALL_SHARE) / 2).find(paymentHash);
    } catch (error) {
      this.report(error);
      return UNKNOWN;
    } finally {
      connection.close();
    }
  }

  /** For the other half of the node, its on-chain wallet. */
  readonly ask: AskLnd = <Answer>(
    work: (call: LndConnection['call']) => Promise<Answer>,
    meaningOf?: (words: string) => Answer | undefined,
  ) =>
    this.ifOurs<Answer | undefined>(async () => {
      try {
        return await work((path, request) => this.connection.call(path, request));
      } catch (error) {
        const meaning = isRefusal(error) ? meaningOf?.(wordsOf(error)) : undefined;
        if (meaning === undefined) throw error;
        return meaning;
      }
    }, undefined);

  private async ifOurs<Answer>(ask: () => Promise<Answer>, unknown: Answer): Promise<Answer> {
    try {
      return (await this.isOurNode()) ? await ask() : unknown;
    } catch (error) {
      this.report(error);
      return unknown;
    }
  }

  invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<port.InvoiceSettlement> {
    return this.whileOurs(() => settlementsAfter(this.connection, this.firstSettlement, afterIndex, signal));
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<port.FinalPayment> {
    return this.whileOurs(() => this.payments.outcomes(signal));
  }

  /** A stream that ends instead of throwing, and is not opened at another node. */
  private async *whileOurs<Item>(open: () => AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      if (await this.isOurNode()) yield* open();
    } catch (error) {
      this.report(error);
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

  private identify(): Promise<LndInfo | undefined> {
    return this.verifyNode().catch((error: unknown) => this.report(error));
  }

  /** @throws Error if it is not the node that this process works with */
  private async verifyNode(): Promise<LndInfo | undefined> {
    const { number, count } = this.connection;
    this.verified = undefined;
    const info = await this.connection.call('lnrpc.Lightning/GetInfo', {}).catch((error: unknown) => this.report(error));
    if (!info) return undefined;
    const network = info.chains[0]?.network;
    if (network !== this.network) throw new Error(`NETWORK is ${this.network}, but the LND node is on ${network ?? 'an unknown network'}`);
    if (this.pinnedId !== '' && this.pinnedId !== info.identity_pubkey)
      throw new Error(`LND_ADDRESS now leads to node ${info.identity_pubkey} instead of ${this.pinnedId}; restart Sluice if that is meant`);
    this.pinnedId = info.identity_pubkey;
    this.isSynced = info.synced_to_chain;
    // Answered by the connection that there was, or by the first one after it.
    if (this.connection.count === (number === undefined ? count + 1 : count)) this.verified = this.connection.number;
    return info;
  }

  private report(error: unknown): undefined {
    const { kind, text } = problemOf(error);
    if (this.problems.isOver(kind)) this.log.warn('lightning_node_unusable', {}, `LND cannot be used: ${text}`);
  }
}
