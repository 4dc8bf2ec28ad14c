import { createHash } from 'node:crypto';
import type { Client } from 'graphql-ws';
import { InvoiceService } from '../../src/money/invoice/index.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import { TimeTravel } from '../support/time-travel.js';
import { listenerCount } from '../support/event-probe.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { writtenInvoice } from '../support/written-invoice.js';

const FIELDS = 'paymentHash paymentRequest paymentPreimage status';
const QUERY = {
  lnInvoicePaymentStatus: `query ($input: LnInvoicePaymentStatusInput!) { status: lnInvoicePaymentStatus(input: $input) { ${FIELDS} } }`,
  lnInvoicePaymentStatusByHash: `query ($input: LnInvoicePaymentStatusByHashInput!) { status: lnInvoicePaymentStatusByHash(input: $input) { ${FIELDS} } }`,
  lnInvoicePaymentStatusByPaymentRequest: `query ($input: LnInvoicePaymentStatusByPaymentRequestInput!) { status: lnInvoicePaymentStatusByPaymentRequest(input: $input) { ${FIELDS} } }`,
} as const;
const SUBSCRIPTION = {
  lnInvoicePaymentStatus: `subscription ($input: LnInvoicePaymentStatusInput!) { status: lnInvoicePaymentStatus(input: $input) { errors { message code path } ${FIELDS} } }`,
  lnInvoicePaymentStatusByHash: `subscription ($input: LnInvoicePaymentStatusByHashInput!) { status: lnInvoicePaymentStatusByHash(input: $input) { errors { message code path } ${FIELDS} } }`,
  lnInvoicePaymentStatusByPaymentRequest: `subscription ($input: LnInvoicePaymentStatusByPaymentRequestInput!) { status: lnInvoicePaymentStatusByPaymentRequest(input: $input) { errors { message code path } ${FIELDS} } }`,
} as const;
type Operation = keyof typeof QUERY;
const OPERATIONS = Object.keys(QUERY) as Operation[];
/** The process's clock is wrong by an hour: the database alone sets the times of what is stored. */
class WrongClock extends SystemClock {
  override now(): number {
    return super.now() + 3_600_000;
  }
}

interface Invoice {
  readonly paymentHash: string;
  readonly paymentRequest: string;
}
interface Told {
  readonly status: {
    readonly status: string | null;
    readonly paymentPreimage: string | null;
    readonly errors: readonly { readonly code: string }[];
  };
}

describe('the status of an invoice', () => {
  let app: TestApp;
  let fixture: Fixture;
  let timeTravel: TimeTravel;
  let alice: Person;
  let bob: Person;
  let clients: Client[];

  beforeAll(async () => {
    app = await createTestApp({ clock: new WrongClock(), env: { SOCKETS_PER_ADDRESS: '200' } });
    [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 10_000 })];
  });
  beforeEach(() => (clients = []));
  afterEach(async () => {
    await Promise.all(clients.map(async (client) => client.dispose()));
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const inputOf = (operation: Operation, { paymentHash, paymentRequest }: Invoice): object =>
    operation === 'lnInvoicePaymentStatusByHash' ? { paymentHash } : { paymentRequest };
  const ask = async (operation: Operation, invoice: Invoice): Promise<Told['status']> =>
    (await dataOf<Told>(app.url, QUERY[operation], { input: inputOf(operation, invoice) })).status;
  const follow = (operation: Operation, input: object): Subscribed<Told> => {
    const client = socketClient(app.url);
    clients.push(client);
    return new Subscribed<Told>(client, SUBSCRIPTION[operation], { input });
  };
  /** The node was asked about it after its expiry, and has answered that it is still open. */
  const isLookedUp = ({ paymentHash }: Invoice): Promise<boolean> =>
    eventually(async () => {
      const { rowCount } = await app.pool.query(
        `SELECT FROM invoice WHERE payment_hash = $1 AND next_look_at BETWEEN now() + interval '61 seconds' AND now() + interval '5 minutes'`,
        [paymentHash],
      );
      return rowCount === 1;
    });
  const preimageOf = (status: Told['status']): string => createHash('sha256').update(String(status.paymentPreimage), 'hex').digest('hex');
  const OTHER_NETWORK =
    'lnbc20m1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqhp58yjmdan79s6qqdhdzgynm4zwqd5d7xmw5fk98klysy043l2ahrqs9qrsgq7ea976txfraylvgzuxs8kgcw23ezlrszfnh8r6qtfpr6cxga50aj6txm9rxrydzd06dfeawfk6swupvz4erwnyutnjq7x39ymw6j38gp7ynn44';

  describe.each(OPERATIONS)('%s as a query', (operation) => {
    it('is PENDING without a preimage, then PAID with it, without a credential', async () => {
      const invoice = await alice.invoice(10);
      expect(await ask(operation, invoice)).toEqual({ ...invoice, status: 'PENDING', paymentPreimage: null });
      await bob.pay(invoice.paymentRequest);
      const paid = await ask(operation, invoice);
      expect(paid).toEqual({ ...invoice, status: 'PAID', paymentPreimage: expect.any(String) as string });
      expect(preimageOf(paid)).toBe(invoice.paymentHash);
    });

    it('does not contain the preimage while an outside payment is in flight', async () => {
      const invoice = await alice.invoice(10);
      await fixture.simulator.payOutside(invoice.paymentRequest, { faults: { hold: true } });
      expect(await ask(operation, invoice)).toMatchObject({ status: 'PENDING', paymentPreimage: null });
      await fixture.release(invoice.paymentHash);
      await eventually(async () => (await ask(operation, invoice)).status === 'PAID');
    });

    it('is EXPIRED after its expiry, and never contains the preimage then', async () => {
      const invoice = await alice.invoice(10);
      await timeTravel.invoice(invoice.paymentHash, 4 * 3_600 - 5);
      expect(await ask(operation, invoice)).toMatchObject({ status: 'PENDING' });
      await timeTravel.invoice(invoice.paymentHash, 6);
      await eventually(async () => (await ask(operation, invoice)).status === 'EXPIRED');
      expect(await ask(operation, invoice)).toEqual({ ...invoice, status: 'EXPIRED', paymentPreimage: null });
    });

    it('is PENDING after its expiry while the node is away, and PAID when the node returns with a payment', async () => {
      const invoice = await alice.invoice(10);
      await fixture.simulator.payOutside(invoice.paymentRequest, { faults: { hold: true } });
      await fixture.simulator.setAway(true);
      await timeTravel.invoice(invoice.paymentHash, 4 * 3_600 + 600);
      expect(await ask(operation, invoice)).toEqual({ ...invoice, status: 'PENDING', paymentPreimage: null });
      const subscribed = follow(operation, inputOf(operation, invoice));
      await subscribed.next();
      await fixture.simulator.setAway(false);
      await isLookedUp(invoice);
      expect(await ask(operation, invoice)).toMatchObject({ status: 'PENDING' });
      await fixture.release(invoice.paymentHash);
      expect(await subscribed.next()).toMatchObject({ status: { status: 'PAID' } });
      await subscribed.ended;
      expect(subscribed.events.map(({ status }) => status.status)).toEqual(['PENDING', 'PAID']);
    });

    it('accepts capitals', async () => {
      const invoice = await alice.invoice(10);
      const shouted = { paymentHash: invoice.paymentHash.toUpperCase(), paymentRequest: invoice.paymentRequest.toUpperCase() };
      expect(await ask(operation, shouted)).toMatchObject(invoice);
    });
  });

  it.each([
    ['lnInvoicePaymentStatusByHash', { paymentHash: 'ab'.repeat(32) }, 'NOT_FOUND'],
    ['lnInvoicePaymentStatusByHash', { paymentHash: 'nonsense' }, 'INVALID_INPUT'],
    ['lnInvoicePaymentStatusByPaymentRequest', { paymentRequest: 'nonsense' }, 'INVALID_INPUT'],
    ['lnInvoicePaymentStatusByPaymentRequest', { paymentRequest: 'lnbcrt1nonsense' }, 'INVOICE_DECODE_ERROR'],
    ['lnInvoicePaymentStatusByPaymentRequest', { paymentRequest: OTHER_NETWORK }, 'NOT_FOUND'],
  ] as const)('%s of %j: %s, as a query and as a subscription', async (operation, input, code) => {
    const { data, errors } = await graphql(app.url, QUERY[operation], { input });
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code } }]);
    const subscribed = follow(operation, input);
    if (code === 'INVALID_INPUT') return expect(await subscribed.next()).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(await subscribed.next()).toEqual({
      status: {
        errors: [{ code, message: expect.any(String) as string, path: code === 'NOT_FOUND' ? null : ['input', 'paymentRequest'] }],
        paymentHash: null,
        paymentRequest: null,
        paymentPreimage: null,
        status: null,
      },
    });
    return subscribed.ended;
  });

  it.each([
    ['lnbcrt1nonsense', 'INVOICE_DECODE_ERROR', ['input', 'paymentRequest']],
    [OTHER_NETWORK, 'NOT_FOUND', null],
  ])('under its older name returns the error of %s in the payload', async (paymentRequest, code, path) => {
    const expected = { errors: [{ code, message: expect.any(String) as string, path }], status: null, paymentRequest: null };
    const query = SUBSCRIPTION.lnInvoicePaymentStatus.replace('subscription', 'query');
    expect(await dataOf(app.url, query, { input: { paymentRequest } })).toMatchObject({ status: expected });
    expect(await follow('lnInvoicePaymentStatus', { paymentRequest }).next()).toMatchObject({ status: expected });
  });

  it('an invoice of an outside node is unknown here', async () => {
    const outside = await fixture.outside(10);
    for (const operation of OPERATIONS.filter((each) => each !== 'lnInvoicePaymentStatus')) {
      const { errors } = await graphql(app.url, QUERY[operation], { input: inputOf(operation, outside) });
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
  });

  it('an invoice with a hash of this server and another text is unknown', async () => {
    const { paymentHash } = await alice.invoice(10);
    const forged = writtenInvoice({ paymentHash });
    const { errors } = await graphql(app.url, QUERY.lnInvoicePaymentStatusByPaymentRequest, { input: { paymentRequest: forged } });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    const subscribed = follow('lnInvoicePaymentStatusByPaymentRequest', { paymentRequest: forged });
    expect(await subscribed.next()).toMatchObject({ status: { errors: [{ code: 'NOT_FOUND' }], status: null } });
    await subscribed.ended;
  });

  it('reports the expiry although the database was unavailable at that moment', async () => {
    const invoice = await alice.invoice(10);
    const subscribed = follow('lnInvoicePaymentStatusByHash', { paymentHash: invoice.paymentHash });
    await subscribed.next();
    const find = jest.spyOn(app.get(InvoiceService), 'findByHash').mockRejectedValue(new Error('Connection terminated'));
    await timeTravel.invoiceEndsIn(invoice.paymentHash, 400);
    await eventually(() => find.mock.calls.length > 0);
    find.mockRestore();
    expect(await subscribed.next()).toMatchObject({ status: { status: 'EXPIRED' } });
    await subscribed.ended;
  });

  describe.each(OPERATIONS)('%s as a subscription', (operation) => {
    it('sends the present status first, then PAID of an internal payment, and completes', async () => {
      const invoice = await alice.invoice(10);
      const subscribed = follow(operation, inputOf(operation, invoice));
      expect(await subscribed.next()).toEqual({ status: { errors: [], ...invoice, status: 'PENDING', paymentPreimage: null } });
      await bob.pay(invoice.paymentRequest);
      const paid = await subscribed.next();
      expect(paid).toMatchObject({ status: { errors: [], ...invoice, status: 'PAID' } });
      expect(preimageOf(paid.status)).toBe(invoice.paymentHash);
      await subscribed.ended;
      expect(subscribed.events).toHaveLength(2);
    });

    it('sends PAID of an outside payment', async () => {
      const invoice = await alice.invoice(10);
      const subscribed = follow(operation, inputOf(operation, invoice));
      expect((await subscribed.next()).status.status).toBe('PENDING');
      await fixture.simulator.payOutside(invoice.paymentRequest);
      expect(preimageOf((await subscribed.next()).status)).toBe(invoice.paymentHash);
      await subscribed.ended;
    });

    it('sends a final status and completes', async () => {
      const paid = await alice.invoice(10);
      await bob.pay(paid.paymentRequest);
      const expired = await alice.invoice(10);
      await timeTravel.invoice(expired.paymentHash, 86_400);
      await eventually(async () => (await ask(operation, expired)).status === 'EXPIRED');
      for (const [invoice, status] of [
        [paid, 'PAID'],
        [expired, 'EXPIRED'],
      ] as const) {
        const subscribed = follow(operation, inputOf(operation, invoice));
        await subscribed.ended;
        expect(subscribed.events).toEqual([{ status: expect.objectContaining({ ...invoice, status }) as unknown }]);
      }
    });

    it('sends EXPIRED at the expiry', async () => {
      const invoice = await alice.invoice(10);
      const subscribed = follow(operation, inputOf(operation, invoice));
      expect((await subscribed.next()).status.status).toBe('PENDING');
      await timeTravel.invoiceEndsIn(invoice.paymentHash, 400);
      expect(await subscribed.next()).toEqual({ status: { errors: [], ...invoice, status: 'EXPIRED', paymentPreimage: null } });
      await subscribed.ended;
    });

    it('sends the cancellation, without the preimage', async () => {
      const invoice = await alice.invoice(10);
      const subscribed = follow(operation, inputOf(operation, invoice));
      await subscribed.next();
      const input = { walletId: alice.wallets.BTC, paymentHash: invoice.paymentHash };
      await dataOf(
        app.url,
        'mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success } }',
        { input },
        alice.as('receive'),
      );
      expect(await subscribed.next()).toMatchObject({ status: { status: 'EXPIRED', paymentPreimage: null } });
      await subscribed.ended;
    });
  });

  it('reaches a hundred subscribers of one invoice, each with its own credential or none', async () => {
    const invoice = await alice.invoice(10);
    const subscribed = Array.from({ length: 100 }, (_, i) => {
      const client = socketClient(app.url, i % 2 ? alice.as('write') : {});
      clients.push(client);
      return new Subscribed<Told>(client, SUBSCRIPTION.lnInvoicePaymentStatusByHash, { input: { paymentHash: invoice.paymentHash } });
    });
    for (const each of subscribed) expect((await each.next()).status.status).toBe('PENDING');
    await bob.pay(invoice.paymentRequest);
    for (const each of subscribed) expect((await each.next()).status.status).toBe('PAID');
    await Promise.all(subscribed.map(({ ended }) => ended));
  });

  it('has no listener left when every subscriber has left', async () => {
    const invoice = await alice.invoice(10);
    const subscribed = [0, 1, 2].map(() => follow('lnInvoicePaymentStatusByHash', { paymentHash: invoice.paymentHash }));
    for (const each of subscribed) await each.next();
    const listeners = (): number => listenerCount(app, 'invoice.changed', invoice.paymentHash);
    expect(listeners()).toBe(1);
    subscribed.forEach(({ stop }) => stop());
    await eventually(() => listeners() === 0);
  });
});
