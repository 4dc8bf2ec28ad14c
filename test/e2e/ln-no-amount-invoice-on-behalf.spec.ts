import { decodeInvoice } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { post, type HttpAnswer } from '../support/http.js';

const CREATE = `mutation ($input: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput!) { made: lnNoAmountInvoiceCreateOnBehalfOfRecipient(input: $input) {
  errors { message code path } invoice { __typename paymentHash paymentRequest externalId externalIdByOwner paymentStatus } } }`;
const WITH_AMOUNT = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { made: lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { code } } }`;
const ADDRESS_LIMIT = 5;
const RECIPIENT_LIMIT = 20;

describe('lnNoAmountInvoiceCreateOnBehalfOfRecipient', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let addresses = 0;

  beforeAll(async () => {
    const env = {
      TRUST_PROXY: '1',
      THROTTLE_ANONYMOUS_INVOICE: `${ADDRESS_LIMIT}/60`,
      THROTTLE_INVOICE_RECIPIENT: `${RECIPIENT_LIMIT}/60`,
    };
    app = await createTestApp({ env });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** A new address. */
  const somewhere = (): string => `203.0.113.${++addresses}`;
  const ask = (input: Record<string, unknown> = {}, { from = somewhere(), credential = {}, document = CREATE } = {}): Promise<HttpAnswer> =>
    post(
      `${app.url}/graphql`,
      { query: document, variables: { input: { recipientWalletId: alice.wallets.BTC, ...input } } },
      { 'x-forwarded-for': from, ...credential },
    );
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const create = async (...args: Parameters<typeof ask>): Promise<any> => (await ask(...args)).body.data.made;
  const TOO_MANY = { errors: [{ message: expect.any(String) as string, code: 'TOO_MANY_REQUEST', path: null }], invoice: null };

  it('creates an invoice for an anonymous caller that credits the recipient with what arrives', async () => {
    const { errors, invoice } = await create({ memo: 'for coffee' });
    expect(errors).toEqual([]);
    expect(invoice).toMatchObject({
      __typename: 'LnNoAmountInvoice',
      paymentStatus: 'PENDING',
      externalId: invoice.paymentHash,
      externalIdByOwner: false,
    });
    const decoded = decodeInvoice(invoice.paymentRequest);
    expect(decoded).toMatchObject({ ok: true, invoice: { amountMsat: null, description: 'for coffee' } });
    if (decoded.ok) expect(decoded.invoice.expiresAt.getTime() - decoded.invoice.createdAt.getTime()).toBe(2 * 3_600_000);
    await fixture.simulator.payOutside(invoice.paymentRequest, { amountMsat: 321_000n });
    await eventually(async () => (await alice.sats()) === 321);
  });

  it.each([
    [{ recipientWalletId: 'x' }, 'Invalid value for WalletId', 'INVALID_INPUT', 'recipientWalletId'],
    [{ recipientWalletId: '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f' }, 'Wallet not found', 'NOT_FOUND', 'recipientWalletId'],
    [{ memo: 'a'.repeat(640) }, 'Memo is too long', 'INVALID_INPUT', 'memo'],
    [{ externalId: 'A' }, 'Invalid value for TxExternalId', 'INVALID_INPUT', 'externalId'],
    [{ expiresIn: 1.5 }, 'Invalid value for Minutes', 'INVALID_INPUT', 'expiresIn'],
  ])('refuses %j', async (input, message, code, argument) => {
    expect(await create(input)).toEqual({ errors: [{ message, code, path: ['input', argument] }], invoice: null });
  });

  it('pays into a wallet in dollars, too', async () => {
    expect(await create({ recipientWalletId: alice.wallets.USD })).toMatchObject({
      errors: [],
      invoice: { paymentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
  });

  it('accepts any external id, repeatedly', async () => {
    for (let i = 0; i < 2; i++)
      expect(await create({ externalId: 'shop-1' })).toMatchObject({
        errors: [],
        invoice: { externalId: 'shop-1', externalIdByOwner: false },
      });
  });

  it.each(['read', 'receive', 'write', 'all'] as const)('permits a key that may %s', async (key) => {
    expect((await create({}, { credential: bob.as(key) })).errors).toEqual([]);
  });

  it('fails while the node is unavailable', async () => {
    await fixture.simulator.setAway(true);
    expect(await create()).toMatchObject({ errors: [{ code: 'LND_OFFLINE' }], invoice: null });
    await fixture.simulator.setAway(false);
  });

  it('counts against the limits of an address together with invoices of an amount', async () => {
    const from = somewhere();
    const input = { recipientWalletId: (await fixture.user()).wallets.BTC };
    for (let i = 0; i < ADDRESS_LIMIT - 1; i++) expect((await create(input, { from })).errors).toEqual([]);
    expect(await create({ ...input, amount: 1 }, { from, document: WITH_AMOUNT })).toEqual({ errors: [] });
    const refused = await ask(input, { from });
    expect(refused.status).toBe(200);
    expect(refused.body).toEqual({ data: { made: TOO_MANY } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await create(input)).errors).toEqual([]);
    expect((await create(input, { from, credential: bob.as('read') })).errors).toEqual([]);
  });

  it('counts against the limit of a recipient, and never against the recipient', async () => {
    const carol = await fixture.user();
    const input = { recipientWalletId: carol.wallets.BTC };
    const from = somewhere();
    for (let i = 0; i < RECIPIENT_LIMIT; i++) expect((await create(input, i < 3 ? { from } : {})).errors).toEqual([]);
    expect(await create(input, { from })).toEqual(TOO_MANY);
    expect((await create(input, { credential: carol.as('receive') })).errors).toEqual([]);
  });
});
