import { Config, createApp, LightningBackend, loadConfig } from '../../src/index.js';
import { createTestApp, dataOf, eventually, lightningBackendContract, TestUser, type TestApp } from '../../src/testing/index.js';
import { AcmeBackend, decoded } from '../extensions/acme/acme.backend.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

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
async function startedBy(
  environment: Readonly<Record<string, string>>,
  connection: TestDatabase['connection'],
  lightning: typeof AcmeBackend = AcmeBackend,
): Promise<Config | string> {
  const before = { ...process.env };
  Object.assign(process.env, environment);
  try {
    const sluice = await createApp({ lightning, connection });
    expect(sluice.app.get(LightningBackend)).toBeInstanceOf(AcmeBackend);
    await sluice.close();
    return sluice.config;
  } catch (error) {
    return (error as Error).message;
  } finally {
    process.env = before;
  }
}

/** A node of which the least is known: it limits no fee, and cancels nothing. */
class PlainBackend extends AcmeBackend {
  override readonly capabilities = new Set(['own_preimage', 'settle_index'] as const);
}

/** Written for a Sluice that is to come. */
class FutureBackend extends AcmeBackend {
  override readonly portVersion = 2 as never;
}

const config = loadConfig({ SECRET_KEY: 'x'.repeat(32) }, () => '');

describe('the Lightning back end of a team', () => {
  lightningBackendContract(async () => {
    const backend = new AcmeBackend(config);
    return {
      backend,
      network: config.network,
      invoiceOfOther: async (amountMsat) => backend.invoiceOfOther(amountMsat),
      invoiceOutOfReach: async (amountMsat) => backend.invoiceOfOther(amountMsat, 'none'),
      payFromOutside: (paymentRequest, amountMsat) => backend.payFromOutside(paymentRequest, amountMsat),
      hold: async (amountMsat) => backend.hold(amountMsat),
      expensiveInvoice: async (amountMsat) => backend.expensiveInvoice(amountMsat),
      disconnect: async () => backend.disconnect(),
      reconnect: async () => backend.reconnect(),
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
        env: { TOKEN_PREFIX: 'acme' },
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
      expect(app.get(Config)).toMatchObject({ tokenPrefix: 'acme' });
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
      await expect(alice.pay({ paymentRequest: node.invoiceOfOther(100_000n, 'none') })).rejects.toThrow(/ROUTE|route/);
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

  describe('that lacks capabilities', () => {
    let database: TestDatabase;
    let app: TestApp;
    let node: PlainBackend;
    beforeAll(async () => {
      database = await createTestDatabase();
      app = await createTestApp({
        connection: database.connection,
        lightning: PlainBackend,
        payFromOutside: (application, paymentRequest) => (application.get(LightningBackend) as PlainBackend).payFromOutside(paymentRequest),
      });
      node = app.get(LightningBackend) as PlainBackend;
    });
    afterEach(async () => expect(await app.audit()).toEqual([]));
    afterAll(async () => {
      await app.close();
      await database.drop();
    });

    it('receives, and pays internally; what it paid so stays payable, and is credited too', async () => {
      const [alice, bob] = [await TestUser.create(app, { sats: 100 }), await TestUser.create(app)];
      const invoice = await bob.invoice(40);
      await alice.pay(invoice);
      expect([await alice.sats(), await bob.sats()]).toEqual([60, 40]);
      expect(await node.payFromOutside(invoice.paymentRequest)).toBe(true);
      await eventually(async () => (await bob.sats()) === 80);
    });

    it('sends nothing whose fee it cannot limit, and says so by a code before it holds anything', async () => {
      const alice = await TestUser.create(app, { sats: 100 });
      const pay = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }`;
      const input = { walletId: alice.wallets.BTC, paymentRequest: node.invoiceOfOther(10_000n) };
      expect(await dataOf(app.url, pay, { input }, await alice.key('write'))).toEqual({
        lnInvoicePaymentSend: { status: 'FAILURE', errors: [{ code: 'LIGHTNING_UNSUPPORTED' }] },
      });
      expect(await alice.sats()).toBe(100);
      expect(await node.latestPaymentIndex()).toBe(0n);
    });

    it('does not cancel an invoice, and says so by a code', async () => {
      const alice = await TestUser.create(app);
      const { paymentHash, paymentRequest } = await alice.invoice(40);
      const cancel = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success errors { code } } }`;
      const input = { walletId: alice.wallets.BTC, paymentHash };
      expect(await dataOf(app.url, cancel, { input }, await alice.key('receive'))).toEqual({
        lnInvoiceCancel: { success: false, errors: [{ code: 'LIGHTNING_UNSUPPORTED' }] },
      });
      expect(await node.payFromOutside(paymentRequest)).toBe(true);
      await eventually(async () => (await alice.sats()) === 40);
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

    it('is refused if it was made for another version of the port', async () => {
      expect(await startedBy(PRODUCTION, database.connection, FutureBackend)).toMatch(
        /^The Lightning back end FutureBackend was made for version 2 of the port, and this Sluice has version 1:/,
      );
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
