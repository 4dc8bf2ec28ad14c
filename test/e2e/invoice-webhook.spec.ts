import { createHash } from 'node:crypto';
import { WebhookService } from '../../src/money/webhook/index.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, type CredentialHeaders } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';
import { WebhookReceiver, type ReceivedDelivery } from '../support/webhook-receiver.js';

type Currency = 'BTC' | 'USD';
const MUTATIONS: readonly (readonly [mutation: string, currency: Currency, amount: number | undefined])[] = [
  ['lnInvoiceCreateOnBehalfOfRecipient', 'BTC', 50],
  ['lnUsdInvoiceCreateOnBehalfOfRecipient', 'USD', 3],
  ['lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient', 'USD', 50],
  ['lnNoAmountInvoiceCreateOnBehalfOfRecipient', 'BTC', undefined],
];
const [[SATS] = ['']] = MUTATIONS;
const inputOf = (mutation: string): string => `L${mutation.slice(1)}Input`;
const documentOf = (mutation: string): string =>
  `mutation ($input: ${inputOf(mutation)}!) { made: ${mutation}(input: $input) { errors { message code path } invoice { paymentHash paymentRequest } } }`;

interface Made {
  readonly errors: readonly object[];
  readonly invoice: { readonly paymentHash: string; readonly paymentRequest: string };
}

describe('webhookUrl of an invoice on behalf of a recipient', () => {
  let app: TestApp;
  let fixture: Fixture;
  let receiver: WebhookReceiver;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    app = await createDollarApp();
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 5_000 })];
  });
  afterEach(async () => {
    receiver.stop();
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const ask = async (
    input: object = {},
    mutation = SATS,
    currency: Currency = 'BTC',
    as: CredentialHeaders = bob.as('read'),
  ): Promise<Made> => {
    const variables = { input: { recipientWalletId: alice.wallets[currency], amount: 50, webhookUrl: receiver.url(), ...input } };
    return (await dataOf(app.url, documentOf(mutation), variables, as)).made as Made;
  };
  /** The number of endpoints and deliveries that are left. */
  const rows = async (): Promise<number> =>
    (await app.pool.query('SELECT id FROM webhook_endpoint UNION ALL SELECT id FROM webhook_delivery')).rowCount ?? NaN;
  const hurry = (): Promise<void> => new TimeTravel(app).webhooksAreDue();

  it.each(MUTATIONS)('%s: is posted once when it is paid, without a word about the recipient', async (mutation, currency, amount) => {
    const { errors, invoice } = await ask({ amount, externalId: 'order-7' }, mutation, currency);
    expect(errors).toEqual([]);
    await fixture.simulator.payOutside(invoice.paymentRequest, amount === undefined ? { amountMsat: 21_000n } : {});
    const [{ event, headers }] = (await receiver.until(1)) as [ReceivedDelivery];
    const { paymentPreimage, ...rest } = event as { paymentPreimage: string };
    expect(rest).toEqual({ paymentHash: invoice.paymentHash, paymentRequest: invoice.paymentRequest, status: 'PAID' });
    expect(createHash('sha256').update(Buffer.from(paymentPreimage, 'hex')).digest('hex')).toBe(invoice.paymentHash);
    expect(headers).toMatchObject({ 'webhook-id': headers['svix-id'], 'webhook-timestamp': headers['svix-timestamp'] });
    expect(Object.keys(headers).filter((name) => name.endsWith('-signature'))).toEqual([]);
    await eventually(async () => (await rows()) === 0);
    expect(receiver.deliveries).toHaveLength(1);
  });

  it('is posted when a wallet of this server pays it', async () => {
    const { invoice } = await ask();
    expect(await bob.pay(invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    const [{ event }] = (await receiver.until(1)) as [ReceivedDelivery];
    expect(event).toMatchObject({ paymentHash: invoice.paymentHash, status: 'PAID' });
  });

  it('is posted without a preimage when it has expired, or its owner has cancelled it', async () => {
    const [expired, cancelled] = [
      await ask({ webhookUrl: receiver.url('/expired') }),
      await ask({ webhookUrl: receiver.url('/cancelled') }),
    ];
    await new TimeTravel(app).invoice(expired.invoice.paymentHash, 5 * 3_600);
    const input = { walletId: alice.wallets.BTC, paymentHash: cancelled.invoice.paymentHash };
    const CANCEL = 'mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success } }';
    expect(await dataOf(app.url, CANCEL, { input }, alice.as('receive'))).toEqual({ lnInvoiceCancel: { success: true } });
    for (const [path, { invoice }] of [
      ['/expired', expired],
      ['/cancelled', cancelled],
    ] as const) {
      const [{ event }] = (await receiver.until(1, path)) as [ReceivedDelivery];
      expect(event).toEqual({ ...invoice, status: 'EXPIRED', paymentPreimage: null });
    }
  });

  it('is repeated under the same id until the receiver has accepted it', async () => {
    receiver.answer = () => (receiver.deliveries.length < 3 ? 500 : 204);
    const { invoice } = await ask();
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await eventually(async () => {
      await hurry();
      return receiver.deliveries.length >= 3 && (await rows()) === 0;
    });
    expect(receiver.deliveries).toHaveLength(3);
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is given up after nine attempts, and leaves nothing behind', async () => {
    receiver.answer = () => 410;
    const { invoice } = await ask();
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await eventually(async () => {
      await hurry();
      return receiver.deliveries.length >= 9 && (await rows()) === 0;
    });
    expect(receiver.deliveries).toHaveLength(9);
  });

  it('gets no events of the account, and the owner neither sees nor counts it', async () => {
    receiver.answer = () => 500;
    const { invoice } = await ask({ webhookUrl: receiver.url('/stranger') });
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await receiver.until(1, '/stranger');
    const webhooks = app.get(WebhookService);
    expect(await webhooks.list(alice.accountId)).toEqual([]);
    const { rows: deliveries } = await app.pool.query<{ id: string }>('SELECT id FROM webhook_delivery');
    expect(deliveries).toHaveLength(1);
    expect(await webhooks.replay(alice.accountId, deliveries[0]?.id ?? '')).toBe('not_found');
    await webhooks.add(alice.accountId, receiver.url('/owner'));
    await fixture.simulator.payOutside((await alice.invoice(9)).paymentRequest);
    await receiver.until(1, '/owner');
    expect(receiver.at('/stranger').every(({ event }) => event.paymentHash === invoice.paymentHash)).toBe(true);
    await app.pool.query('DELETE FROM webhook_endpoint');
  });

  it('of a caller without a credential is given up after four attempts', async () => {
    receiver.answer = () => 410;
    const { invoice } = await ask({}, SATS, 'BTC', {});
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await eventually(async () => {
      await hurry();
      return receiver.deliveries.length >= 4 && (await rows()) === 0;
    });
    expect(receiver.deliveries).toHaveLength(4);
  });

  it('is made once however often its event is handled', async () => {
    const { invoice } = await ask();
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await receiver.until(1);
    await app.pool.query(`SELECT event_add(ARRAY['invoice.webhook'], ARRAY[$1], ARRAY['{"state": "paid"}'::jsonb])`, [invoice.paymentHash]);
    const second = await ask({ webhookUrl: receiver.url('/second') });
    await fixture.simulator.payOutside(second.invoice.paymentRequest);
    await receiver.until(1, '/second');
    expect(receiver.at('/')).toHaveLength(1);
  });

  describe('is bounded by caller', () => {
    /** As many webhooks of the same caller as `count` wait for their next attempts, in hours. */
    async function fill(as: CredentialHeaders, count: number): Promise<void> {
      receiver.answer = () => 500;
      const { invoice } = await ask({}, SATS, 'BTC', as);
      await fixture.simulator.payOutside(invoice.paymentRequest);
      await eventually(
        async () => (await app.pool.query(`SELECT FROM job WHERE class LIKE 'webhook%later' AND claim IS NULL`)).rowCount === 1,
      );
      await app.pool.query(`UPDATE job SET run_at = now() + interval '5 hours' WHERE task = 'webhook'`);
      await app.pool.query(
        `INSERT INTO job (class, owner, task, payload, run_at) SELECT class, owner, task, payload, run_at FROM job, generate_series(2, $1) WHERE task = 'webhook'`,
        [count],
      );
      receiver.answer = () => 204;
    }
    /** Its event has been handled. */
    const isTaken = ({ invoice }: Made): Promise<unknown> =>
      eventually(
        async () =>
          (await app.pool.query('SELECT FROM invoice WHERE payment_hash = $1 AND webhook_url IS NULL', [invoice.paymentHash])).rowCount ===
          1,
      );
    const dropped = async (caller: string): Promise<number> => {
      const text = await (await fetch(`${app.url}/metrics`)).text();
      return Number(new RegExp(`sluice_invoice_webhooks_dropped_total\\{caller="${caller}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
    };
    afterEach(() => app.pool.query(`DELETE FROM job WHERE task = 'webhook'; DELETE FROM webhook_endpoint; DELETE FROM job_owner`));

    it.each([
      ['without a credential', 'anonymous', 1_000],
      ['with one', 'known', 10_000],
    ])('%s: no more wait, and other callers are not affected', async (_name, caller, max) => {
      const [as, other] = caller === 'anonymous' ? [{}, bob.as('read')] : [bob.as('read'), {}];
      await fill(as, max);
      const before = await dropped(caller);
      const beyond = await ask({ webhookUrl: receiver.url('/beyond') }, SATS, 'BTC', as);
      await fixture.simulator.payOutside(beyond.invoice.paymentRequest);
      await isTaken(beyond);
      expect(await dropped(caller)).toBe(before + 1);
      for (const path of ['/other', '/recipient']) {
        const { invoice } = await ask({ webhookUrl: receiver.url(path) }, SATS, 'BTC', path === '/other' ? other : alice.as('read'));
        await fixture.simulator.payOutside(invoice.paymentRequest);
        await receiver.until(1, path);
      }
      expect(receiver.at('/beyond')).toEqual([]);
    });

    it('without a credential: of 1,000 callers any wait, and of 500 where only expired invoices are new', async () => {
      const others = async (count: number): Promise<void> => {
        await app.pool.query(
          `INSERT INTO job_owner (class, owner, turn_at) SELECT 'webhook_anonymous', gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, $1)`,
          [count],
        );
      };
      await others(500);
      const expired = await ask({ webhookUrl: receiver.url('/expired') }, SATS, 'BTC', {});
      const [paid, beyond] = [
        await ask({ webhookUrl: receiver.url('/paid') }, SATS, 'BTC', {}),
        await ask({ webhookUrl: receiver.url('/beyond') }, SATS, 'BTC', {}),
      ];
      const before = await dropped('anonymous');
      await new TimeTravel(app).invoice(expired.invoice.paymentHash, 5 * 3_600);
      await isTaken(expired);
      expect(await dropped('anonymous')).toBe(before + 1);
      await fixture.simulator.payOutside(paid.invoice.paymentRequest);
      await receiver.until(1, '/paid');
      await others(500);
      await fixture.simulator.payOutside(beyond.invoice.paymentRequest);
      await isTaken(beyond);
      expect(await dropped('anonymous')).toBe(before + 2);
      const { invoice } = await ask({ webhookUrl: receiver.url('/known') }, SATS, 'BTC', bob.as('read'));
      await fixture.simulator.payOutside(invoice.paymentRequest);
      await receiver.until(1, '/known');
      expect([...receiver.at('/expired'), ...receiver.at('/beyond')]).toEqual([]);
    });

    it('without a credential: expired ones take half of the bound, and leave the rest to paid ones', async () => {
      await fill({}, 500);
      const expired = await ask({ webhookUrl: receiver.url('/expired') }, SATS, 'BTC', {});
      await new TimeTravel(app).invoice(expired.invoice.paymentHash, 5 * 3_600);
      await isTaken(expired);
      const paid = await ask({ webhookUrl: receiver.url('/paid') }, SATS, 'BTC', {});
      await fixture.simulator.payOutside(paid.invoice.paymentRequest);
      await receiver.until(1, '/paid');
      expect(receiver.at('/expired')).toEqual([]);
    });
  });

  it.each([
    ['https://10.0.0.1/hook', 'Use a public address: this one leads to a network that the operator of this server does not allow'],
    ['https://[fd00::1]/hook', 'Use a public address: this one leads to a network that the operator of this server does not allow'],
    ['http://203.0.113.1/hook', 'Use a public address: this one leads to a network that the operator of this server does not allow'],
    ['http://1.1.1.1/hook', 'Use https: http works only for networks that the operator of this server allows (in a demo, this machine)'],
    [
      'https://user:secret@example.com/',
      'Enter a URL such as https://shop.example/hooks, with at most 2048 characters, and without a user name or password',
    ],
  ])('%s is refused', async (webhookUrl, message) => {
    for (const [mutation, currency, amount] of MUTATIONS)
      expect(await ask({ webhookUrl, amount }, mutation, currency)).toEqual({
        errors: [{ message, code: 'ENDPOINT_URL_REFUSED', path: ['input', 'webhookUrl'] }],
        invoice: null,
      });
  });

  it('of null is none', async () => {
    const { errors, invoice } = await ask({ webhookUrl: null });
    expect(errors).toEqual([]);
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await eventually(async () => (await alice.sats()) === 50);
    expect(
      (await app.pool.query(`SELECT FROM event WHERE 'invoice.webhook' = ANY (topics) AND $1 = ANY (keys)`, [invoice.paymentHash]))
        .rowCount,
    ).toBe(0);
  });
});
