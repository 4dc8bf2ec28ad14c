import { ApiKeyService } from '../../src/access/api-key/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql, socketClient, Subscribed, type CredentialHeaders } from '../support/graphql.js';
import { untilListening } from '../support/event-probe.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const UPDATES =
  'subscription { myUpdates { update { __typename ... on LnUpdate { transaction { settlementAmount } } ... on PaymentUpdate { outcome: status } } } }';
const PAY =
  'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } transaction { id } } }';

describe('two processes on one database', () => {
  let first: TestApp;
  let second: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    first = await createTestApp();
    second = await createTestApp({ beside: first });
    fixture = new Fixture(first);
  });
  beforeEach(async () => {
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const payAt = async (app: TestApp, payer: Person, paymentRequest: string): Promise<any> =>
    (await dataOf(app.url, PAY, { input: { walletId: payer.wallets.BTC, paymentRequest } }, payer.as('write'))).lnInvoicePaymentSend;
  const follow = async (app: TestApp, person: Person): Promise<Subscribed<{ myUpdates: { update: Record<string, unknown> } }>> => {
    const told: Subscribed<{ myUpdates: { update: Record<string, unknown> } }>[] = [];
    await untilListening(
      app,
      'transaction.changed',
      person.accountId,
      () => void told.push(new Subscribed(socketClient(app.url, person.as('read')), UPDATES)),
    );
    return told[0] as Subscribed<{ myUpdates: { update: Record<string, unknown> } }>;
  };

  it('share one node and its invoices', async () => {
    const idOf = async (app: TestApp): Promise<unknown> => (await dataOf(app.url, '{ globals { nodesIds } }')).globals;
    expect(await idOf(second)).toEqual(await idOf(first));
    const invoice = await alice.invoice(100);
    expect(await payAt(second, bob, invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect([await alice.sats(), await bob.sats()]).toEqual([100, 900]);
  });

  it('receive each other’s events', async () => {
    const here = await follow(first, alice);
    const there = await follow(second, alice);
    const sender = await follow(second, bob);
    const invoice = await alice.invoice(70);
    await payAt(first, bob, invoice.paymentRequest);
    for (const told of [here, there])
      expect((await told.next()).myUpdates.update).toEqual({ __typename: 'LnUpdate', transaction: { settlementAmount: 70 } });
    expect((await sender.next()).myUpdates.update).toEqual({ __typename: 'PaymentUpdate', outcome: 'SUCCESS' });
  });

  it('report an outside payment once, whichever process hears it', async () => {
    const [here, there] = [await follow(first, alice), await follow(second, alice)];
    for (const sats of [5, 6, 7]) await fixture.simulator.payOutside((await alice.invoice(sats)).paymentRequest);
    for (const told of [here, there]) {
      const amounts = [await told.next(), await told.next(), await told.next()].map(
        ({ myUpdates }) => (myUpdates.update['transaction'] as { settlementAmount: number }).settlementAmount,
      );
      expect(amounts.sort()).toEqual([5, 6, 7]);
    }
    expect(await alice.sats()).toBe(18);
    expect([here.events.length, there.events.length]).toEqual([3, 3]);
  });

  it('push the status of an invoice that the other created', async () => {
    const { paymentHash, paymentRequest } = await alice.invoice(30);
    const client = socketClient(second.url);
    const query =
      'subscription ($input: LnInvoicePaymentStatusByHashInput!) { status: lnInvoicePaymentStatusByHash(input: $input) { status } }';
    const told = new Subscribed<{ status: { status: string } }>(client, query, { input: { paymentHash } });
    expect(await told.next()).toEqual({ status: { status: 'PENDING' } });
    await payAt(first, bob, paymentRequest);
    expect(await told.next()).toEqual({ status: { status: 'PAID' } });
    await told.ended;
    await client.dispose();
  });

  it('end a key that the other has cached and connected', async () => {
    const made = await first.get(ApiKeyService).create({ userId: alice.userId, name: 'both', scopes: ['read'], expireInDays: null });
    if (made.kind !== 'created') throw new Error('The key was not created');
    const credential: CredentialHeaders = { 'x-api-key': made.secret };
    expect((await graphql(second.url, '{ me { id } }', {}, credential)).data).toEqual({ me: { id: alice.userId } });
    const raw = await RawSocket.admitted(second.url, credential);
    await first.get(ApiKeyService).revoke(alice.userId, made.apiKey.id);
    expect((await raw.closed).code).toBe(4401);
    await eventually(async () => (await graphql(second.url, '{ me { id } }', {}, credential)).data === undefined);
  });

  it.each([
    ['of ours', async () => (await alice.invoice(20)).paymentRequest],
    ['of the outside', async () => (await fixture.outside(20, { routeFeeMsat: 0n })).paymentRequest],
    ['of the outside, slowly', async () => (await fixture.outside(20, { routeFeeMsat: 0n, delayMs: 200 })).paymentRequest],
  ])('let one of two payers pay an invoice %s, never both', async (_whose, invoice) => {
    const carol = await fixture.user({ sats: 1_000 });
    for (let round = 0; round < 5; round++) {
      const paymentRequest = await invoice();
      const before = (await bob.sats()) + (await carol.sats());
      const answers = await Promise.all([payAt(first, bob, paymentRequest), payAt(second, carol, paymentRequest)]);
      expect(answers.map(({ status }) => status).sort()).toEqual(['FAILURE', 'SUCCESS']);
      expect((await bob.sats()) + (await carol.sats())).toBe(before - 20);
    }
  });

  it('let one payer pay once, in repeated requests to both', async () => {
    const outside = await fixture.outside(50, { routeFeeMsat: 0n, delayMs: 300 });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => payAt(i % 2 ? first : second, bob, outside.paymentRequest)));
    expect(new Set(answers.map(({ transaction }) => transaction.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1);
    expect(answers.every(({ status }) => ['SUCCESS', 'PENDING', 'ALREADY_PAID'].includes(status))).toBe(true);
    expect(await bob.sats()).toBe(950);
  });

  it('never let a wallet overdraw between them', async () => {
    const send = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status } }';
    const input = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 90 };
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => dataOf((i % 2 ? first : second).url, send, { input }, bob.as('write'))),
    );
    expect(answers.filter(({ intraLedgerPaymentSend }) => intraLedgerPaymentSend.status === 'SUCCESS')).toHaveLength(11);
    expect([await alice.sats(), await bob.sats()]).toEqual([990, 10]);
  });

  it('continue alone when the other stops', async () => {
    const third = await createTestApp({ beside: first });
    const told = await follow(second, alice);
    const invoice = await alice.invoice(15);
    await third.close();
    await payAt(first, bob, invoice.paymentRequest);
    expect((await told.next()).myUpdates.update).toMatchObject({ transaction: { settlementAmount: 15 } });
  });
});
