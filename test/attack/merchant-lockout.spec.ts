import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { World, type Person } from '../support/world.js';

const BEHALF = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { made: lnInvoiceCreateOnBehalfOfRecipient(input: $input) {
  errors { code } invoice { paymentHash paymentRequest externalId } } }`;
const OWN = `mutation ($input: LnInvoiceCreateInput!) { made: lnInvoiceCreate(input: $input) {
  errors { code path } invoice { paymentHash paymentRequest externalId } } }`;

/** Whoever knows a merchant's name may ask for invoices that pay the merchant, and must not be able to do harm by it. */
describe('strangers who name invoices after a merchant’s orders', () => {
  let app: TestApp;
  let world: World;
  let merchant: Person;
  let mallory: Person;
  beforeAll(async () => {
    app = await createTestApp();
    world = new World(app);
    [merchant, mallory] = [await world.user(), await world.user({ sats: 100 })];
  });
  afterEach(() => world.expectBalanced());
  afterAll(() => app.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const squat = async (externalId: string): Promise<any> =>
    (await dataOf(app.url, BEHALF, { input: { recipientWalletId: merchant.wallets.BTC, amount: 1, externalId } })).made;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const own = async (externalId: string): Promise<any> =>
    (await dataOf(app.url, OWN, { input: { walletId: merchant.wallets.BTC, amount: 50, externalId } }, merchant.as('receive'))).made;

  it('do not keep the merchant from making them', async () => {
    const taken = await squat('order-1001');
    const { errors, invoice } = await own('order-1001');
    expect(errors).toEqual([]);
    expect(invoice.externalId).toBe('order-1001');
    // The stranger's invoice is as good as it was; only its name is another.
    expect(await mallory.pay(taken.invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    const { rows } = await app.pool.query('SELECT payment_hash FROM invoice WHERE external_id = $1', ['order-1001']);
    expect(rows).toEqual([{ payment_hash: invoice.paymentHash }]);
  });

  it('do not take a name that the merchant has used', async () => {
    await own('order-1002');
    expect((await squat('order-1002')).errors).toMatchObject([{ code: 'INVALID_INPUT' }]);
    expect((await own('order-1002')).errors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'externalId'] }]);
  });

  it('cannot have a payment of theirs taken for that of the order: the name is refused, and not used twice', async () => {
    const taken = await squat('order-1003');
    await mallory.pay(taken.invoice.paymentRequest);
    expect((await own('order-1003')).errors).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });
});
