import { isDeepStrictEqual } from 'node:util';
import { LightningNode, LndSettings } from '../../src/money/lightning/index.js';
import { lndCommands } from '../../src/operator/act/lnd.command.js';
import { PaymentFinisher } from '../../src/money/payment/payment.finisher.js';
import { PaymentReconciler } from '../../src/money/payment/end/payment.reconciler.js';
import { ReconciliationService } from '../../src/operator/reconciliation/index.js';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { CommandError } from '../../src/operator/command/index.js';
import { dataOf, eventually, TestUser } from '../../src/testing/index.js';
import { lndEnvironment } from '../lightning/lnd/lnd-environment.js';
import { CERTIFICATE, LndDouble, MACAROON } from '../lightning/lnd/lnd-double.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { asAdministrator, createTestDatabase } from '../support/database.js';
import { calls } from '../support/statements.js';

const SATS = 1_000n;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message } } }`;

interface Sent {
  readonly lnInvoicePaymentSend: { readonly status: string; readonly errors: readonly { readonly code: string }[] };
}

describe('an application on an LND node', () => {
  let node: LndDouble;
  let app: TestApp;
  let alice: TestUser;
  beforeAll(async () => {
    node = new LndDouble();
    await node.start();
    const env = await lndEnvironment({ address: node.address, certificate: CERTIFICATE, macaroon: MACAROON });
    const quick = { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '0', LIGHTNING_CALL_SECONDS: '2' };
    app = await createTestApp({ env: { ...env, ...quick }, payFromOutside: async (_app, request) => node.payFromOutside(request) });
    alice = await TestUser.create(app, { sats: 10_000 });
  });
  afterEach(async () => expect(await app.audit()).toEqual([]));
  afterAll(async () => {
    await app.close();
    node.stop();
  });

  const send = async (paymentRequest: string): Promise<Sent['lnInvoicePaymentSend']> => {
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    return (await dataOf<Sent>(app.url, PAY, { input }, await alice.key('write'))).lnInvoicePaymentSend;
  };
  const ready = async (): Promise<{ status: number; degraded?: string[] }> => {
    const answer = await fetch(`${app.url}/health/ready`);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  const check = async (): Promise<{ lines: string[]; error: unknown }> => {
    const lines: string[] = [];
    const command = lndCommands[0];
    const error: unknown = await command
      ?.run(app.sluice.app, { positionals: [], options: {} }, (line) => void lines.push(line))
      .catch((thrown: unknown) => thrown);
    return { lines, error };
  };

  it('credits what was paid to it, and pays for the fee that LND reports, rounded up', async () => {
    expect(await alice.sats()).toBe(10_000);
    expect(await send(node.invoiceOfOther(100n * SATS))).toEqual({ status: 'SUCCESS', errors: [] });
    expect(await alice.sats()).toBe(10_000 - 100 - 1);
  });

  it('answers PENDING while a payment is in flight, and books its end', async () => {
    const before = await alice.sats();
    const paymentRequest = node.invoiceOfOther(200n * SATS, 'hold');
    expect(await send(paymentRequest)).toEqual({ status: 'PENDING', errors: [] });
    expect(await alice.sats()).toBe(before - 200 - 10);
    node.release(LndDouble.hashOf(paymentRequest));
    await eventually(async () => (await alice.sats()) === before - 201);
  });

  it('keeps the money of a payment whose connection broke, and books its end when the node is back', async () => {
    const before = await alice.sats();
    const paymentRequest = node.invoiceOfOther(300n * SATS, 'hold');
    const sent = send(paymentRequest);
    await eventually(() => node.calls.includes('routerrpc.Router/SendPaymentV2') && node.has(LndDouble.hashOf(paymentRequest)));
    node.stop();
    expect(await sent).toMatchObject({ status: 'PENDING' });
    expect(await alice.sats()).toBe(before - 310);
    await eventually(async () => (await ready()).degraded?.includes('lightning'));
    expect(await send(node.invoiceOfOther(10n * SATS))).toMatchObject({ status: 'FAILURE' });
    expect(await alice.sats()).toBe(before - 310);
    await node.start();
    node.release(LndDouble.hashOf(paymentRequest), false);
    await eventually(async () => (await alice.sats()) === before);
    await eventually(async () => (await ready()).degraded === undefined);
  });

  it.each([
    ['has just paid', true],
    ['is just paying', false],
  ])('charges no customer for an invoice that its operator %s from the node by hand', async (_what, isSettled) => {
    const before = await alice.sats();
    const paymentRequest = node.invoiceOfOther(100n * SATS);
    const hash = node.payInvoiceByHand(paymentRequest, isSettled);
    const refusal = { code: 'LIGHTNING_PAYMENT_ERROR', message: expect.stringContaining('nothing was charged') as string };
    expect(await send(paymentRequest)).toEqual({ status: 'FAILURE', errors: [refusal] });
    expect(await alice.sats()).toBe(before);
    if (!isSettled) node.release(hash);
    const ended = await eventually(async () => {
      const found = await app.get(LightningNode).lookupPayment(hash);
      return found.status === 'settled' && found;
    });
    const { rows: known } = await app.pool.query<{ id: string }>('SELECT id FROM payment WHERE payment_hash = $1', [hash]);
    // The stream may have found the payment in flight before it failed, and books this end now.
    for (const { id } of known) await app.get(PaymentFinisher).finish({ id, paymentHash: hash }, ended);
    // The stream and the look-ups report the end of the operator's payment, which is no payment of Sluice.
    const other = node.invoiceOfOther(10n * SATS);
    expect(await send(other)).toMatchObject({ status: 'SUCCESS' });
    expect(await send(paymentRequest)).toMatchObject({ status: 'FAILURE' });
    expect(await alice.sats()).toBe(before - 11);
    const loss = await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id = -5');
    expect(loss.rows).toEqual([{ posted: 0n }]);
    expect(app.logs.filter((line) => line.includes('after_release'))).toEqual([]);
    await app.get(ReconciliationService).compare();
    const { rows } = await app.pool.query('SELECT verdict FROM node_payment WHERE payment_hash = $1', [hash]);
    expect(rows).toEqual([{ verdict: 'own' }]);
  });

  it('refuses an invoice that its operator paid by hand between its beginning and its dispatch, free too', async () => {
    const before = await alice.sats();
    const paymentRequest = node.invoiceOfOther(100n * SATS);
    const [db, hash] = [app.get(Database), LndDouble.hashOf(paymentRequest)];
    const query = db.query.bind(db);
    const stateOf = async (): Promise<string | undefined> =>
      (await app.pool.query<{ state: string }>('SELECT state FROM payment WHERE payment_hash = $1', [hash])).rows[0]?.state;
    jest.spyOn(db, 'query').mockImplementation(async (statement: Statement, values: readonly unknown[] = []) => {
      if (calls(statement, 'payment_dispatch') && !node.has(hash)) {
        node.payInvoiceByHand(paymentRequest);
        await app.get(PaymentReconciler).reconcile(new AbortController().signal);
        expect(await stateOf()).toBe('in_flight');
      }
      return query(statement, values);
    });
    try {
      expect(await send(paymentRequest)).toMatchObject({ status: 'FAILURE' });
      expect([await stateOf(), await alice.sats()]).toEqual(['failed', before]);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('returns the latest block of its node, as the health check has it', async () => {
    const block = async (): Promise<unknown> =>
      (await dataOf<{ globals: { blockInfo: unknown } }>(app.url, '{ globals { blockInfo { blockHash blockHeight } } }')).globals.blockInfo;
    node.blockHeight = 900_000;
    const found = { blockHash: LndDouble.blockHashAt(900_000), blockHeight: 900_000 };
    await eventually(async () => isDeepStrictEqual(await block(), found));
    const asked = (): number => node.calls.filter((call) => call.endsWith('GetInfo')).length;
    const before = asked();
    const answers = await Promise.all(Array.from({ length: 20 }, block));
    expect(answers).toEqual(answers.map(() => found));
    // The health check may have asked meanwhile.
    expect(asked() - before).toBeLessThan(answers.length / 2);
    node.stop();
    await eventually(async () => (await block()) === null);
    await node.start();
    await eventually(async () => (await block()) !== null);
    await eventually(async () => (await ready()).degraded === undefined);
  });

  it('is checked by its operator', async () => {
    const { lines, error } = await check();
    expect(error).toBeUndefined();
    expect(lines.at(-1)).toBe('All is well.');
    expect(lines.every((line) => line.startsWith('ok') || line === 'All is well.')).toBe(true);
  });

  it('shows its operator the line of a macaroon with the least rights, while it has one with all of them', async () => {
    node.isAdmin = true;
    const { lines, error } = await check();
    node.isAdmin = false;
    expect(error).toBeUndefined();
    expect(lines.join('\n')).toMatch(
      /^ok +rights .* and more: it could empty the node\. Make one with the least rights: lncli bakemacaroon --save_to sluice\.macaroon uri:\//m,
    );
    expect((await check()).lines.join('\n')).not.toContain('bakemacaroon');
  });

  it('shows its operator what a node lacks', async () => {
    node.lacking.add('/routerrpc.Router/SendPaymentV2');
    node.isSynced = false;
    const { lines, error } = await check();
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toBe('The LND node is not ready for Sluice: rights, synced');
    expect(lines.join('\n')).toContain(
      'lacks: routerrpc.Router/SendPaymentV2. Make another: lncli bakemacaroon --save_to sluice.macaroon uri:/',
    );
    node.lacking.clear();
    node.isSynced = true;
  });

  it.each(["cannot get macaroon: root key with id 1 doesn't exist", 'verification failed: signature mismatch after caveat verification'])(
    'shows its operator that the node does not know the macaroon (%s)',
    async (words) => {
      node.unknownMacaroon = words;
      const { lines, error } = await check();
      node.unknownMacaroon = undefined;
      expect((error as Error).message).toBe('The LND node is not ready for Sluice: rights');
      expect(lines.at(-1)).toContain(`The macaroon was revoked, or is of another node (${words}). Make another: lncli bakemacaroon `);
      expect(lines.join()).not.toContain('lacks');
    },
  );

  it('shows its operator that the wallet is locked, and that the node is away', async () => {
    node.state = 'LOCKED';
    expect((await check()).lines.at(-1)).toContain('lncli unlock');
    node.state = 'SERVER_ACTIVE';
    node.stop();
    expect((await check()).lines).toEqual([expect.stringContaining(`LND does not answer at ${app.get(LndSettings).LND_ADDRESS}`)]);
    await node.start();
  });
});

describe('an application whose LND node is away at the start', () => {
  it('starts, is not ready until the node answers, and then works with it', async () => {
    const node = new LndDouble();
    await node.start();
    node.stop();
    const env = await lndEnvironment({ address: node.address, certificate: CERTIFICATE, macaroon: MACAROON });
    const app = await createTestApp({ env, payFromOutside: async (_app, request) => node.payFromOutside(request) });
    const ready = async (): Promise<{ status: number; body: unknown }> => {
      const answer = await fetch(`${app.url}/health/ready`);
      return { status: answer.status, body: await answer.json() };
    };
    expect(await ready()).toMatchObject({ status: 503, body: { waitingFor: ['lightning'] } });
    expect(await dataOf(app.url, '{ globals { nodesIds } }')).toEqual({ globals: { nodesIds: [] } });
    await node.start();
    await eventually(async () => (await ready()).status === 200);
    const alice = await TestUser.create(app, { sats: 500 });
    await alice.pay({ paymentRequest: node.invoiceOfOther(100n * SATS) });
    expect(await alice.sats()).toBe(399);
    expect(await app.audit()).toEqual([]);
    await app.close();
    node.stop();
  });

  it('does not start on another network than the node, and leaves no connection open', async () => {
    const node = new LndDouble();
    node.network = 'testnet';
    await node.start();
    const [env, database] = [
      await lndEnvironment({ address: node.address, certificate: CERTIFICATE, macaroon: MACAROON }),
      await createTestDatabase(),
    ];
    await expect(createTestApp({ env, database })).rejects.toThrow('NETWORK is regtest, but the LND node is on testnet');
    await asAdministrator(async (client) => {
      const open = 'SELECT pid FROM pg_stat_activity WHERE datname = $1';
      await eventually(async () => (await client.query(open, [database.connection.database])).rowCount === 0);
    });
    await database.drop();
    node.stop();
  });

  it.each([
    [{ LND_ADDRESS: 'no port' }, 'LND_ADDRESS must be host:port'],
    [{ LND_MACAROON: '/no/such/file' }, 'LND_MACAROON must be a file that this user can read (ENOENT)'],
    [{ LND_TLS_CERT: '/dev/null' }, 'LND_TLS_CERT must be the path of a PEM file, or its base64'],
  ])('does not start with %p', async (wrong, sentence) => {
    const env = await lndEnvironment({ address: '127.0.0.1:10009', certificate: CERTIFICATE, macaroon: MACAROON });
    await expect(createTestApp({ env: { ...env, ...wrong } })).rejects.toThrow(sentence);
  });

  it('names what is missing', async () => {
    const {
      LND_ADDRESS: _address,
      LND_MACAROON: _macaroon,
      ...env
    } = await lndEnvironment({
      address: '127.0.0.1:10009',
      certificate: CERTIFICATE,
      macaroon: MACAROON,
    });
    await expect(createTestApp({ env })).rejects.toThrow(/LND_ADDRESS must be set with LIGHTNING_BACKEND=lnd\n.*LND_MACAROON must be set/);
  });
});
