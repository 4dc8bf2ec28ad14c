import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { paymentHashOf } from '../../../../src/platform/kernel/payment-hash.js';
import { lndCommands } from '../../../../src/operator/act/lnd.command.js';
import { LND_RIGHTS } from '../../../../src/money/lightning/lnd/lnd-calls.js';
import { LND_WALLET_RIGHTS } from '../../../../src/money/lightning/lnd/lnd-wallet-calls.js';
import { checkLnd } from '../../../../src/money/lightning/lnd/lnd-check.js';
import { createTestApp, dataOf, eventually, TestUser, type TestApp, type TestInvoice } from '../../../../src/testing/index.js';
import { LndDouble } from '../lnd-double.js';
import { lndEnvironment } from '../lnd-environment.js';
import { LndNetwork } from './network.js';

const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message } } }`;
const PAY_ANY = `mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) { status errors { code } } }`;
const CREATE_ANY = `mutation ($input: LnNoAmountInvoiceCreateInput!) {
  answer: lnNoAmountInvoiceCreate(input: $input) { errors { code } invoice { paymentRequest paymentHash } } }`;
const PROBE = `mutation ($input: LnInvoiceFeeProbeInput!) { answer: lnInvoiceFeeProbe(input: $input) { amount errors { code } } }`;
const PROBE_ANY = `mutation ($input: LnNoAmountInvoiceFeeProbeInput!) { answer: lnNoAmountInvoiceFeeProbe(input: $input) { amount errors { code } } }`;
/** Every method that Sluice calls. */
const METHODS = Object.keys({ ...LND_RIGHTS, ...LND_WALLET_RIGHTS });
const STATUS = `query ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status } }`;

describe('a wallet on a real LND node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-'));
  let network: LndNetwork;
  let app: TestApp;
  let alice: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    network = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
    await network.start();
    const { a, c } = network;
    // All tests run with the least rights.
    const env = await lndEnvironment({ address: a.address, certificate: a.certificate, macaroon: await bake(METHODS) });
    const quick = { PAYMENT_WAIT_SECONDS: '5', RECONCILE_AFTER_SECONDS: '0' };
    app = await createTestApp({ env: { ...env, ...quick }, payFromOutside: async (_app, request) => c.pay(request) });
    await eventually(async () => (await fetch(`${app.url}/health/ready`)).status === 200);
    [alice, bob] = [await TestUser.create(app, { sats: 500_000 }), await TestUser.create(app)];
  });
  afterEach(async () => expect(await app.audit()).toEqual([]));
  afterAll(async () => {
    await app?.close();
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A macaroon for these methods alone. */
  const bake = async (methods: readonly string[]): Promise<string> => {
    const permissions = methods.map((method) => ({ entity: 'uri', action: `/${method}` }));
    return (await network.a.call('lnrpc.Lightning/BakeMacaroon', { permissions }))['macaroon'] as string;
  };
  const send = async (paymentRequest: string): Promise<{ status: string; errors: { code: string }[] }> => {
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    const sent = await dataOf<{ lnInvoicePaymentSend: { status: string; errors: { code: string }[] } }>(
      app.url,
      PAY,
      { input },
      await alice.key('write'),
    );
    return sent.lnInvoicePaymentSend;
  };
  const statusOf = async (paymentHash: string): Promise<string> => {
    const found = await dataOf<{ lnInvoicePaymentStatusByHash: { status: string } }>(app.url, STATUS, { input: { paymentHash } });
    return found.lnInvoicePaymentStatusByHash.status;
  };
  /** Alice's, with the answer under the name `answer`. */
  const ask = async <Answer>(document: string, more: object, scope = 'write'): Promise<Answer> => {
    const variables = { input: { walletId: alice.wallets.BTC, ...more } };
    return (await dataOf<{ answer: Answer }>(app.url, document, variables, await alice.key(scope))).answer;
  };
  const invoiceOfC = async (sats: number): Promise<string> =>
    (await network.c.call('lnrpc.Lightning/AddInvoice', { value: String(sats) }))['payment_request'] as string;
  /** An invoice of C that is paid when C says so. */
  const holdInvoiceOfC = async (sats: number): Promise<{ preimage: Buffer; hash: Buffer; paymentRequest: string }> => {
    const preimage = randomBytes(32);
    const hash = Buffer.from(paymentHashOf(preimage.toString('hex')), 'hex');
    const made = await network.c.call('invoicesrpc.Invoices/AddHoldInvoice', { hash, value: String(sats), cltv_expiry: '80' });
    return { preimage, hash, paymentRequest: made['payment_request'] as string };
  };
  const hasArrived = (hash: Buffer) => async (): Promise<boolean> =>
    (await network.c.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash: hash }))['state'] === 'ACCEPTED';

  it('was funded from outside, over two hops', async () => {
    expect(await alice.sats()).toBe(500_000);
  });

  it('pays over two hops, for the fee of the route, rounded up', async () => {
    const before = await alice.sats();
    expect(await send(await invoiceOfC(10_000))).toEqual({ status: 'SUCCESS', errors: [] });
    // LND's default policy: 1 sat and a millionth of the amount.
    expect(await alice.sats()).toBe(before - 10_000 - 2);
  });

  it('estimates the fee over two hops, and then pays it', async () => {
    const [before, paymentRequest] = [await alice.sats(), await invoiceOfC(12_000)];
    // An answer after the second that the caller waits is the fee limit, so the probe is repeated.
    await eventually(async () => isDeepStrictEqual(await ask(PROBE, { paymentRequest }, 'read'), { amount: 2, errors: [] }));
    expect(await alice.sats()).toBe(before);
    expect(await send(paymentRequest)).toEqual({ status: 'SUCCESS', errors: [] });
    expect(await alice.sats()).toBe(before - 12_000 - 2);
  });

  it('is paid by an invoice without an amount, with what the payer chooses', async () => {
    const before = await alice.sats();
    const { invoice } = await ask<{ invoice: TestInvoice }>(CREATE_ANY, {}, 'receive');
    expect(await network.c.pay(invoice.paymentRequest, 3_210_000n)).toBe(true);
    await eventually(async () => (await alice.sats()) === before + 3_210);
    expect(await statusOf(invoice.paymentHash)).toBe('PAID');
    expect(await network.c.pay(invoice.paymentRequest, 3_210_000n)).toBe(false);
  });

  it('estimates and pays an invoice without an amount over two hops, once', async () => {
    const [before, paymentRequest] = [await alice.sats(), await invoiceOfC(0)];
    const input = { paymentRequest, amount: 7_000 };
    await eventually(async () => isDeepStrictEqual(await ask(PROBE_ANY, input, 'read'), { amount: 2, errors: [] }));
    expect(await alice.sats()).toBe(before);
    expect(await ask(PAY_ANY, input)).toEqual({ status: 'SUCCESS', errors: [] });
    expect(await ask(PAY_ANY, { paymentRequest, amount: 8_000 })).toMatchObject({ status: 'ALREADY_PAID' });
    expect(await alice.sats()).toBe(before - 7_000 - 2);
    const hash = Buffer.from(LndDouble.hashOf(paymentRequest), 'hex');
    const found = await network.c.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash: hash });
    expect(found).toMatchObject({ state: 'SETTLED', amt_paid_msat: '7000000' });
  });

  it('reports the latest block of its node', async () => {
    const { block_hash: blockHash, block_height: blockHeight } = await network.a.call('lnrpc.Lightning/GetInfo');
    expect(blockHeight).toBeGreaterThan(0);
    const { globals } = await dataOf<{ globals: object }>(app.url, '{ globals { blockInfo { blockHash blockHeight } } }');
    expect(globals).toEqual({ blockInfo: { blockHash, blockHeight } });
  });

  it('does not pay without a route, and keeps its money', async () => {
    const before = await alice.sats();
    await network.b.stop();
    expect(await send(await invoiceOfC(5_000))).toMatchObject({ status: 'FAILURE' });
    expect(await alice.sats()).toBe(before);
    await network.b.start();
    await network.b.waitUntilSynced();
    await eventually(async () => (await send(await invoiceOfC(1_000))).status === 'SUCCESS');
  });

  it('is paid from wallet to wallet, and the node’s copy is closed', async () => {
    const invoice = await bob.invoice(700);
    await alice.pay(invoice);
    expect(await bob.sats()).toBe(700);
    expect(await network.c.pay(invoice.paymentRequest)).toBe(false);
    expect(await statusOf(invoice.paymentHash)).toBe('PAID');
  });

  it('pays while its node is killed with the payment in flight', async () => {
    const before = await alice.sats();
    const { preimage, hash, paymentRequest } = await holdInvoiceOfC(20_000);
    const sent = send(paymentRequest);
    await eventually(hasArrived(hash));
    await network.a.stop('SIGKILL');
    expect(await sent).toMatchObject({ status: 'PENDING' });
    await network.c.call('invoicesrpc.Invoices/SettleInvoice', { preimage });
    await network.a.start();
    await network.a.waitUntilSynced();
    await eventually(async () => (await alice.sats()) === before - 20_000 - 2);
  });

  it('gets its money back when the payee refuses while the node is away', async () => {
    const before = await alice.sats();
    const { hash, paymentRequest } = await holdInvoiceOfC(30_000);
    // The channels are active again only some time after the node.
    await eventually(async () => (await send(await invoiceOfC(1_000))).status === 'SUCCESS');
    const funded = await alice.sats();
    expect(funded).toBeLessThan(before);
    const sent = send(paymentRequest);
    await eventually(hasArrived(hash));
    await network.a.stop('SIGKILL');
    expect(await sent).toMatchObject({ status: 'PENDING' });
    await network.c.call('invoicesrpc.Invoices/CancelInvoice', { payment_hash: hash });
    await network.a.start();
    await network.a.waitUntilSynced();
    await eventually(async () => (await alice.sats()) === funded);
  });

  it('is credited for what was paid while Sluice was away from its node', async () => {
    const { paymentRequest } = await bob.invoice(900);
    const before = await bob.sats();
    // The channels of A come back before Sluice has connected again, and its stream continues from its cursor.
    await network.a.stop('SIGKILL');
    await network.a.start();
    await network.a.waitUntilSynced();
    await eventually(() => network.c.pay(paymentRequest));
    await eventually(async () => (await bob.sats()) === before + 900);
  });

  it('is found well by its operator', async () => {
    const lines: string[] = [];
    await lndCommands[0]?.run(app.sluice.app, { positionals: [], options: {} }, (line) => void lines.push(line));
    expect(lines.at(-1)).toBe('All is well.');
  });

  it.each(METHODS)('misses the right to call %s, and names it', async (method) => {
    const { address, certificate } = network.a;
    const macaroon = await bake(METHODS.filter((other) => other !== method));
    const faults = (await checkLnd({ address, certificate, macaroon, routeHints: false }, 'regtest', true)).filter(({ ok }) => !ok);
    expect(faults[0]).toMatchObject({ name: 'rights', text: expect.stringContaining(`lacks: ${method}`) as string });
  });
});
