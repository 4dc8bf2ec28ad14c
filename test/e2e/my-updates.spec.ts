import type { Client } from 'graphql-ws';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, socketClient, Subscribed, type CredentialHeaders } from '../support/graphql.js';
import { untilListening } from '../support/event-probe.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const TRANSACTION = `transaction { id direction status memo createdAt settlementAmount settlementFee settlementDisplayAmount
  initiationVia { __typename ... on InitiationViaLn { paymentHash paymentRequest } ... on InitiationViaIntraLedger { counterPartyUsername } }
  settlementVia { __typename ... on SettlementViaLn { preImage } ... on SettlementViaIntraLedger { preImage counterPartyUsername } } }`;
const UPDATES = `subscription { myUpdates { errors { message } me { id username } update { __typename
  ... on LnUpdate { paymentHash status walletId ${TRANSACTION} }
  ... on PaymentUpdate { outcome: status ${TRANSACTION} }
  ... on IntraLedgerUpdate { amount txNotificationType usdPerSat displayCurrencyPerSat walletId ${TRANSACTION} } } } }`;
/** The query of an existing client, which does not know updates of payments that it sent. */
const LN_ONLY = `subscription blink_payment_stream { myUpdates { update { ... on LnUpdate { transaction { direction initiationVia { ... on InitiationViaLn { paymentHash } } } } } } }`;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
type Told = { myUpdates: { errors: unknown[]; me: any; update: any } };

describe('myUpdates', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let clients: Client[];

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    clients = [];
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
  });
  afterEach(async () => {
    await Promise.all(clients.map(async (client) => client.dispose()));
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const follow = async (
    person: Person,
    credential: CredentialHeaders = person.as('read'),
    document = UPDATES,
  ): Promise<Subscribed<Told>> => {
    const client = socketClient(app.url, credential);
    clients.push(client);
    const subscribed: Subscribed<Told>[] = [];
    await untilListening(app, 'transaction.changed', person.accountId, () => void subscribed.push(new Subscribed<Told>(client, document)));
    return subscribed[0] as Subscribed<Told>;
  };
  const sendTo = async (from: Person, to: Person, amount: number, memo = 'a memo'): Promise<void> => {
    const input = { walletId: from.wallets.BTC, recipientWalletId: to.wallets.BTC, amount, memo };
    await dataOf(
      app.url,
      'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status } }',
      { input },
      from.as('write'),
    );
  };

  it('reports a payment from outside', async () => {
    const told = await follow(alice);
    const invoice = await alice.invoice(500, 'tea');
    await fixture.simulator.payOutside(invoice.paymentRequest);
    expect((await told.next()).myUpdates).toEqual({
      errors: [],
      me: { id: alice.userId, username: alice.username },
      update: {
        __typename: 'LnUpdate',
        paymentHash: invoice.paymentHash,
        status: 'PAID',
        walletId: alice.wallets.BTC,
        transaction: expect.objectContaining({
          direction: 'RECEIVE',
          status: 'SUCCESS',
          memo: 'tea',
          settlementAmount: 500,
          settlementFee: 0,
          createdAt: expect.any(Number) as number,
          initiationVia: { __typename: 'InitiationViaLn', ...invoice },
          settlementVia: { __typename: 'SettlementViaLn', preImage: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
        }) as unknown,
      },
    });
  });

  it('reports both sides of an internal payment: LnUpdate to the payee, PaymentUpdate to the payer', async () => {
    const [received, sent] = [await follow(alice), await follow(bob)];
    const invoice = await alice.invoice(300, 'tea');
    const { transaction } = await bob.pay(invoice.paymentRequest, 'my note');
    expect((await received.next()).myUpdates.update).toMatchObject({
      __typename: 'LnUpdate',
      status: 'PAID',
      transaction: {
        direction: 'RECEIVE',
        memo: 'tea',
        settlementAmount: 300,
        initiationVia: { ...invoice },
        settlementVia: { __typename: 'SettlementViaIntraLedger', counterPartyUsername: bob.username },
      },
    });
    expect((await sent.next()).myUpdates.update).toMatchObject({
      __typename: 'PaymentUpdate',
      outcome: 'SUCCESS',
      transaction: {
        id: transaction.id as string,
        direction: 'SEND',
        memo: 'my note',
        settlementAmount: -300,
        settlementVia: { counterPartyUsername: alice.username },
      },
    });
  });

  it('reports both sides of an intraledger payment', async () => {
    const [received, sent] = [await follow(alice), await follow(bob)];
    await sendTo(bob, alice, 200, 'rent');
    expect((await received.next()).myUpdates.update).toMatchObject({
      __typename: 'IntraLedgerUpdate',
      amount: 200,
      txNotificationType: 'IntraLedgerReceipt',
      usdPerSat: 0.0006125,
      displayCurrencyPerSat: 0.0006125,
      walletId: alice.wallets.BTC,
      transaction: {
        direction: 'RECEIVE',
        memo: 'rent',
        settlementAmount: 200,
        initiationVia: { __typename: 'InitiationViaIntraLedger', counterPartyUsername: bob.username },
      },
    });
    expect((await sent.next()).myUpdates.update).toMatchObject({
      __typename: 'PaymentUpdate',
      outcome: 'SUCCESS',
      transaction: { settlementAmount: -200, memo: 'rent' },
    });
  });

  it('reports the outcome of a Lightning payment when it is final, and not before', async () => {
    const told = await follow(bob);
    const outside = await fixture.outside(100, { hold: true, routeFeeMsat: 1_000n });
    const paying = bob.pay(outside.paymentRequest);
    await sendTo(alice, bob, 0); // publishes no event
    const failing = await fixture.outside(100, { fail: 'no_route' });
    await bob.pay(failing.paymentRequest);
    expect((await told.next()).myUpdates.update).toMatchObject({
      __typename: 'PaymentUpdate',
      outcome: 'FAILURE',
      transaction: { status: 'FAILURE', initiationVia: { paymentHash: failing.paymentHash }, settlementVia: { preImage: null } },
    });
    expect(told.events).toHaveLength(1);
    await fixture.release(outside.paymentHash);
    expect((await told.next()).myUpdates.update).toMatchObject({
      __typename: 'PaymentUpdate',
      outcome: 'SUCCESS',
      transaction: { status: 'SUCCESS', settlementAmount: -101, settlementFee: 1, settlementVia: { preImage: outside.preimage } },
    });
    await paying;
  });

  it('sends nothing at the start, never an empty update, and each update once, in order', async () => {
    const told = await follow(alice);
    for (let i = 1; i <= 20; i++) await sendTo(bob, alice, i);
    for (let i = 1; i <= 20; i++) expect((await told.next()).myUpdates.update.amount).toBe(i);
    expect(told.events).toHaveLength(20);
    for (const { myUpdates } of told.events) expect(myUpdates).toMatchObject({ errors: [], update: { __typename: 'IntraLedgerUpdate' } });
  });

  it('sends no empty update to a client that selects LnUpdate only', async () => {
    const told = await follow(alice, alice.as('read'), LN_ONLY);
    await sendTo(bob, alice, 5);
    const invoice = await alice.invoice(7);
    await bob.pay(invoice.paymentRequest);
    const first = await told.next();
    const second = await told.next();
    expect(first.myUpdates.update).toEqual({});
    expect(second.myUpdates.update).toEqual({ transaction: { direction: 'RECEIVE', initiationVia: { paymentHash: invoice.paymentHash } } });
  });

  it('reaches every socket of the person, and no other', async () => {
    const carol = await fixture.user();
    const listeners = [await follow(alice), await follow(alice), await follow(alice, await fixture.session(alice))];
    const others = [await follow(carol), await follow(bob)];
    await fixture.simulator.payOutside((await alice.invoice(50)).paymentRequest);
    for (const told of listeners) expect((await told.next()).myUpdates.update.transaction.settlementAmount).toBe(50);
    await fixture.simulator.payOutside((await carol.invoice(60)).paymentRequest);
    expect((await others[0]?.next())?.myUpdates.update.transaction.settlementAmount).toBe(60);
    expect(others[1]?.events).toEqual([]);
  });

  it.each([
    ['a key that may read', (person: Person) => person.as('read')],
    ['a key that may do all', (person: Person) => person.as('all')],
    ['a key under another spelling of its name', ({ keys }: Person) => ({ 'x-api-key': keys.read })],
    ['a session', (person: Person) => fixture.session(person)],
  ] as const)('accepts %s', async (_what, credential) => {
    const told = await follow(alice, await credential(alice));
    await sendTo(bob, alice, 3);
    expect((await told.next()).myUpdates.update.amount).toBe(3);
  });

  it.each([
    ['an anonymous caller', () => ({}), 'NOT_AUTHENTICATED', 'Not authorized'],
    ['a key that may receive', () => alice.as('receive'), 'INSUFFICIENT_SCOPE', 'not authorized to read data'],
    ['a key that may write', () => alice.as('write'), 'INSUFFICIENT_SCOPE', 'not authorized to read data'],
  ] as const)('refuses %s, and the socket stays open', async (_who, credential, code, message) => {
    const raw = await RawSocket.admitted(app.url, credential());
    raw.subscribe('1', UPDATES);
    const frame = await raw.next();
    expect(frame).toMatchObject({ id: '1' });
    const errors = frame.type === 'error' ? frame.payload : frame.payload.errors;
    expect(errors).toMatchObject([{ message, extensions: { code } }]);
    const { paymentHash } = await alice.invoice(1);
    if (frame.type === 'next') expect(await raw.next()).toEqual({ id: '1', type: 'complete' });
    raw.subscribe('2', `subscription { lnInvoicePaymentStatusByHash(input: { paymentHash: "${paymentHash}" }) { status } }`);
    expect(await raw.next()).toMatchObject({
      id: '2',
      type: 'next',
      payload: { data: { lnInvoicePaymentStatusByHash: { status: 'PENDING' } } },
    });
    await raw.leave();
  });

  it('ends when its client completes it, and leaves no listener', async () => {
    const told = await follow(alice);
    await sendTo(bob, alice, 1);
    await told.next();
    told.stop();
    await told.ended;
    await sendTo(bob, alice, 2);
    const again = await follow(alice);
    await sendTo(bob, alice, 3);
    // The second payment's event may still have been on its way when the new listener subscribed.
    let heard = (await again.next()).myUpdates.update.amount;
    if (heard === 2) heard = (await again.next()).myUpdates.update.amount;
    expect(heard).toBe(3);
    expect(told.events).toHaveLength(1);
  });

  it('continues after the database connection was lost, without a missing update', async () => {
    const told = await follow(alice);
    await sendTo(bob, alice, 1);
    expect((await told.next()).myUpdates.update.amount).toBe(1);
    await app.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND (query LIKE '%LISTEN%' OR query LIKE '%FROM event_position%')`,
    );
    await sendTo(bob, alice, 2);
    expect((await told.next()).myUpdates.update.amount).toBe(2);
  });

  it('closes when its key is revoked', async () => {
    const made = await app.get(ApiKeyService).create({ userId: alice.userId, name: 'short-lived', scopes: ['read'], expireInDays: null });
    if (made.kind !== 'created') throw new Error('The key was not created');
    const raw = await RawSocket.admitted(app.url, { 'X-API-KEY': made.secret });
    await untilListening(app, 'transaction.changed', alice.accountId, () => raw.subscribe('1', UPDATES));
    await app.get(ApiKeyService).revoke(alice.userId, made.apiKey.id);
    await sendTo(bob, alice, 9);
    expect(await raw.closed).toEqual({ code: 4401, reason: 'Unauthorized' });
  });
});
