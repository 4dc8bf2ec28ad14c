import { randomBytes } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { encodeInvoice } from '../../../src/money/lightning/index.js';
import { LndConnection } from '../../../src/money/lightning/lnd/lnd-connection.js';
import { LndPayments } from '../../../src/money/lightning/lnd/lnd-payments.js';
import { checkLnd, LndBackend } from '../../../src/money/lightning/lnd/index.js';
import { eventually } from '../../../src/testing/eventually.js';
import { lightningBackendContract } from '../../../src/testing/lightning-backend-contract.js';
import { paymentOf, take } from '../simulator-fixture.js';
import { CERTIFICATE, EXPIRED_CERTIFICATE, LndDouble, MACAROON, OTHER_CERTIFICATE } from './lnd-double.js';

const SEND = 'routerrpc.Router/SendPaymentV2';
const SATS = 1_000n;
const hex32 = (): string => randomBytes(32).toString('hex');

const isReady = async (backend: LndBackend): Promise<boolean> => (await backend.info()).status === 'ready';

async function openBackend(node: LndDouble, callMs = 2_000): Promise<LndBackend> {
  const backend = new LndBackend(
    { address: node.address, certificate: CERTIFICATE, macaroon: MACAROON, routeHints: false },
    'regtest',
    callMs,
  );
  await eventually(() => isReady(backend));
  return backend;
}

async function opened(): Promise<{ node: LndDouble; backend: LndBackend; close: () => Promise<void> }> {
  const node = new LndDouble();
  await node.start();
  const backend = await openBackend(node);
  const close = (): Promise<void> => {
    backend.onModuleDestroy();
    node.stop();
    return Promise.resolve();
  };
  return { node, backend, close };
}

describe('LND is a Lightning back end', () => {
  lightningBackendContract(async () => {
    const { node, backend, close } = await opened();
    return {
      backend,
      network: 'regtest',
      invoiceOfOther: (amountMsat) => Promise.resolve(node.invoiceOfOther(amountMsat)),
      invoiceOutOfReach: (amountMsat) => {
        const invoice = { network: 'regtest', amountMsat, paymentHash: hex32(), paymentSecret: hex32(), description: '' } as const;
        return Promise.resolve(encodeInvoice({ ...invoice, createdAtSeconds: Math.floor(Date.now() / 1000) }, randomBytes(32)));
      },
      payFromOutside: (paymentRequest, amountMsat) => Promise.resolve(node.payFromOutside(paymentRequest, amountMsat)),
      hold: (amountMsat) => {
        const paymentRequest = node.invoiceOfOther(amountMsat, 'hold');
        const end = async (isSettled: boolean): Promise<void> => node.release(LndDouble.hashOf(paymentRequest), isSettled);
        return Promise.resolve({ paymentRequest, settle: () => end(true), fail: () => end(false) });
      },
      expensiveInvoice: (amountMsat) => Promise.resolve({ paymentRequest: node.invoiceOfOther(amountMsat), feeMsat: 1n }),
      disconnect: async () => {
        node.stop();
        await eventually(async () => !(await isReady(backend)));
      },
      reconnect: async () => {
        await node.start();
        await eventually(() => isReady(backend));
      },
      close,
    };
  });
});

describe('a payment by LND', () => {
  let node: LndDouble;
  let backend: LndBackend;
  let close: () => Promise<void>;
  beforeEach(async () => ({ node, backend, close } = await opened()));
  afterEach(() => close());

  it('was not sent when there is no connection', async () => {
    node.stop();
    await eventually(async () => !(await isReady(backend)));
    expect(await backend.pay(paymentOf(node.invoiceOfOther(10n * SATS)))).toEqual({ status: 'not_sent' });
    await node.start();
    await eventually(() => isReady(backend));
    expect(node.calls).not.toContain(SEND);
  });

  it('is unknown when the connection breaks, and is found afterwards', async () => {
    const request = paymentOf(node.invoiceOfOther(10n * SATS));
    node.faults.set(SEND, 'break');
    expect((await backend.pay(request)).status).toMatch(/^(unknown|settled)$/);
    await node.start();
    await eventually(async () => (await backend.lookupPayment(request.paymentHash)).status === 'settled');
  });

  it('was not sent when LND itself refused it and does not know it', async () => {
    node.faults.set(SEND, LndDouble.refusal(status.UNKNOWN, 'self-payments not allowed'));
    expect(await backend.pay(paymentOf(node.invoiceOfOther(10n * SATS)))).toEqual({ status: 'not_sent' });
  });

  it.each([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED, status.INTERNAL, status.RESOURCE_EXHAUSTED])(
    'is unknown after code %i, which may be about the way',
    async (code) => {
      node.faults.set(SEND, LndDouble.refusal(code, 'something broke'));
      expect(await backend.pay(paymentOf(node.invoiceOfOther(10n * SATS)))).toEqual({ status: 'unknown' });
    },
  );

  it('is unknown when LND refuses it and cannot be asked about it', async () => {
    node.faults.set(SEND, LndDouble.refusal(status.UNKNOWN, 'permission denied'));
    node.faults.set('routerrpc.Router/TrackPaymentV2', LndDouble.refusal(status.UNKNOWN, 'permission denied'));
    expect(await backend.pay(paymentOf(node.invoiceOfOther(10n * SATS)))).toEqual({ status: 'unknown' });
  });

  it('is unknown while it is in transition, and settled once it is paid', async () => {
    const request = paymentOf(node.invoiceOfOther(10n * SATS, 'hold'), { timeoutSeconds: 1 });
    let seen = 0;
    expect(await backend.pay({ ...request, onInFlight: () => (seen += 1) })).toEqual({ status: 'unknown' });
    expect(seen).toBeGreaterThan(0);
    expect(await backend.lookupPayment(request.paymentHash)).toEqual({ status: 'in_flight' });
    node.release(request.paymentHash);
    expect(await backend.lookupPayment(request.paymentHash)).toMatchObject({ status: 'settled' });
  });

  it('was not sent by a call whose hash LND has in flight or has paid, and is known to it', async () => {
    const [held, paid] = [node.invoiceOfOther(10n * SATS), node.invoiceOfOther(10n * SATS)];
    node.payInvoiceByHand(held, false);
    node.payInvoiceByHand(paid);
    for (const request of [held, paid]) expect(await backend.pay(paymentOf(request))).toEqual({ status: 'not_sent', isKnown: true });
  });

  it('is not sent if the process stands still between the call and the write', async () => {
    let isLate = false;
    const paying = backend.pay({ ...paymentOf(node.invoiceOfOther(10n * SATS)), isLate: () => isLate });
    isLate = true;
    expect(await paying).toEqual({ status: 'not_sent' });
    expect(node.calls).not.toContain(SEND);
  });

  it('is not sent by a later connection than the one that was ready when its dispatch was confirmed', async () => {
    const access = { address: node.address, certificate: CERTIFICATE, macaroon: MACAROON, routeHints: false };
    const connection = new LndConnection(access, 2_000);
    await eventually(() => connection.number !== undefined);
    const first = connection.number;
    const replaced = async (): Promise<number | undefined> => {
      node.stop();
      await node.start();
      await eventually(() => connection.number !== undefined && connection.number !== first);
      return connection.number;
    };
    expect(await new LndPayments(connection, 2_000).pay(paymentOf(node.invoiceOfOther(10n * SATS)), replaced)).toEqual({
      status: 'not_sent',
    });
    expect(node.calls).not.toContain(SEND);
    connection.close();
  });

  it('is looked up anew by a connection of its own', async () => {
    const request = paymentOf(node.invoiceOfOther(10n * SATS));
    await backend.pay(request);
    const peers = new Set(node.peers);
    expect(await backend.lookupPaymentAnew(request.paymentHash)).toMatchObject({ status: 'settled' });
    expect(peers).not.toContain(node.peers.at(-1));
    expect(await backend.lookupPaymentAnew(hex32())).toEqual({ status: 'not_found' });
    node.key = randomBytes(32);
    expect(await backend.lookupPaymentAnew(hex32())).toEqual({ status: 'unknown' });
  });

  it('reports that its connection has ended, once its call has', async () => {
    const request = paymentOf(node.invoiceOfOther(10n * SATS, 'hold'), { timeoutSeconds: 1 });
    let ended = 0;
    expect(await backend.pay({ ...request, onDisconnected: () => (ended += 1) })).toEqual({ status: 'unknown' });
    expect(await backend.lookupPayment(request.paymentHash)).toEqual({ status: 'in_flight' });
    expect(ended).toBe(0);
    node.stop();
    await eventually(() => ended === 1);
  });

  it.each(['UNAVAILABLE', 'broken connection'])('is sent once, whatever gRPC may repeat: %s', async (fault) => {
    const request = paymentOf(node.invoiceOfOther(10n * SATS));
    node.faults.set(SEND, fault === 'UNAVAILABLE' ? LndDouble.refusal(status.UNAVAILABLE, 'try again') : 'break');
    await backend.pay(request);
    if (fault !== 'UNAVAILABLE') await node.start();
    await eventually(() => isReady(backend));
    await backend.lookupPayment(request.paymentHash);
    expect(node.calls.filter((call) => call === SEND)).toHaveLength(1);
  });

  it('is unknown when the stream ends without an end', async () => {
    expect(await backend.pay(paymentOf(node.invoiceOfOther(10n * SATS, 'no_end')))).toEqual({ status: 'unknown' });
  });

  it('does not settle without a valid preimage', async () => {
    const request = paymentOf(node.invoiceOfOther(10n * SATS, 'bad_preimage'), { timeoutSeconds: 1 });
    expect(await backend.pay(request)).toEqual({ status: 'unknown' });
    expect(await backend.lookupPayment(request.paymentHash)).toEqual({ status: 'in_flight' });
  });

  it('does not end by what LND says of another payment', async () => {
    const request = paymentOf(node.invoiceOfOther(10n * SATS, 'other_payment'), { timeoutSeconds: 1 });
    expect(await backend.pay(request)).toEqual({ status: 'unknown' });
    expect(await backend.lookupPayment(request.paymentHash)).toEqual({ status: 'unknown' });
  });

  it('of an expired invoice fails, because LND refuses it', async () => {
    node.faults.set(SEND, LndDouble.refusal(status.UNKNOWN, 'invoice expired. Valid until 2020-01-01'));
    expect(await backend.pay(paymentOf(node.invoiceOfOther(10n * SATS)))).toEqual({ status: 'failed', reason: 'expired' });
  });

  it.each<[what: string, refusal: string, result: object]>([
    ['an expired invoice', 'invoice expired. Valid until 2020-01-01', { status: 'failed', reason: 'expired' }],
    ['anything else', 'it is refused', { status: 'not_sent' }],
  ])(
    'was not sent a second time where LND refuses %s, though it knows the first attempt, which has failed',
    async (_what, words, result) => {
      const paymentRequest = node.invoiceOfOther(10n * SATS, 'no_route');
      expect(await backend.pay(paymentOf(paymentRequest))).toEqual({ status: 'failed', reason: 'no_route' });
      node.faults.set(SEND, LndDouble.refusal(status.UNKNOWN, words));
      expect(await backend.pay(paymentOf(paymentRequest))).toEqual(result);
    },
  );

  it('is never sent to another node at the same address', async () => {
    node.stop();
    node.key = randomBytes(32);
    await node.start();
    const { length } = node.calls;
    await eventually(async () => (await backend.info(), node.calls.length > length));
    expect(await backend.pay(paymentOf(node.invoiceOfOther(10n * SATS)))).toEqual({ status: 'not_sent' });
    expect(await backend.lookupPayment(hex32())).toEqual({ status: 'unknown' });
    expect(await backend.createInvoice({ amountMsat: 1n, expirySeconds: 60, preimage: hex32() })).toEqual({ status: 'unknown' });
    expect(node.calls).not.toContain(SEND);
  });
});

describe('settlements of LND', () => {
  it('from the start include the first one, which LND does not send', async () => {
    const { node, backend, close } = await opened();
    const made = await Promise.all([1, 2].map(() => backend.createInvoice({ amountMsat: SATS, expirySeconds: 60, preimage: hex32() })));
    for (const invoice of made) expect(invoice.status === 'created' && node.payFromOutside(invoice.paymentRequest)).toBe(true);
    const settlements = await take(2, (signal) => backend.invoiceSettlements(0n, signal));
    expect(settlements.map(({ settleIndex }) => settleIndex)).toEqual([1n, 2n]);
    await close();
  });

  it('from the start include all up to one that arrives while the first one is looked for', async () => {
    const { node, backend, close } = await opened();
    const made = await Promise.all([1, 2, 3].map(() => backend.createInvoice({ amountMsat: SATS, expirySeconds: 60, preimage: hex32() })));
    const requests = made.map((invoice) => (invoice.status === 'created' ? invoice.paymentRequest : ''));
    for (const request of requests.slice(0, 2)) expect(node.payFromOutside(request)).toBe(true);
    node.faults.set('lnrpc.Lightning/ListInvoices', 'stall');
    const settlements = take(2, (signal) => backend.invoiceSettlements(0n, signal));
    await eventually(() => node.calls.includes('lnrpc.Lightning/SubscribeInvoices') && node.calls.includes('lnrpc.Lightning/ListInvoices'));
    expect(node.payFromOutside(requests[2] ?? '')).toBe(true);
    await eventually(() => node.calls.filter((call) => call === 'lnrpc.Lightning/ListInvoices').length === 2);
    node.goOn();
    expect((await settlements).map(({ settleIndex }) => settleIndex)).toEqual([1n, 2n]);
    await close();
  });

  it('do not read again the invoices that have ended, while nothing was ever paid', async () => {
    const { node, backend, close } = await opened();
    node.addCancelled(1_200);
    const looks = (): number => node.calls.filter((call) => call === 'lnrpc.Lightning/ListInvoices').length;
    const follow = async (): Promise<void> => {
      const stream = new AbortController();
      const before = looks();
      const none = take(1, () => backend.invoiceSettlements(0n, stream.signal));
      // The second look comes when the subscription has begun.
      await eventually(() => looks() >= before + (before === 0 ? 4 : 2));
      stream.abort();
      expect(await none).toEqual([]);
    };
    await follow();
    expect(looks()).toBe(4);
    await follow();
    expect(looks()).toBe(6);
    const made = await backend.createInvoice({ amountMsat: SATS, expirySeconds: 60, preimage: hex32() });
    expect(made.status === 'created' && node.payFromOutside(made.paymentRequest)).toBe(true);
    expect(await take(1, (signal) => backend.invoiceSettlements(0n, signal))).toMatchObject([{ settleIndex: 1n }]);
    await close();
  });

  it('from the start are those of a node that was restored, also of one that had others before', async () => {
    const { node, backend, close } = await opened();
    for (const _life of [1, 2]) {
      node.loseInvoices();
      const made = await backend.createInvoice({ amountMsat: SATS, expirySeconds: 60, preimage: hex32() });
      const { paymentHash = '', paymentRequest = '' } = made.status === 'created' ? made : {};
      expect(node.payFromOutside(paymentRequest)).toBe(true);
      expect(await take(1, (signal) => backend.invoiceSettlements(0n, signal))).toMatchObject([{ settleIndex: 1n, paymentHash }]);
    }
    await close();
  });

  it('end when the node goes, and continue from the cursor', async () => {
    const { node, backend, close } = await opened();
    const invoice = async (): Promise<string> => {
      const made = await backend.createInvoice({ amountMsat: SATS, expirySeconds: 60, preimage: hex32() });
      return made.status === 'created' ? made.paymentRequest : '';
    };
    const requests = [await invoice(), await invoice()];
    node.payFromOutside(requests[0] ?? '');
    const stream = backend.invoiceSettlements(0n, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ settleIndex: 1n });
    const next = stream.next();
    node.stop();
    expect(await next).toMatchObject({ done: true });
    await node.start();
    node.payFromOutside(requests[1] ?? '');
    await eventually(() => isReady(backend));
    expect(await take(1, (signal) => backend.invoiceSettlements(1n, signal))).toMatchObject([{ settleIndex: 2n }]);
    await close();
  });
});

describe('the node', () => {
  it('of another network is refused, with both names', async () => {
    const node = new LndDouble();
    node.network = 'mainnet';
    await node.start();
    const lnd = { address: node.address, certificate: CERTIFICATE, macaroon: MACAROON, routeHints: false };
    await expect(LndBackend.open(lnd, 'regtest', 2_000)).rejects.toThrow('NETWORK is regtest, but the LND node is on mainnet');
    node.stop();
  });

  it.each([
    ['has expired', EXPIRED_CERTIFICATE, '127.0.0.1', 'its certificate has expired. Delete tls.cert'],
    ['is for another host', OTHER_CERTIFICATE, 'localhost', 'its certificate is for another host'],
  ])('whose certificate %s is reported so', async (_what, certificate, host, words) => {
    const node = new LndDouble();
    node.certificate = certificate;
    await node.start();
    const address = node.address.replace('127.0.0.1', host);
    const [found] = await checkLnd({ address, certificate, macaroon: MACAROON, routeHints: false }, 'regtest', false);
    expect(found).toMatchObject({ name: 'reachable', ok: false, text: expect.stringContaining(words) as string });
    node.stop();
  });

  it('that is not synced to the chain is not ready', async () => {
    const { node, backend, close } = await opened();
    node.isSynced = false;
    expect(await backend.info()).toEqual({ status: 'unknown' });
    await close();
  });

  it('that is away at the start has no id yet, and gets one when it answers', async () => {
    const node = new LndDouble();
    await node.start();
    node.stop();
    const backend = new LndBackend(
      { address: node.address, certificate: CERTIFICATE, macaroon: MACAROON, routeHints: false },
      'regtest',
      1_000,
    );
    expect(await backend.info()).toEqual({ status: 'unknown' });
    expect(backend.nodeId).toBe('');
    await node.start();
    await eventually(() => isReady(backend));
    expect(backend.nodeId).toBe(node.nodeId);
    backend.onModuleDestroy();
    node.stop();
  });
});
