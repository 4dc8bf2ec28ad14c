import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { readFileSync } from 'node:fs';
import { Server, ServerCredentials, status, type sendUnaryData, type ServerUnaryCall, type ServerWritableStream } from '@grpc/grpc-js';
import type { ServiceDefinition } from '@grpc/proto-loader';
import { publicKeyOf } from './keys.js';
import { decodeInvoice, encodeInvoice } from '../../../src/money/lightning/index.js';
import { LND_RIGHTS, type LndInvoice, type LndPayment } from '../../../src/money/lightning/lnd/lnd-calls.js';
import { LND_WALLET_RIGHTS } from '../../../src/money/lightning/lnd/lnd-wallet-calls.js';
import { loadLndServices } from '../../../src/money/lightning/lnd/lnd-connection.js';
import { freePort } from '../../../src/platform/embedded-postgres/index.js';

const file = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
export const CERTIFICATE = file('tls.cert');
/** It expired in 2025. The key of all three is the same. */
export const EXPIRED_CERTIFICATE = file('tls-expired.cert');
/** Of `other.example`. */
export const OTHER_CERTIFICATE = file('tls-other-host.cert');
export const MACAROON = 'ab'.repeat(40);

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

interface Invoice extends LndInvoice {
  readonly valueMsat: bigint;
}

/** What happens to a payment of an invoice of the other node. `hold`: in flight until `release`. */
const CAPACITY_MSAT = 2_000_000_000n;

export type Fate = 'settle' | 'hold' | 'no_route' | 'no_balance' | 'bad_preimage' | 'other_payment' | 'no_end';

class GrpcError extends Error {
  constructor(
    readonly code: number,
    readonly details: string,
  ) {
    super(details);
  }
}

/** An LND node that speaks gRPC and keeps its invoices and payments in memory, with another node at the other end of its channel. */
export class LndDouble {
  network = 'regtest';
  isSynced = true;
  state = 'SERVER_ACTIVE';
  certificate = CERTIFICATE;
  macaroon = MACAROON;
  /** What every call is refused with, as by a node whose wallet is locked. */
  refusal: GrpcError | undefined;
  /** What LND says of a macaroon that it does not know, for all but its state. */
  unknownMacaroon: string | undefined;
  /** Methods that the macaroon does not permit, as far as LND is asked. */
  readonly lacking = new Set<string>();
  /** Whether the macaroon permits every method, also those that Sluice never calls. */
  isAdmin = false;
  key = randomBytes(32);
  /**
   * What the next call of a method is refused with; `break` cuts the connection after the method has done its work, `lose` before. `stall`: the
   * node stands still with the request that it has received, until `goOn`.
   */
  readonly faults = new Map<string, GrpcError | 'break' | 'lose' | 'silence' | 'stall'>();
  readonly calls: string[] = [];
  /** The client's end of the connection by which each of `calls` came. */
  readonly peers: string[] = [];
  private readonly stalled: (() => void)[] = [];
  private readonly otherKey = randomBytes(32);
  private readonly invoices = new Map<string, Invoice>();
  private readonly payments = new Map<string, LndPayment>();
  private readonly fates = new Map<string, { fate: Fate; preimage: Buffer }>();
  private readonly news = new EventEmitter().setMaxListeners(0);
  private settleIndex = 0;
  paymentIndex = 0;
  private server: Server | undefined;
  port = 0;
  blockHeight = 812_345;

  static refusal(code: number, details: string): GrpcError {
    return new GrpcError(code, details);
  }

  static hashOf(paymentRequest: string): string {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) throw new Error(decoded.message);
    return decoded.invoice.paymentHash;
  }

  static blockHashAt(height: number): string {
    return sha256(Buffer.from(`block ${height}`)).toString('hex');
  }

  get nodeId(): string {
    return publicKeyOf(this.key);
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Starts the server, on the port that it had before. */
  async start(): Promise<void> {
    const server = new Server({ 'grpc.max_send_message_length': -1 });
    const services = loadLndServices();
    for (const [name, methods] of Object.entries(this.methods())) {
      const handlers = Object.entries(methods).map(([method, handle]) => [method, this.guarded(`${name}/${method}`, handle)] as const);
      server.addService(services[name] as ServiceDefinition, Object.fromEntries(handlers));
    }
    const credentials = ServerCredentials.createSsl(null, [{ cert_chain: this.certificate, private_key: file('tls.key') }]);
    // While it is stopped, no outgoing connection of this machine takes its port.
    if (this.port === 0) this.port = await freePort();
    await new Promise<number>((resolve, reject) =>
      server.bindAsync(this.address, credentials, (error, port) => (error ? reject(error) : resolve(port))),
    );
    this.server = server;
  }

  /** Cuts every connection. What the node holds stays. */
  stop(): void {
    this.server?.forceShutdown();
    this.server = undefined;
  }

  goOn(): void {
    for (const resume of this.stalled.splice(0)) resume();
  }

  invoiceOfOther(amountMsat: bigint | null, fate: Fate = 'settle'): string {
    const preimage = randomBytes(32);
    const paymentHash = sha256(preimage).toString('hex');
    this.fates.set(paymentHash, { fate, preimage });
    return this.write(this.otherKey, amountMsat, paymentHash);
  }

  /** From now on a payment of this invoice has this fate. */
  setFate(paymentRequest: string, fate: Fate): void {
    const hash = LndDouble.hashOf(paymentRequest);
    const known = this.fates.get(hash);
    if (known) this.fates.set(hash, { ...known, fate });
  }

  /** Ends a payment that is held. */
  release(paymentHash: string, isSettled = true): void {
    const payment = this.payments.get(paymentHash);
    const known = this.fates.get(paymentHash);
    if (!payment || !known) throw new Error(`There is no payment ${paymentHash}`);
    this.put(isSettled ? settled(payment, known.preimage) : failed(payment, 'FAILURE_REASON_INCORRECT_PAYMENT_DETAILS'));
  }

  has(paymentHash: string): boolean {
    return this.payments.has(paymentHash);
  }

  /** Of all payments, in the order in which the node began them. */
  hashes(): Iterable<string> {
    return this.payments.keys();
  }

  /** The node loses a payment, as one that was restored from an older copy. */
  forget(paymentHash: string): void {
    this.payments.delete(paymentHash);
  }

  payFromOutside(paymentRequest: string, amountMsat?: bigint): boolean {
    const decoded = decodeInvoice(paymentRequest);
    const invoice = decoded.ok ? this.invoices.get(decoded.invoice.paymentHash) : undefined;
    const paidMsat = amountMsat ?? invoice?.valueMsat ?? 0n;
    if (invoice?.state !== 'OPEN' || paidMsat < invoice.valueMsat) return false;
    this.settleIndex += 1;
    const settled = { state: 'SETTLED', settle_index: String(this.settleIndex), settle_date: now() } as const;
    this.putInvoice({ ...invoice, ...settled, amt_paid_msat: String(paidMsat) });
    return true;
  }

  private putInvoice(invoice: Invoice): void {
    this.invoices.set(invoice.r_hash.toString('hex'), invoice);
    this.news.emit('invoice', invoice);
  }

  private write(key: Buffer, amountMsat: bigint | null, paymentHash: string, over: object = {}): string {
    const invoice = {
      network: 'regtest',
      amountMsat,
      paymentHash,
      paymentSecret: randomBytes(32).toString('hex'),
      description: '',
    } as const;
    return encodeInvoice({ ...invoice, createdAtSeconds: Math.floor(Date.now() / 1000), minFinalCltvExpiryDelta: 80, ...over }, key);
  }

  private put(payment: LndPayment): void {
    this.payments.set(payment.payment_hash, payment);
    this.news.emit('payment', payment);
  }

  private guarded(path: string, handle: (call: never, reply: never) => unknown) {
    return async (
      call: ServerUnaryCall<object, object> | ServerWritableStream<object, object>,
      reply?: sendUnaryData<object>,
    ): Promise<void> => {
      this.calls.push(path);
      this.peers.push(call.getPeer());
      const fault = this.faults.get(path);
      this.faults.delete(path);
      const refuse = (error: GrpcError): void =>
        reply ? reply(error) : void (call as ServerWritableStream<object, object>).emit('error', error);
      if (this.refusal) return refuse(this.refusal);
      if (this.unknownMacaroon !== undefined && !path.startsWith('lnrpc.State/'))
        return refuse(new GrpcError(status.UNKNOWN, this.unknownMacaroon));
      if (call.metadata.get('macaroon')[0] !== this.macaroon)
        return refuse(new GrpcError(status.UNKNOWN, 'cannot get macaroon: permission denied'));
      if (fault instanceof GrpcError) return refuse(fault);
      if (fault === 'lose') return this.stop();
      if (fault === 'stall') await new Promise<void>((resolve) => this.stalled.push(resolve));
      try {
        const answer = await handle(call as never, undefined as never);
        if (fault === 'silence') return;
        if (fault === 'break') return this.stop();
        if (reply) reply(null, answer as object);
        else (call as ServerWritableStream<object, object>).end();
      } catch (error) {
        refuse(error instanceof GrpcError ? error : new GrpcError(status.UNKNOWN, String(error)));
      }
    };
  }

  private methods(): Record<string, Record<string, (call: never) => unknown>> {
    return {
      'lnrpc.State': { GetState: () => ({ state: this.state }) },
      'lnrpc.Lightning': {
        GetInfo: () => this.info(),
        AddInvoice: (call) => this.addInvoice(call),
        ListInvoices: (call) => this.listInvoices(call),
        ListPayments: (call) => this.listPayments(call),
        QueryRoutes: (call) => this.queryRoutes(call),
        ChannelBalance: () => this.channelBalance(),
        // Its wallet is empty.
        GetTransactions: () => ({ transactions: [], last_index: '0' }),
        CheckMacaroonPermissions: ({ request }: ServerUnaryCall<{ fullMethod: string }, object>) => {
          const isPermitted = this.isAdmin || request.fullMethod.slice(1) in { ...LND_RIGHTS, ...LND_WALLET_RIGHTS };
          if (!isPermitted || this.lacking.has(request.fullMethod)) throw new GrpcError(status.INVALID_ARGUMENT, 'permission denied');
          return { valid: true };
        },
        SubscribeInvoices: (call) => this.subscribeInvoices(call),
      },
      'invoicesrpc.Invoices': {
        LookupInvoiceV2: ({ request }: ServerUnaryCall<{ payment_hash: Buffer }, object>) => this.findInvoice(request.payment_hash),
        CancelInvoice: ({ request }: ServerUnaryCall<{ payment_hash: Buffer }, object>) => this.cancelInvoice(request.payment_hash),
      },
      'routerrpc.Router': {
        SendPaymentV2: (call) => this.sendPayment(call),
        TrackPaymentV2: (call) => this.trackPayment(call),
        TrackPayments: (call) => this.trackPayments(call),
      },
    };
  }

  private info(): object {
    const chains = [{ chain: 'bitcoin', network: this.network }];
    return {
      identity_pubkey: this.nodeId,
      alias: 'double',
      version: '0.21.3-beta',
      synced_to_chain: this.isSynced,
      num_active_channels: 1,
      block_height: this.blockHeight,
      block_hash: LndDouble.blockHashAt(this.blockHeight),
      chains,
    };
  }

  private addInvoice({ request }: ServerUnaryCall<Record<string, Buffer & string>, object>): object {
    const hash = sha256(request['r_preimage'] as Buffer);
    if (this.invoices.has(hash.toString('hex'))) throw new GrpcError(status.UNKNOWN, 'invoice with payment hash already exists');
    const valueMsat = BigInt(request['value_msat'] as string);
    const secret = randomBytes(32).toString('hex');
    const descriptionHash = (request['description_hash'] as Buffer | undefined)?.toString('hex');
    const paymentRequest = this.write(this.key, valueMsat === 0n ? null : valueMsat, hash.toString('hex'), {
      paymentSecret: secret,
      expirySeconds: Number(request['expiry']),
      description: request['memo'],
      ...(descriptionHash ? { descriptionHash } : {}),
    });
    const fixed = { r_hash: hash, payment_request: paymentRequest, valueMsat, settle_date: '0' };
    this.invoices.set(hash.toString('hex'), { ...fixed, state: 'OPEN', settle_index: '0', amt_paid_msat: '0' });
    return { r_hash: hash, payment_request: paymentRequest, payment_addr: Buffer.from(secret, 'hex') };
  }

  private findInvoice(hash: Buffer): Invoice {
    const found = this.invoices.get(hash.toString('hex'));
    if (!found) throw new GrpcError(status.NOT_FOUND, 'unable to locate invoice');
    return found;
  }

  /** Invoices of the past that nothing has paid. */
  addCancelled(count: number): void {
    for (let n = 0; n < count; n++) {
      const hash = randomBytes(32);
      const fixed = { r_hash: hash, payment_request: '', settle_date: '0', valueMsat: 1n };
      this.invoices.set(hash.toString('hex'), { ...fixed, state: 'CANCELED', settle_index: '0', amt_paid_msat: '0' });
    }
  }

  private cancelInvoice(hash: Buffer): object {
    const found = this.invoices.get(hash.toString('hex'));
    if (!found) throw new GrpcError(status.UNKNOWN, 'unable to locate invoice');
    if (found.state === 'SETTLED') throw new GrpcError(status.UNKNOWN, 'invoice already settled');
    this.putInvoice({ ...found, state: 'CANCELED' });
    return {};
  }

  /** The other node, and no further one, is in the graph. */
  private queryRoutes({ request }: ServerUnaryCall<{ pub_key: string; fee_limit: { fixed_msat: string } }, object>): object {
    if (request.pub_key !== publicKeyOf(this.otherKey) || request.fee_limit.fixed_msat === '0')
      throw new GrpcError(status.UNKNOWN, 'unable to find a path to destination');
    return { routes: [{ total_fees_msat: '1' }] };
  }

  private listInvoices({ request }: ServerUnaryCall<{ index_offset: string; num_max_invoices: string }, object>): object {
    const offset = Number(request.index_offset);
    const invoices = [...this.invoices.values()].slice(offset, offset + Number(request.num_max_invoices));
    return { invoices, last_index_offset: String(offset + invoices.length) };
  }

  /** As LND does: from index 0 none of the past, and never one up to the index. */
  private async subscribeInvoices(call: ServerWritableStream<{ settle_index: string }, LndInvoice>): Promise<void> {
    const listening = abortedBy(call);
    let after = Number(call.request.settle_index);
    const settled = on(this.news, 'invoice', { signal: listening });
    const past = [...this.invoices.values()]
      .filter(({ state }) => state === 'SETTLED')
      .sort((a, b) => Number(a.settle_index) - Number(b.settle_index));
    for (const invoice of after === 0 ? [] : past) if (Number(invoice.settle_index) > after) call.write(invoice);
    after = Math.max(after, after === 0 ? 0 : this.settleIndex);
    await quietly(async () => {
      for await (const [invoice] of settled as AsyncIterable<[Invoice]>)
        if (invoice.state === 'SETTLED' && Number(invoice.settle_index) > after) call.write(invoice);
    });
  }

  private async sendPayment(call: ServerWritableStream<Record<string, string>, LndPayment>): Promise<void> {
    const { payment_request: request = '', fee_limit_msat: feeLimit = '0', amt_msat: amount = '0' } = call.request;
    const decoded = decodeInvoice(request);
    if (!decoded.ok) throw new GrpcError(status.UNKNOWN, 'invalid payment request');
    const { paymentHash, amountMsat, expiresAt } = decoded.invoice;
    if (amountMsat !== null && amount !== '0')
      throw new GrpcError(status.UNKNOWN, 'amount must not be specified when paying a non-zero amount invoice');
    if (expiresAt.getTime() < Date.now()) throw new GrpcError(status.UNKNOWN, 'invoice expired. Valid until ...');
    const before = this.payments.get(paymentHash);
    if (before && before.status !== 'FAILED')
      throw new GrpcError(status.ALREADY_EXISTS, before.status === 'SUCCEEDED' ? 'invoice is already paid' : 'payment is in transition');
    const begun = this.begin(paymentHash, amountMsat ?? BigInt(amount));
    const done = this.follow(call, paymentHash);
    this.progress(begun, BigInt(feeLimit));
    await done;
  }

  /** A payment that another program makes by this node, of an invoice that is not known here. */
  payByHand(amountMsat: bigint, isSettled = true): string {
    const preimage = randomBytes(32);
    const paymentHash = sha256(preimage).toString('hex');
    this.fates.set(paymentHash, { fate: 'settle', preimage });
    this.payHashByHand(paymentHash, amountMsat, isSettled);
    return paymentHash;
  }

  /** The same of an invoice of the other node. */
  payInvoiceByHand(paymentRequest: string, isSettled = true): string {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) throw new Error(decoded.message);
    const { paymentHash, amountMsat } = decoded.invoice;
    this.payHashByHand(paymentHash, amountMsat ?? 0n, isSettled);
    return paymentHash;
  }

  private payHashByHand(paymentHash: string, amountMsat: bigint, isSettled: boolean): void {
    const begun = this.begin(paymentHash, amountMsat);
    if (isSettled) this.put(settled(begun, this.fates.get(paymentHash)?.preimage ?? Buffer.alloc(32)));
  }

  /** The node was restored from a copy with this index. */
  restore(paymentIndex: number): void {
    this.paymentIndex = paymentIndex;
    for (const [hash, { payment_index: index }] of this.payments) if (Number(index) > paymentIndex) this.payments.delete(hash);
  }

  /** The node was restored from its seed: it counts settlements from the start. */
  loseInvoices(): void {
    this.invoices.clear();
    this.settleIndex = 0;
  }

  private begin(paymentHash: string, valueMsat: bigint): LndPayment {
    this.paymentIndex += 1;
    const begun: LndPayment = {
      payment_hash: paymentHash,
      payment_index: String(this.paymentIndex),
      payment_preimage: '',
      fee_msat: '0',
      value_msat: String(valueMsat),
      creation_time_ns: String(BigInt(Date.now()) * 1_000_000n),
      status: 'IN_FLIGHT',
      failure_reason: 'FAILURE_REASON_NONE',
    };
    this.put(begun);
    return begun;
  }

  private channelBalance(): Record<string, { msat: string }> {
    let local = CAPACITY_MSAT / 2n;
    let inFlight = 0n;
    for (const { status: state, value_msat: value, fee_msat: fee } of this.payments.values()) {
      if (state === 'FAILED') continue;
      local -= BigInt(value) + BigInt(fee);
      if (state === 'IN_FLIGHT') inFlight += BigInt(value) + BigInt(fee);
    }
    for (const { state, amt_paid_msat: paid } of this.invoices.values()) if (state === 'SETTLED') local += BigInt(paid);
    const sides = { local_balance: local, remote_balance: CAPACITY_MSAT - local - inFlight, unsettled_local_balance: inFlight };
    return Object.fromEntries(Object.entries(sides).map(([side, msat]) => [side, { msat: String(msat) }]));
  }

  private listPayments({ request }: ServerUnaryCall<{ index_offset: string; max_payments: string; reversed: boolean }, object>): {
    payments: LndPayment[];
  } {
    const all = [...this.payments.values()].sort((a, b) => Number(a.payment_index) - Number(b.payment_index));
    const { index_offset: after, max_payments: limit, reversed } = request;
    if (reversed) return { payments: all.slice(-Number(limit)) };
    return { payments: all.filter(({ payment_index: index }) => BigInt(index) > BigInt(after)).slice(0, Number(limit)) };
  }

  private progress(begun: LndPayment, feeLimitMsat: bigint): void {
    const known = this.fates.get(begun.payment_hash);
    if (!known || known.fate === 'no_route' || feeLimitMsat < 1n) return this.put(failed(begun, 'FAILURE_REASON_NO_ROUTE'));
    if (known.fate === 'no_balance') return this.put(failed(begun, 'FAILURE_REASON_INSUFFICIENT_BALANCE'));
    if (known.fate === 'settle') this.put(settled(begun, known.preimage));
    if (known.fate === 'bad_preimage') this.put({ ...settled(begun, known.preimage), payment_preimage: 'cd'.repeat(32) });
    if (known.fate === 'no_end') this.news.emit('end', begun.payment_hash);
  }

  private async trackPayment(call: ServerWritableStream<{ payment_hash: Buffer }, LndPayment>): Promise<void> {
    const hash = call.request.payment_hash.toString('hex');
    if (!this.payments.has(hash)) throw new GrpcError(status.NOT_FOUND, "payment isn't initiated");
    await this.follow(call, hash);
  }

  /** Sends the states of a payment until it has ended. */
  private async follow(call: ServerWritableStream<object, LndPayment>, hash: string): Promise<void> {
    const listening = abortedBy(call);
    const changes = on(this.news, 'payment', { signal: listening });
    const ended = new Promise<void>((resolve) => this.news.on('end', (which) => which === hash && resolve()));
    const write = (payment: LndPayment): boolean => {
      const isOther = this.fates.get(hash)?.fate === 'other_payment';
      call.write(isOther ? { ...payment, payment_hash: 'ee'.repeat(32), status: 'SUCCEEDED', payment_preimage: 'cd'.repeat(32) } : payment);
      return payment.status === 'SUCCEEDED' || payment.status === 'FAILED';
    };
    if (write(this.payments.get(hash) as LndPayment)) return;
    const until = quietly(async () => {
      for await (const [payment] of changes as AsyncIterable<[LndPayment]>) if (payment.payment_hash === hash && write(payment)) return;
    });
    await Promise.race([until, ended]);
  }

  private async trackPayments(call: ServerWritableStream<object, LndPayment>): Promise<void> {
    const changes = on(this.news, 'payment', { signal: abortedBy(call) });
    await quietly(async () => {
      for await (const [payment] of changes as AsyncIterable<[LndPayment]>) if (payment.status !== 'IN_FLIGHT') call.write(payment);
    });
  }
}

const now = (): string => String(Math.floor(Date.now() / 1000));
const settled = (payment: LndPayment, preimage: Buffer): LndPayment => ({
  ...payment,
  status: 'SUCCEEDED',
  payment_preimage: preimage.toString('hex'),
  fee_msat: '1',
});
const failed = (payment: LndPayment, reason: string): LndPayment => ({ ...payment, status: 'FAILED', failure_reason: reason });

function abortedBy(
  call: ServerWritableStream<object, LndPayment> | ServerWritableStream<{ settle_index: string }, LndInvoice>,
): AbortSignal {
  const gone = new AbortController();
  call.on('cancelled', () => gone.abort());
  call.on('close', () => gone.abort());
  return gone.signal;
}

/** Ends when its caller has gone. */
async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
