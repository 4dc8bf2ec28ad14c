import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EgressClient } from '../../src/edge/egress/index.js';
import { MAX_ENDPOINTS } from '../../src/money/webhook/webhook.service.js';
import { JobStore, JobWorkers } from '../../src/platform/job/index.js';
import { WebhookService } from '../../src/money/webhook/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, type CredentialHeaders } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { sent: intraLedgerPaymentSend(input: $input) { status } }`;
const CREATE = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { made: lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { message } invoice { paymentHash paymentRequest } } }`;
/** Their endpoints are more than a process makes attempts at once. */
const ATTACKERS = 7;
/** Webhooks of invoices that one caller asks for: more than any limit of connections or attempts that it could share with others. */
const FLOOD = 40;
/** Of one caller without a credential at the same time: half of those that all of them have. */
const ANONYMOUS_SLOTS = { paid: 8, expired: 4 } as const;

interface Invoice {
  readonly paymentHash: string;
  readonly paymentRequest: string;
}

/** A server whose slow paths hold each request open until the test releases it, or from the second one, and whose quick paths answer at once. */
class HalfSlowServer {
  /** Requests at slow paths that are held open now. */
  held = 0;
  /** Each path that was asked, in order. */
  readonly asked: string[] = [];
  private readonly waiting = new Set<ServerResponse>();
  private readonly server = createServer((request, response) => {
    this.asked.push(request.url ?? '');
    if (request.url?.startsWith('/quick')) return response.writeHead(204).end();
    if (request.url?.startsWith('/slow-again') && this.count(request.url) === 1) return response.writeHead(500).end();
    this.held++;
    this.waiting.add(response);
    response.on('close', () => {
      this.held--;
      this.waiting.delete(response);
    });
  });

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  count(path: string): number {
    return this.asked.filter((each) => each === path).length;
  }

  /** Answers what is held open. */
  release(): void {
    for (const response of this.waiting) response.writeHead(204).end();
    this.waiting.clear();
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** No attempt ends by its time, however slow the machine is: the test says when each ends. */
function withoutTimeLimit(app: TestApp): void {
  const egress = app.get(EgressClient);
  const request = egress.request.bind(egress);
  egress.request = (asked) => request({ ...asked, timeoutMs: 900_000 });
}

/** Endpoints answer as slowly as their owners like. */
describe('slow webhook endpoints', () => {
  let app: TestApp;
  let fixture: Fixture;
  let bob: Person;
  let server: HalfSlowServer;

  beforeEach(async () => {
    app = await createTestApp({ env: { THROTTLE_ANONYMOUS_INVOICE: '1000/60', TRUST_PROXY: '1' } });
    withoutTimeLimit(app);
    fixture = new Fixture(app);
    server = await new HalfSlowServer().start();
    bob = await fixture.user({ sats: 10_000 });
    await eventually(async () => (await app.pool.query(`SELECT FROM event_consumer WHERE name LIKE '%webhook'`)).rowCount === 2);
  });
  afterEach(async () => {
    server.stop();
    await fixture.expectBalanced();
    await app.close();
  });

  async function addEndpoint(person: Person, url: string): Promise<void> {
    expect(await app.get(WebhookService).add(person.accountId, url)).toMatchObject({ kind: 'added' });
  }
  async function payAs(payer: Person, to: Person): Promise<void> {
    const input = { walletId: payer.wallets.BTC, recipientWalletId: to.wallets.BTC, amount: 1 };
    expect((await dataOf(app.url, SEND, { input }, payer.as('write'))).sent).toEqual({ status: 'SUCCESS' });
  }
  async function invoiceFor(recipient: Person, webhookUrl: string, as: CredentialHeaders): Promise<Invoice> {
    const input = { recipientWalletId: recipient.wallets.BTC, amount: 1, webhookUrl };
    const { made } = await dataOf<{ made: { invoice: Invoice } }>(app.url, CREATE, { input }, as);
    return made.invoice;
  }
  /** Webhooks of invoices, all due at about the same time: until their caller has all slots that one caller gets. */
  async function flood(recipient: Person, as: CredentialHeaders, end: 'paid' | 'expired', slots: number): Promise<void> {
    const invoices = await Promise.all(Array.from({ length: FLOOD }, (_, n) => invoiceFor(recipient, server.url(`/slow/${end}/${n}`), as)));
    const time = new TimeTravel(app);
    await Promise.all(
      invoices.map(({ paymentRequest, paymentHash }) =>
        end === 'paid' ? fixture.simulator.payOutside(paymentRequest) : time.invoice(paymentHash, 5 * 3_600),
      ),
    );
    await eventually(async () => {
      await Promise.all(invoices.map(({ paymentHash }) => time.lookUpIsDue(paymentHash)));
      return (await app.pool.query('SELECT FROM webhook_endpoint WHERE wallet_id IS NOT NULL')).rowCount === FLOOD;
    });
    await eventually(
      async () =>
        (
          await app.pool.query(`SELECT FROM job JOIN webhook_delivery d ON d.id = (payload->>'delivery')::uuid
            WHERE claim IS NOT NULL AND event_type LIKE 'invoice.%'`)
        ).rowCount === slots,
    );
  }
  /** The address of an anonymous caller, behind a proxy. */
  const from = (address: string): CredentialHeaders => ({ 'x-forwarded-for': address });

  it('of a few accounts hold up no delivery to another one', async () => {
    const attackers = await Promise.all(Array.from({ length: ATTACKERS }, () => fixture.user()));
    for (const [index, attacker] of attackers.entries())
      for (let n = 0; n < MAX_ENDPOINTS; n++) await addEndpoint(attacker, server.url(`/slow/${index}/${n}`));
    for (const attacker of attackers) await payAs(bob, attacker);
    await eventually(() => server.held >= 50);
    await addEndpoint(bob, server.url('/quick'));
    const [first] = attackers;
    if (first) await payAs(bob, first);
    await eventually(() => server.count('/quick') === 1);
    // It was not the end of a slow attempt that made room.
    expect(server.held).toBe(server.asked.length - 1);
    expect(server.held).toBeLessThan(64);
  });

  it('of a caller without a credential, at the host of a customer, hold up no delivery to that customer', async () => {
    const shop = await fixture.user();
    await addEndpoint(shop, server.url('/quick/shop'));
    await flood(bob, from('198.51.100.7'), 'paid', ANONYMOUS_SLOTS.paid);
    await payAs(bob, shop);
    await eventually(() => server.count('/quick/shop') === 1);
    expect(server.held).toBe(server.asked.length - 1);
    expect(server.held).toBeLessThanOrEqual(ANONYMOUS_SLOTS.paid);
  });

  it.each(['paid', 'expired'] as const)('of a flood of %s invoices into a wallet hold up no webhook of its owner', async (end) => {
    const shop = await fixture.user();
    await addEndpoint(shop, server.url('/quick/endpoint'));
    await flood(shop, from('198.51.100.7'), end, ANONYMOUS_SLOTS[end]);
    const before = server.count('/quick/endpoint');
    const own = await invoiceFor(shop, server.url('/quick/own'), shop.as('receive'));
    await fixture.simulator.payOutside(own.paymentRequest);
    await eventually(() => server.count('/quick/own') === 1 && server.count('/quick/endpoint') > before);
    expect(server.asked.filter((path) => path.startsWith('/slow'))).toHaveLength(server.held);
  });

  it('of one caller without a credential hold up no webhook of another one', async () => {
    const shop = await fixture.user();
    await flood(shop, from('198.51.100.7'), 'paid', ANONYMOUS_SLOTS.paid);
    const { paymentRequest } = await invoiceFor(shop, server.url('/quick/other'), from('203.0.113.9'));
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(() => server.count('/quick/other') === 1);
    expect(server.asked.filter((path) => path.startsWith('/slow'))).toHaveLength(server.held);
  });

  it('of expired invoices hold up no webhook of a paid one, of the same caller', async () => {
    const shop = await fixture.user();
    await flood(shop, from('198.51.100.7'), 'expired', ANONYMOUS_SLOTS.expired);
    const { paymentRequest } = await invoiceFor(shop, server.url('/quick/paid'), from('198.51.100.7'));
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(() => server.count('/quick/paid') === 1);
    expect(server.asked.filter((path) => path.startsWith('/slow'))).toHaveLength(server.held);
  });

  it('of one owner with many first attempts hold up no single one of another, in any of two processes', async () => {
    const beside = await createTestApp({ beside: app, env: { THROTTLE_ANONYMOUS_INVOICE: '1000/60', TRUST_PROXY: '1' } });
    withoutTimeLimit(beside);
    try {
      const [caller, shop] = [await fixture.user(), await fixture.user()];
      await addEndpoint(shop, server.url('/quick/shop'));
      await flood(bob, caller.as('receive'), 'paid', FLOOD);
      await payAs(bob, shop);
      await eventually(() => server.count('/quick/shop') === 1);
      expect(server.asked.filter((path) => path.startsWith('/slow'))).toHaveLength(server.held);
      // The others go when there is room for them, each once.
      await eventually(() => {
        server.release();
        return server.asked.length === FLOOD + 1;
      });
      server.release();
      await eventually(async () => (await app.pool.query(`SELECT FROM job WHERE task = 'webhook'`)).rowCount === 0);
      expect(new Set(server.asked).size).toBe(FLOOD + 1);
    } finally {
      await beside.close();
    }
  });

  it('of ten owners with 10,000 deliveries each hold up no delivery to another one', async () => {
    const [shop, ...owners] = await Promise.all(Array.from({ length: 11 }, () => fixture.user()));
    if (!shop) throw new Error('There is no shop');
    for (const [index, owner] of owners.entries()) {
      await addEndpoint(owner, server.url(`/slow/${index}`));
      await payAs(bob, owner);
    }
    await eventually(() => server.held === owners.length);
    await app.pool.query(`INSERT INTO job (class, owner, task, payload, run_at)
      SELECT class, owner, task, payload, now() FROM job, generate_series(2, 10000) WHERE task = 'webhook'`);
    await app.pool.query('UPDATE job_owner SET turn_at = now()');
    await eventually(() => server.held > 50);
    await addEndpoint(shop, server.url('/quick'));
    await payAs(bob, shop);
    await eventually(() => server.count('/quick') === 1);
    expect(server.held).toBe(server.asked.length - 1);
    await app.pool.query(`DELETE FROM job WHERE task = 'webhook'`);
  });

  it('hold up no other owner: after its turn an owner goes to the end of the line', async () => {
    await app.get(JobWorkers).beforeApplicationShutdown();
    const [busy, other] = [await fixture.user(), await fixture.user()];
    for (const path of ['/1', '/2', '/3']) await addEndpoint(busy, server.url(path));
    await addEndpoint(other, server.url('/4'));
    const inLine = (deliveries: number): Promise<boolean> =>
      eventually(async () => (await app.pool.query('SELECT FROM webhook_delivery')).rowCount === deliveries);
    await payAs(bob, busy);
    await inLine(3);
    await payAs(bob, other);
    await inLine(4);
    const turns: string[] = [];
    const deliveries = { name: 'webhook', claimSeconds: 30, isSerial: false };
    for (let turn = 1; turn <= 4; turn++) {
      const claimed = await app.get(JobStore).claim(deliveries, ['webhook'], 1, []);
      turns.push(...claimed.map(({ owner }) => owner));
    }
    expect(turns).toEqual([busy, other, busy, busy].map(({ accountId }) => accountId));
  });

  it('hold up no first attempt by their repeats, of the same owner', async () => {
    const caller = await fixture.user();
    for (let n = 0; n < FLOOD; n++) {
      const { paymentRequest } = await invoiceFor(bob, server.url(`/slow-again/${n}`), caller.as('receive'));
      await fixture.simulator.payOutside(paymentRequest);
    }
    await eventually(async () => (await app.pool.query('SELECT FROM webhook_delivery WHERE attempts = 1')).rowCount === FLOOD);
    await new TimeTravel(app).webhooksAreDue();
    await eventually(() => server.held >= 16);
    const { paymentRequest } = await invoiceFor(bob, server.url('/quick'), caller.as('receive'));
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(() => server.count('/quick') === 1);
    // One owner has half of the slots of repeats, and none of them has ended.
    expect([server.held, server.asked.length]).toEqual([16, FLOOD + 16 + 1]);
  });
});
