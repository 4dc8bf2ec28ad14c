import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { Injectable } from '@nestjs/common';
import {
  Config,
  createApp,
  decodeInvoice,
  encodeInvoice,
  LightningBackend,
  loadConfig,
  type Bolt11Invoice,
  type CancelledInvoice,
  type CreatedInvoice,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type NodeInfo,
  type PaymentIndex,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
} from '../../src/index.js';
import { createTestApp, dataOf, eventually, lightningBackendContract, TestUser, type TestApp } from '../../src/testing/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

interface OwnInvoice {
  readonly invoice: Bolt11Invoice;
  state: 'open' | 'settled' | 'cancelled';
  settlement?: InvoiceSettlement;
}

const hex32 = (): string => randomBytes(32).toString('hex');
const sha256 = (hex: string): string => createHash('sha256').update(hex, 'hex').digest('hex');
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function decoded(paymentRequest: string): Bolt11Invoice {
  const answer = decodeInvoice(paymentRequest);
  if (!answer.ok) throw new Error(answer.message);
  return answer.invoice;
}

/** A node in memory, with the peer that it is connected to: as small as the port allows. */
@Injectable()
class AcmeBackend implements LightningBackend {
  readonly nodeId: string;
  private readonly privateKey = randomBytes(32);
  private readonly invoices = new Map<string, OwnInvoice>();
  private readonly settlements: InvoiceSettlement[] = [];
  private readonly preimagesOfOthers = new Map<string, string>();
  private readonly payments = new Map<string, FinalPayment>();
  private readonly bus = new EventEmitter().setMaxListeners(0);

  /** Dependencies are injected as in any other class. */
  constructor(private readonly config: Config) {
    const facts = { network: config.network, amountMsat: null, createdAtSeconds: nowSeconds() };
    this.nodeId = decoded(encodeInvoice({ ...facts, paymentHash: hex32(), paymentSecret: hex32() }, this.privateKey)).payeeNodeId;
  }

  async info(): Promise<NodeInfo> {
    return { status: 'ready', nodeId: this.nodeId, network: this.config.network, alias: 'acme' };
  }

  async createInvoice({ preimage, ...request }: InvoiceRequest): Promise<CreatedInvoice> {
    const { amountMsat, expirySeconds } = request;
    if ((amountMsat !== null && amountMsat <= 0n) || expirySeconds <= 0 || !/^[0-9a-f]{64}$/.test(preimage)) return refused('invalid');
    const paymentHash = sha256(preimage);
    if (this.invoices.has(paymentHash)) return refused('duplicate');
    const facts = { network: this.config.network, createdAtSeconds: nowSeconds(), paymentHash, paymentSecret: hex32() };
    try {
      const invoice = decoded(encodeInvoice({ ...request, ...facts }, this.privateKey));
      this.invoices.set(paymentHash, { invoice, state: 'open' });
      const { paymentRequest, paymentSecret } = invoice;
      return { status: 'created', nodeId: this.nodeId, paymentHash, paymentRequest, paymentSecret: paymentSecret ?? '' };
    } catch {
      return refused('invalid');
    }
  }

  async cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    const own = this.invoices.get(paymentHash);
    if (!own) return 'not_found';
    if (own.state === 'settled') return 'settled';
    own.state = 'cancelled';
    return 'cancelled';
  }

  async lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    const own = this.invoices.get(paymentHash);
    if (!own) return { status: 'not_found' };
    if (own.state === 'open') return { status: 'open', paymentRequest: own.invoice.paymentRequest };
    if (!own.settlement) return { status: 'cancelled' };
    const { settleIndex, amountMsat } = own.settlement;
    return { status: 'settled', settleIndex, amountMsat };
  }

  async pay({ paymentHash }: PaymentRequest): Promise<PayResult> {
    const earlier = this.payments.get(paymentHash);
    if (earlier?.status === 'settled') return outcomeOf(earlier);
    const preimage = this.preimagesOfOthers.get(paymentHash);
    const payment: FinalPayment =
      preimage === undefined
        ? { status: 'failed', reason: 'no_route', paymentHash }
        : { status: 'settled', preimage, feeMsat: 1_000n, paymentHash };
    this.payments.set(paymentHash, payment);
    this.bus.emit('payment', payment);
    return outcomeOf(payment);
  }

  async lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    const payment = this.payments.get(paymentHash);
    return payment ? outcomeOf(payment) : { status: 'not_found' };
  }

  async latestPaymentIndex(): Promise<PaymentIndex> {
    return BigInt(this.payments.size);
  }

  async *invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    const next = follow<InvoiceSettlement>(this.bus, 'settlement', signal);
    for (const settlement of this.settlements.filter(({ settleIndex }) => settleIndex > afterIndex)) yield settlement;
    yield* next;
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return follow<FinalPayment>(this.bus, 'payment', signal);
  }

  /** Another node pays. @returns whether it could pay */
  async payFromOutside(paymentRequest: string, amountMsat?: bigint): Promise<boolean> {
    const { paymentHash, amountMsat: asked } = decoded(paymentRequest);
    const own = this.invoices.get(paymentHash);
    if (own?.state !== 'open') return false;
    own.state = 'settled';
    const settleIndex = BigInt(this.settlements.length + 1);
    own.settlement = { settleIndex, paymentHash, amountMsat: amountMsat ?? asked ?? 0n, settledAt: new Date() };
    this.settlements.push(own.settlement);
    this.bus.emit('settlement', own.settlement);
    return true;
  }

  /** @param reachable whether this node has a route there */
  invoiceOfOther(amountMsat: bigint | null, reachable = true): string {
    const preimage = hex32();
    const paymentHash = sha256(preimage);
    if (reachable) this.preimagesOfOthers.set(paymentHash, preimage);
    const facts = { network: this.config.network, amountMsat, createdAtSeconds: nowSeconds(), paymentHash, paymentSecret: hex32() };
    return encodeInvoice({ ...facts, description: '' }, randomBytes(32));
  }
}

const refused = (reason: 'duplicate' | 'invalid'): CreatedInvoice => ({ status: 'refused', reason });
const outcomeOf = ({ paymentHash: _hash, ...outcome }: FinalPayment): PayResult & PaymentStatus => outcome;

/** Listens from the call on, not from the first `next()`; ends when `signal` aborts, and never throws. */
function follow<T>(bus: EventEmitter, name: string, signal: AbortSignal): AsyncIterable<T> {
  const events = signal.aborted ? undefined : on(bus, name, { signal });
  return (async function* () {
    try {
      for await (const [event] of events ?? []) yield event as T;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  })();
}

const PRODUCTION = {
  SLUICE_MODE: 'production',
  PUBLIC_URL: 'https://wallet.example.test',
  NETWORK: 'signet',
  SECRET_KEY: 'x'.repeat(32),
  SLUICE_EMBEDDED_POSTGRES: '1',
  LIGHTNING_BACKEND: 'custom',
  LOG_LEVEL: 'silent',
};

/** Starts as an organisation's own `main` does: from the environment alone. */
async function startedBy(environment: Readonly<Record<string, string>>, connection: TestDatabase['connection']): Promise<Config | string> {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    const sluice = await createApp({ lightning: AcmeBackend, connection });
    expect(sluice.app.get(LightningBackend)).toBeInstanceOf(AcmeBackend);
    await sluice.close();
    return sluice.config;
  } catch (error) {
    return (error as Error).message;
  } finally {
    process.env = before;
  }
}

const config = loadConfig({ SECRET_KEY: 'x'.repeat(32) }, () => '');

describe('the Lightning back end of a team', () => {
  lightningBackendContract(async () => {
    const backend = new AcmeBackend(config);
    return {
      backend,
      network: config.network,
      invoiceOfOther: async (amountMsat) => backend.invoiceOfOther(amountMsat),
      invoiceOutOfReach: async (amountMsat) => backend.invoiceOfOther(amountMsat, false),
      payFromOutside: (paymentRequest, amountMsat) => backend.payFromOutside(paymentRequest, amountMsat),
      close: async () => undefined,
    };
  });

  describe('inside the application', () => {
    let database: TestDatabase;
    let app: TestApp;
    let node: AcmeBackend;
    let alice: TestUser;

    beforeAll(async () => {
      database = await createTestDatabase();
      app = await createTestApp({
        connection: database.connection,
        lightning: AcmeBackend,
        env: { TOKEN_PREFIX: 'acme', SESSION_IDLE_SECONDS: '60' },
        payFromOutside: (application, paymentRequest) => (application.get(LightningBackend) as AcmeBackend).payFromOutside(paymentRequest),
      });
      node = app.get(LightningBackend) as AcmeBackend;
      alice = await TestUser.create(app);
    });
    afterEach(async () => expect(await app.audit()).toEqual([]));
    afterAll(async () => {
      await app.close();
      await database.drop();
    });

    it('replaces the simulator', () => {
      expect(node).toBeInstanceOf(AcmeBackend);
    });

    it('has a configuration of its own, which says that the money is real', () => {
      expect(app.get(Config)).toMatchObject({ lightningBackend: 'custom', simulatedMoney: false, network: 'regtest', publicUrl: app.url });
      expect(app.get(Config)).toMatchObject({ tokenPrefix: 'acme', session: { idleSeconds: 60 } });
    });

    it('funds a user by a payment from its own outside', async () => {
      const carol = await TestUser.create(app, { sats: 7 });
      expect(await carol.sats()).toBe(7);
    });

    it('creates the invoices, and its settlements are credited', async () => {
      const { paymentRequest } = await alice.invoice(1_000, 'from elsewhere');
      expect(decoded(paymentRequest)).toMatchObject({ payeeNodeId: node.nodeId, description: 'from elsewhere' });
      expect(await node.payFromOutside(paymentRequest)).toBe(true);
      await eventually(async () => (await alice.sats()) === 1_000);
    });

    it('sends payments for the fee that it reports', async () => {
      await alice.pay({ paymentRequest: node.invoiceOfOther(100_000n) });
      expect(await alice.sats()).toBe(1_000 - 100 - 1);
    });

    it('reports a failure, and the hold is void', async () => {
      await expect(alice.pay({ paymentRequest: node.invoiceOfOther(100_000n, false) })).rejects.toThrow(/ROUTE|route/);
      expect(await alice.sats()).toBe(899);
    });

    it('cancels its copy of internally paid invoices', async () => {
      const bob = await TestUser.create(app);
      const invoice = await bob.invoice(50);
      await alice.pay(invoice);
      await eventually(async () => (await node.lookupInvoice(invoice.paymentHash)).status === 'cancelled');
      expect(await dataOf(app.url, '{ globals { network nodesIds } }')).toEqual({
        globals: { network: config.network, nodesIds: [node.nodeId] },
      });
    });
  });

  describe('in production', () => {
    let database: TestDatabase;
    beforeAll(async () => (database = await createTestDatabase()));
    afterAll(() => database.drop());

    it('is called custom, and its money is not simulated', async () => {
      const started = await startedBy(PRODUCTION, database.connection);
      expect(started).toMatchObject({ mode: 'production', lightningBackend: 'custom', simulatedMoney: false });
    });

    it('may be called neither simulator nor by an empty name', async () => {
      const said = 'The configuration has a problem:\n  - LIGHTNING_BACKEND must be';
      expect(
        await startedBy({ ...PRODUCTION, LIGHTNING_BACKEND: 'simulator', SLUICE_ALLOW_SIMULATED_MONEY: '1' }, database.connection),
      ).toBe(`${said} one of: custom`);
      expect(await startedBy({ ...PRODUCTION, LIGHTNING_BACKEND: '' }, database.connection)).toBe(`${said} set in production`);
    });

    it('is refused by a demo', async () => {
      expect(await startedBy({ SLUICE_MODE: 'demo', SECRET_KEY: PRODUCTION.SECRET_KEY }, database.connection)).toContain(
        'SLUICE_MODE must be production: a demo has no Lightning back end but the simulator',
      );
    });
  });
});
