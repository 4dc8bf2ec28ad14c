import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, socketClient, Subscribed } from '../support/graphql.js';
import { World, type Person } from '../support/world.js';

const UPDATES = `subscription { myUpdates { errors { message } update {
  __typename
  ... on LnUpdate { status walletId transaction { id direction status settlementAmount initiationVia { __typename ... on InitiationViaLn { paymentHash } } settlementVia { __typename ... on SettlementViaIntraLedger { preImage } ... on SettlementViaLn { preImage } } } }
  ... on PaymentUpdate { outcome: status transaction { id direction settlementAmount settlementFee } }
  ... on IntraLedgerUpdate { amount txNotificationType transaction { memo } }
} } }`;

describe('paying', () => {
  let app: TestApp;
  let world: World;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    world = new World(app);
    alice = await world.user({ sats: 10_000 });
    bob = await world.user({ sats: 10_000 });
  });
  afterEach(() => world.expectBalanced());
  afterAll(() => app.close());

  it('moves money from user to user by invoice, and tells the recipient', async () => {
    const client = socketClient(app.url, alice.as('read'));
    const updates = new Subscribed(client, UPDATES);
    const senders = new Subscribed(socketClient(app.url, bob.as('read')), UPDATES);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const invoice = await alice.invoice(1_000, 'coffee');
    const payload = await bob.pay(invoice.paymentRequest);
    expect(payload).toMatchObject({
      status: 'SUCCESS',
      errors: [],
      transaction: { status: 'SUCCESS', direction: 'SEND', settlementAmount: -1_000, settlementFee: 0 },
    });
    expect(await updates.next()).toMatchObject({
      myUpdates: {
        update: {
          __typename: 'LnUpdate',
          status: 'PAID',
          transaction: {
            direction: 'RECEIVE',
            settlementAmount: 1_000,
            initiationVia: { paymentHash: invoice.paymentHash },
            settlementVia: { __typename: 'SettlementViaIntraLedger' },
          },
        },
      },
    });
    expect(await senders.next()).toMatchObject({ myUpdates: { update: { __typename: 'PaymentUpdate', outcome: 'SUCCESS' } } });
    expect([await alice.sats(), await bob.sats()]).toEqual([11_000, 9_000]);
    client.dispose();
  });

  it('answers ALREADY_PAID to its payer and a failure to anybody else', async () => {
    const invoice = await alice.invoice(10);
    const first = await bob.pay(invoice.paymentRequest);
    const again = await bob.pay(invoice.paymentRequest);
    expect(again).toMatchObject({ status: 'ALREADY_PAID', errors: [], transaction: { id: first.transaction.id } });
    const carol = await world.user({ sats: 100 });
    expect(await carol.pay(invoice.paymentRequest)).toMatchObject({
      status: 'FAILURE',
      errors: [{ code: 'LIGHTNING_PAYMENT_ERROR', message: 'Invoice is already paid' }],
    });
  });

  it('pays an invoice of the outside world', async () => {
    const outside = await world.outside(500);
    const before = await bob.sats();
    const payload = await bob.pay(outside.paymentRequest);
    expect(payload).toMatchObject({ status: 'SUCCESS', errors: [] });
    expect(await bob.sats()).toBe(before + payload.transaction.settlementAmount);
    expect(payload.transaction.settlementAmount).toBe(-500 - payload.transaction.settlementFee);
  });

  it("refuses more than the balance covers, and one's own invoice", async () => {
    const outside = await world.outside(1_000_000);
    expect(await bob.pay(outside.paymentRequest)).toMatchObject({
      status: 'FAILURE',
      errors: [{ code: 'INSUFFICIENT_BALANCE' }],
      transaction: null,
    });
    const own = await bob.invoice(5);
    expect(await bob.pay(own.paymentRequest)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'CANT_PAY_SELF' }] });
  });

  it('refuses without a credential and without the scope, by name', async () => {
    const { errors, data } = await graphql(app.url, '{ me { id } }');
    expect(data).toEqual({ me: null });
    expect(errors?.[0]).toMatchObject({ message: 'Not authorized', extensions: { code: 'NOT_AUTHENTICATED' } });
    const denied = await graphql(app.url, '{ me { id } }', {}, bob.as('write'));
    expect(denied.errors?.[0]?.extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'read' });
  });
});
