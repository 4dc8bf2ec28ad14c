import { createTestApp, type TestApp } from '../support/app.js';
import { post, type HttpAnswer } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';

const FRAGMENT = `fragment F on PaymentSendPayload { status errors { code message path } transaction {
  id status direction memo createdAt externalId settlementAmount settlementCurrency settlementDisplayAmount settlementDisplayCurrency settlementDisplayFee settlementFee
  settlementPrice { base offset currencyUnit formattedAmount }
  initiationVia { ... on InitiationViaLn { paymentHash paymentRequest } ... on InitiationViaIntraLedger { counterPartyUsername counterPartyWalletId } }
  settlementVia { ... on SettlementViaLn { preImage } ... on SettlementViaIntraLedger { counterPartyUsername counterPartyWalletId preImage } } } }`;

/** The answer under a key is stored for its repeats, so the cost of the document bounds its length before anything is done. */
describe('a document with an idempotency key', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const pay = (times: number, key?: string): Promise<HttpAnswer> => {
    const field = 'intraLedgerPaymentSend(input: $i) { ...F }';
    const query = `mutation ($i: IntraLedgerPaymentSendInput!) { ${Array.from({ length: times }, (_, n) => `p${n}: ${field}`).join(' ')} } ${FRAGMENT}`;
    const variables = { i: { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 1 } };
    return post(
      `${app.url}/graphql`,
      { query, variables },
      { ...(alice.as('all') as Record<string, string>), ...(key !== undefined && { 'idempotency-key': key }) },
    );
  };

  it('is refused before execution if its answer could be too long', async () => {
    const before = await bob.sats();
    const { status, body } = await pay(28, 'long');
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([200, undefined, 'QUERY_TOO_COMPLEX']);
    expect(body.errors[0].message).toMatch(/^The document has a cost of \d+; with an idempotency key the limit is 1000/);
    expect([await bob.sats(), (await app.pool.query('SELECT FROM idempotency')).rowCount]).toEqual([before, 0]);
    expect((await pay(28)).body.errors).toBeUndefined();
    expect(await bob.sats()).toBe(before + 28);
  });

  it('runs once with ten payments and every field, and is replayed', async () => {
    const before = await bob.sats();
    const [first, second] = [await pay(10, 'ten'), await pay(10, 'ten')];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(await bob.sats()).toBe(before + 10);
  });
});
