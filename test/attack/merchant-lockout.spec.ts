import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const BEHALF = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { made: lnInvoiceCreateOnBehalfOfRecipient(input: $input) {
  errors { code } invoice { paymentHash paymentRequest externalId externalIdByOwner } } }`;
const OWN = `mutation ($input: LnInvoiceCreateInput!) { made: lnInvoiceCreate(input: $input) {
  errors { code path } invoice { paymentHash paymentRequest externalId externalIdByOwner } } }`;
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { walletById(walletId: "WALLET") { transactionsByPaymentHash(paymentHash: $hash) { externalId externalIdByOwner } } } } }`;

/** Any caller who knows a merchant's name may ask for invoices that pay the merchant, and must not be able to do harm by it. */
describe('anonymous invoices with a merchant’s external ids', () => {
  let app: TestApp;
  let fixture: Fixture;
  let merchant: Person;
  let mallory: Person;
  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [merchant, mallory] = [await fixture.user(), await fixture.user({ sats: 200 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const squat = async (externalId: string): Promise<any> =>
    (await dataOf(app.url, BEHALF, { input: { recipientWalletId: merchant.wallets.BTC, amount: 1, externalId } })).made;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const own = async (externalId: string): Promise<any> =>
    (await dataOf(app.url, OWN, { input: { walletId: merchant.wallets.BTC, amount: 50, externalId } }, merchant.as('receive'))).made;

  const history = async (person: Person, hash: string): Promise<unknown> =>
    (await dataOf(app.url, HISTORY.replace('WALLET', person.wallets.BTC), { hash }, person.as('read'))).me.defaultAccount.walletById
      .transactionsByPaymentHash;
  const pays = (paymentRequest: string): Promise<unknown> => mallory.pay(paymentRequest);
  const paidFromOutside = async (paymentRequest: string, paymentHash: string): Promise<void> => {
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(async () => ((await history(merchant, paymentHash)) as unknown[]).length === 1);
  };

  it('do not prevent the merchant’s own, before or after they are paid', async () => {
    const [open, paid] = [await squat('order-1001'), await squat('order-1001')];
    expect(await pays(paid.invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    const { errors, invoice } = await own('order-1001');
    expect(errors).toEqual([]);
    expect(invoice).toMatchObject({ externalId: 'order-1001', externalIdByOwner: true });
    // The stranger's invoice can still be paid, and keeps its external id.
    expect(open.invoice).toMatchObject({ externalId: 'order-1001', externalIdByOwner: false });
    expect(await pays(open.invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
  });

  it('can repeat the merchant’s external id, which the merchant uses once', async () => {
    await own('order-1002');
    expect((await squat('order-1002')).errors).toEqual([]);
    expect((await own('order-1002')).errors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'externalId'] }]);
  });

  it('are marked as not the owner’s in the history, whether paid internally or over Lightning', async () => {
    const [inside, outside] = [await squat('order-1003'), await squat('order-1003')];
    await pays(inside.invoice.paymentRequest);
    await paidFromOutside(outside.invoice.paymentRequest, outside.invoice.paymentHash);
    for (const { invoice } of [inside, outside])
      expect(await history(merchant, invoice.paymentHash)).toEqual([{ externalId: 'order-1003', externalIdByOwner: false }]);
    expect(await history(mallory, inside.invoice.paymentHash)).toEqual([{ externalId: 'order-1003', externalIdByOwner: false }]);
  });

  it('are distinct from the merchant’s own, which are marked as the owner’s', async () => {
    const [inside, outside] = [await own('order-1004'), await own('order-1005')];
    await pays(inside.invoice.paymentRequest);
    await paidFromOutside(outside.invoice.paymentRequest, outside.invoice.paymentHash);
    expect(await history(merchant, inside.invoice.paymentHash)).toEqual([{ externalId: 'order-1004', externalIdByOwner: true }]);
    expect(await history(merchant, outside.invoice.paymentHash)).toEqual([{ externalId: 'order-1005', externalIdByOwner: true }]);
    // To the payer, it is an external id that another account gave.
    expect(await history(mallory, inside.invoice.paymentHash)).toEqual([{ externalId: 'order-1004', externalIdByOwner: false }]);
  });
});
