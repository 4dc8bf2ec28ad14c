import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeInvoice } from '../../../../src/money/lightning/index.js';
import { LndBackend } from '../../../../src/money/lightning/lnd/index.js';
import { dataOf, eventually } from '../../../../src/testing/index.js';
import { paymentOf } from '../../simulator-fixture.js';
import { LndNetwork } from './network.js';
import { WalletServer } from './wallet-server.js';

const STATUS = `query ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status } }`;
/** What LND does on a chain takes blocks, and some time for each. */
const ON_CHAIN_MS = 240_000;
/** Of node B, by LND's default policy: 1 sat and a millionth of the amount, rounded up. */
const FEE_SATS = 2;
/** Held beside an amount, and passed to the node. */
const feeLimitOf = (sats: number): number => Math.max(10, (sats * 5) / 1_000);

/** These tests share one network, and run in this order: the last two destroy the channel of node A. */
describe('Sluice in a process of its own, on a real LND node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-'));
  let network: LndNetwork;
  let wallets: WalletServer;
  let shortLived: { paymentRequest: string; paymentHash: string };

  beforeAll(async () => {
    network = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
    await network.start();
    wallets = await WalletServer.start(network, folder, 1_000_000);
    shortLived = await wallets.person('bob').invoice(500, 'for a minute', { expiresIn: 1 });
  });
  afterAll(async () => {
    await wallets?.close();
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sats = (name: 'alice' | 'bob' = 'alice'): Promise<number> => wallets.person(name).sats();
  const pay = (paymentRequest: string): Promise<{ status: string; errors: { code: string }[] }> =>
    wallets.person('alice').pay(paymentRequest) as Promise<{ status: string; errors: { code: string }[] }>;
  /** Asks without waiting: a killed server does not answer. */
  const ask = (paymentRequest: string): void => void pay(paymentRequest).catch(() => undefined);
  const ended = (paymentHash: string, withinMs?: number): Promise<string> =>
    eventually(async () => {
      const state = await wallets.stateOf(paymentHash);
      return state === 'in_flight' ? null : (state ?? 'never begun');
    }, withinMs).catch((error: Error) => {
      throw new Error(`${error.message}\n${wallets.server.lines.slice(-40).join('\n')}`);
    });
  const killBoth = async (): Promise<void> => void (await Promise.all([wallets.kill(), network.a.stop('SIGKILL')]));
  const startBoth = async (): Promise<void> => {
    await Promise.all([wallets.server.start(), network.a.start().then(() => network.a.waitUntilSynced())]);
    await wallets.untilPaymentsArrive();
  };
  const sound = async (): Promise<void> => {
    await eventually(async () => (await wallets.faults()).length === 0).catch(() => undefined);
    expect(await wallets.faults()).toEqual([]);
  };

  it('pays a route that costs exactly its fee limit, and none that costs more', async () => {
    const before = await sats();
    // A millionth of 10,000 sats is 10 msat.
    await network.setFeeOfB(feeLimitOf(10_000) * 1_000 - 10 + 1);
    const dear = await wallets.invoiceOfC(10_000);
    expect(await pay(dear.paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect(await sats()).toBe(before);
    await network.setFeeOfB(feeLimitOf(10_000) * 1_000 - 10);
    expect(await pay(dear.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await sats()).toBe(before - 10_000 - feeLimitOf(10_000));
    await network.setFeeOfB(1_000);
    await sound();
  });

  it('does not pay an invoice that has expired, and neither does LND', async () => {
    const before = await sats();
    const { paymentRequest } = await wallets.invoiceOfC(1_000, { expiry: '1' });
    const { address, certificate, macaroon } = network.a;
    const backend = new LndBackend({ address, certificate, macaroon, routeHints: false }, 'regtest', 15_000);
    await eventually(async () => (await backend.info()).status === 'ready');
    const payment = paymentOf(paymentRequest);
    const decoded = decodeInvoice(paymentRequest);
    await eventually(() => decoded.ok && decoded.invoice.expiresAt.getTime() < Date.now());
    const result = await backend.pay(payment);
    backend.onModuleDestroy();
    expect(result).toEqual({ status: 'failed', reason: 'expired' });
    expect(await pay(paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect(await sats()).toBe(before);
    await sound();
  });

  it.each([
    ['pays', 'SettleInvoice', 'settled', 20_000 + FEE_SATS],
    ['gets its money back', 'CancelInvoice', 'failed', 0],
  ] as const)('%s when it and its node are killed together with a payment in flight', async (_what, method, state, cost) => {
    const before = await sats();
    const held = await wallets.holdInvoiceOfC(20_000);
    ask(held.paymentRequest);
    await wallets.arrival(held);
    await killBoth();
    const { preimage, hash } = held;
    await network.c.call(`invoicesrpc.Invoices/${method}`, method === 'SettleInvoice' ? { preimage } : { payment_hash: hash });
    await startBoth();
    expect(await ended(hash.toString('hex'), ON_CHAIN_MS)).toBe(state);
    expect(before - (await sats())).toBe(cost);
    await sound();
  });

  it('charges what its node has paid, and nothing else, when both are killed as a payment begins', async () => {
    const before = await sats();
    const { paymentRequest, paymentHash } = await wallets.invoiceOfC(3_000);
    ask(paymentRequest);
    await eventually(async () => (await wallets.stateOf(paymentHash)) !== undefined);
    await killBoth();
    await startBoth();
    // LND may have stored an attempt that it had not sent, and reports it in flight from then on (lnd#6249): then the money stays held.
    const end = await ended(paymentHash, 30_000).catch(() => 'in_flight');
    const ends: Readonly<Record<string, string>> = { SUCCEEDED: 'settled', FAILED: 'failed', IN_FLIGHT: 'in_flight' };
    expect(end).toBe(ends[(await network.a.paymentStatus(paymentHash)) ?? 'FAILED']);
    const { state: atC } = await network.c.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash: Buffer.from(paymentHash, 'hex') });
    if (end !== 'in_flight') expect(atC).toBe(end === 'settled' ? 'SETTLED' : 'OPEN');
    const costs: Readonly<Record<string, number>> = { settled: 3_000 + FEE_SATS, failed: 0, in_flight: 3_000 + feeLimitOf(3_000) };
    expect(before - (await sats())).toBe(costs[end]);
    await sound();
  });

  it('credits what its node was paid while it was killed', async () => {
    const { paymentRequest, paymentHash } = await wallets.person('bob').invoice(900);
    const before = await sats('bob');
    await wallets.kill();
    expect(await network.c.pay(paymentRequest)).toBe(true);
    await wallets.server.start();
    await eventually(async () => (await sats('bob')) === before + 900);
    const { lnInvoicePaymentStatusByHash: found } = await dataOf<{ lnInvoicePaymentStatusByHash: { status: string } }>(
      wallets.server.url,
      STATUS,
      { input: { paymentHash } },
    );
    expect(found.status).toBe('PAID');
    await sound();
  });

  it('is not paid for an invoice that has expired', async () => {
    const before = await sats('bob');
    const payment_hash = Buffer.from(shortLived.paymentHash, 'hex');
    const atNode = async (): Promise<unknown> => (await network.a.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash }))['state'];
    await eventually(async () => (await atNode()) === 'CANCELED', ON_CHAIN_MS);
    expect(await network.c.pay(shortLived.paymentRequest)).toBe(false);
    expect(await sats('bob')).toBe(before);
    await sound();
  });

  it('ends the payments that were in flight when its channel was force-closed, each as the chain decides', async () => {
    const before = await sats();
    const [claimed, timedOut] = [await wallets.holdInvoiceOfC(40_000), await wallets.holdInvoiceOfC(50_000)];
    for (const held of [claimed, timedOut]) {
      ask(held.paymentRequest);
      await wallets.arrival(held);
    }
    await network.a.forceClose(await network.b.pubkey());
    // B claims the first by its preimage. C refuses the second, which B cannot return on a closed channel: A has to wait for its time.
    await network.c.call('invoicesrpc.Invoices/SettleInvoice', { preimage: claimed.preimage });
    await network.c.call('invoicesrpc.Invoices/CancelInvoice', { payment_hash: timedOut.hash });
    expect(before - (await sats())).toBe(90_000 + feeLimitOf(40_000) + feeLimitOf(50_000));
    const mineUntil = (paymentHash: string, state: string): Promise<unknown> =>
      eventually(async () => {
        await network.btcd.mine(1);
        await Promise.all([network.a, network.b, network.c].map((node) => node.waitUntilSynced()));
        return (await wallets.stateOf(paymentHash)) === state;
      }, ON_CHAIN_MS);
    await mineUntil(claimed.hash.toString('hex'), 'settled');
    expect(await wallets.stateOf(timedOut.hash.toString('hex'))).toBe('in_flight');
    await mineUntil(timedOut.hash.toString('hex'), 'failed');
    await eventually(async () => before - (await sats()) === 40_000 + FEE_SATS);
    expect(await pay((await wallets.invoiceOfC(1_000)).paymentRequest)).toMatchObject({ status: 'FAILURE' });
    await sound();
  });

  /** A restored node has lost its channel: the peer closes it on the chain, and keeps what the node paid since. On this network that is a loss of test coins. */
  it('stops sends when its node was restored from an older state, releases nothing, and leaves the payment to its operator', async () => {
    await network.reopen();
    await wallets.untilPaymentsArrive();
    const restore = await network.a.backUp();
    await wallets.untilPaymentsArrive();
    const before = await sats();
    expect(await pay((await wallets.invoiceOfC(5_000)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    const held = await wallets.holdInvoiceOfC(30_000);
    const paymentHash = held.hash.toString('hex');
    ask(held.paymentRequest);
    await wallets.arrival(held);
    // A look-up of the payment in flight stores the node's index, within a second or two.
    await eventually(() => wallets.hasIndexOf(network.a));
    await wallets.kill();
    await network.a.stop('SIGKILL');
    restore();
    await network.c.call('invoicesrpc.Invoices/SettleInvoice', { preimage: held.preimage });
    await network.a.start();
    await wallets.server.start();

    const code = async (): Promise<string | undefined> => (await pay((await wallets.invoiceOfC(1_000)).paymentRequest)).errors[0]?.code;
    await eventually(async () => (await code()) === 'SENDS_STOPPED');
    const report = await wallets.server.command('reconcile', '--json');
    expect(report.code).not.toBe(0);
    const { findings, unknownToNode } = JSON.parse(report.stdout) as { findings: string; unknownToNode: string[] };
    expect(unknownToNode.length).toBeGreaterThanOrEqual(2);
    // The time after which a payment that the node does not find may be released is over by far.
    await eventually(async () => wallets.server.lines.some((line) => /payment_forgotten_by_node|payment_not_found/.test(line)));
    expect(await wallets.stateOf(paymentHash)).toBe('in_flight');
    expect(before - (await sats())).toBe(5_000 + FEE_SATS + 30_000 + feeLimitOf(30_000));

    const [id, preimage] = [await wallets.idOf(paymentHash), held.preimage.toString('hex')];
    await wallets.server.sluice('payment', 'resolve', id, '--settled', preimage, '--fee-msat', '1030', '--because', 'node C has it');
    expect(before - (await sats())).toBe(5_000 + FEE_SATS + 30_000 + FEE_SATS);
    await wallets.server.sluice('reconcile', '--accept', findings, '--because', 'restored from a copy');
    await eventually(async () => (await code()) !== 'SENDS_STOPPED');
    expect(await wallets.server.sluice('audit')).toMatch(/^Ledger OK /);
  });
});
