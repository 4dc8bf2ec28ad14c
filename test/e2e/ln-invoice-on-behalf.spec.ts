import { decodeInvoice } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { post, type HttpAnswer } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';

const PAYLOAD =
  'errors { message code path } invoice { __typename paymentHash paymentRequest externalId externalIdByOwner paymentStatus } }';
const CREATE = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { made: lnInvoiceCreateOnBehalfOfRecipient(input: $input) { ${PAYLOAD} }`;
const WITHOUT_AMOUNT = `mutation ($input: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput!) { made: lnNoAmountInvoiceCreateOnBehalfOfRecipient(input: $input) { ${PAYLOAD} }`;
const ADDRESS_LIMIT = 5;
const RECIPIENT_LIMIT = 20;
/** The calls of one address that pass whatever other addresses do. */
const FIRST = 3;
const ALL_LIMIT = 150;
/** A window that ends in the middle of a test would begin its count again. */
const WINDOW_SECONDS = 3_600;

describe('an invoice on behalf of a recipient', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let addresses = 0;

  beforeAll(async () => {
    const env = {
      TRUST_PROXY: '1',
      THROTTLE_ANONYMOUS_INVOICE: `${ADDRESS_LIMIT}/${WINDOW_SECONDS}`,
      THROTTLE_INVOICE_RECIPIENT: `${RECIPIENT_LIMIT}/${WINDOW_SECONDS}`,
    };
    const [anonymousInvoiceFirst, anonymousInvoiceAll] = [`${FIRST}/${WINDOW_SECONDS}`, `${ALL_LIMIT}/${WINDOW_SECONDS}`];
    app = await createTestApp({ env, settings: { RateLimitSettings: { anonymousInvoiceFirst, anonymousInvoiceAll } } });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 5_000 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** A new address. */
  const somewhere = (): string => `203.0.113.${++addresses}`;
  const ask = (input: Record<string, unknown> = {}, { from = somewhere(), credential = {}, document = CREATE } = {}): Promise<HttpAnswer> =>
    post(
      `${app.url}/graphql`,
      {
        query: document,
        variables: { input: { recipientWalletId: alice.wallets.BTC, ...(document === CREATE && { amount: 100 }), ...input } },
      },
      { 'x-forwarded-for': from, ...credential },
    );
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const create = async (...args: Parameters<typeof ask>): Promise<any> => (await ask(...args)).body.data.made;
  const TOO_MANY = { errors: [{ message: expect.any(String) as string, code: 'TOO_MANY_REQUEST', path: null }], invoice: null };

  it('creates an invoice for an anonymous caller that credits the recipient', async () => {
    const { errors, invoice } = await create({ memo: 'two coffees' });
    expect(errors).toEqual([]);
    expect(invoice).toMatchObject({ __typename: 'LnInvoice', paymentStatus: 'PENDING', externalId: invoice.paymentHash });
    const before = await alice.sats();
    expect(await bob.pay(invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await alice.sats()).toBe(before + 100);
  });

  it('without an amount credits the recipient with what arrives', async () => {
    const { errors, invoice } = await create({ memo: 'for coffee' }, { document: WITHOUT_AMOUNT });
    expect(errors).toEqual([]);
    expect(invoice).toMatchObject({ __typename: 'LnNoAmountInvoice', externalId: invoice.paymentHash, externalIdByOwner: false });
    const decoded = decodeInvoice(invoice.paymentRequest);
    expect(decoded).toMatchObject({ ok: true, invoice: { amountMsat: null, description: 'for coffee' } });
    if (decoded.ok) expect(decoded.invoice.expiresAt.getTime() - decoded.invoice.createdAt.getTime()).toBe(2 * 3_600_000);
    const before = await alice.sats();
    await fixture.simulator.payOutside(invoice.paymentRequest, { amountMsat: 321_000n });
    await eventually(async () => (await alice.sats()) === before + 321);
  });

  it('writes the description hash into the invoice and stores the memo for the recipient', async () => {
    const { invoice } = await create({ memo: 'a comment', descriptionHash: 'ab'.repeat(32) });
    expect(decodeInvoice(invoice.paymentRequest)).toMatchObject({
      ok: true,
      invoice: { descriptionHash: 'ab'.repeat(32), description: null },
    });
    const { rows } = await app.pool.query('SELECT memo, description_hash FROM invoice WHERE payment_hash = $1', [invoice.paymentHash]);
    expect(rows).toEqual([{ memo: 'a comment', description_hash: 'ab'.repeat(32) }]);
  });

  it.each([
    [{ memo: '' }, { description: '', descriptionHash: null }],
    [
      { memo: null, descriptionHash: null, expiresIn: null, externalId: null },
      { description: '', descriptionHash: null },
    ],
    [{ amount: '250', expiresIn: '15' }, { amountMsat: 250_000n }],
  ])('accepts %j', async (input, expected) => {
    const { errors, invoice } = await create(input);
    expect(errors).toEqual([]);
    expect(decodeInvoice(invoice.paymentRequest)).toMatchObject({ ok: true, invoice: expected });
  });

  it.each([
    [{ amount: 0 }, 'A valid satoshi amount is required', 'amount'],
    [{ descriptionHash: 'AB'.repeat(32) }, 'Hex32Bytes is not valid hex', 'descriptionHash'],
    [{ descriptionHash: '' }, 'Hex32Bytes is not 32 bytes', 'descriptionHash'],
  ])('refuses %j', async (input, message, argument) => {
    expect(await create(input)).toEqual({ errors: [{ message, code: 'INVALID_INPUT', path: ['input', argument] }], invoice: null });
  });

  it('is refused with an amount for a wallet in dollars, which accepts one without', async () => {
    const input = { recipientWalletId: alice.wallets.USD };
    expect(await create(input)).toMatchObject({ errors: [{ message: "Unsupported operation for wallet's currency." }], invoice: null });
    expect(await create(input, { document: WITHOUT_AMOUNT })).toMatchObject({ errors: [] });
  });

  describe.each([
    ['with an amount', CREATE],
    ['without an amount', WITHOUT_AMOUNT],
  ])('%s', (_what, document) => {
    it.each([
      [{ recipientWalletId: 'x' }, 'Invalid value for WalletId', 'INVALID_INPUT', 'recipientWalletId'],
      [{ recipientWalletId: '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f' }, 'Wallet not found', 'NOT_FOUND', 'recipientWalletId'],
      [{ memo: 'a'.repeat(640) }, 'Memo is too long', 'INVALID_INPUT', 'memo'],
      [{ externalId: 'A' }, 'Invalid value for TxExternalId', 'INVALID_INPUT', 'externalId'],
    ])('refuses %j', async (input, message, code, argument) => {
      expect(await create(input, { document })).toEqual({ errors: [{ message, code, path: ['input', argument] }], invoice: null });
    });

    it('accepts any external id, repeatedly, and marks it as not the owner’s', async () => {
      for (const recipientWalletId of [alice.wallets.BTC, alice.wallets.BTC, bob.wallets.BTC])
        expect(await create({ externalId: 'shop-1', recipientWalletId }, { document })).toMatchObject({
          errors: [],
          invoice: { externalId: 'shop-1', externalIdByOwner: false },
        });
    });

    it('fails while the node is unavailable', async () => {
      await fixture.simulator.setAway(true);
      expect(await create({}, { document })).toMatchObject({ errors: [{ code: 'LND_OFFLINE' }], invoice: null });
      await fixture.simulator.setAway(false);
    });
  });

  describe('rate limits', () => {
    it('count anonymous callers by their address, are announced, and refuse in the payload', async () => {
      const from = somewhere();
      const carol = await fixture.user();
      const input = { recipientWalletId: carol.wallets.BTC };
      for (let left = ADDRESS_LIMIT - 1; left >= 0; left--) {
        const answer = await ask(input, { from });
        expect(answer.body.data.made.errors).toEqual([]);
        expect(answer.headers.get('ratelimit-policy')).toContain(`"anonymous-invoice";q=${ADDRESS_LIMIT};w=${WINDOW_SECONDS}`);
        expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`"anonymous-invoice";r=${left};t=\\d+`));
        expect(answer.headers.get('retry-after')).toBeNull();
      }
      const refused = await ask(input, { from });
      expect(refused.status).toBe(200);
      expect(refused.body).toEqual({ data: { made: TOO_MANY } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('ratelimit')).toMatch(/"anonymous-invoice";r=0;t=\d+/);
      expect((await create(input)).errors).toEqual([]);
    });

    it('count an IPv6 /48 as one address', async () => {
      const carol = await fixture.user();
      const input = { recipientWalletId: carol.wallets.BTC };
      for (let i = 0; i < ADDRESS_LIMIT; i++) expect((await create(input, { from: `2001:db8:1:2::${i + 1}` })).errors).toEqual([]);
      expect(await create(input, { from: '2001:db8:1:2:ffff::1' })).toEqual(TOO_MANY);
      expect((await create(input, { from: '2001:db8:1:3::1' })).errors).toEqual([]);
    });

    it('count invoices with and without an amount together', async () => {
      const from = somewhere();
      const input = { recipientWalletId: (await fixture.user()).wallets.BTC };
      for (let i = 1; i < ADDRESS_LIMIT; i++) expect((await create(input, { from, document: WITHOUT_AMOUNT })).errors).toEqual([]);
      expect((await create(input, { from })).errors).toEqual([]);
      expect(await create(input, { from, document: WITHOUT_AMOUNT })).toEqual(TOO_MANY);
    });

    it('count each alias of a document', async () => {
      const carol = await fixture.user();
      const field = `lnInvoiceCreateOnBehalfOfRecipient(input: { recipientWalletId: "${carol.wallets.BTC}", amount: 1 }) { errors { code } }`;
      const document = `mutation { ${Array.from({ length: ADDRESS_LIMIT + 2 }, (_, i) => `a${i}: ${field}`).join(' ')} }`;
      const { body } = await post(`${app.url}/graphql`, { query: document }, { 'x-forwarded-for': somewhere() });
      const refused = Object.values<{ errors: unknown[] }>(body.data).filter(({ errors }) => errors.length > 0);
      expect(refused).toEqual([{ errors: [{ code: 'TOO_MANY_REQUEST' }] }, { errors: [{ code: 'TOO_MANY_REQUEST' }] }]);
    });

    it('never count a valid credential; an invalid one gets 401 and nothing else', async () => {
      const from = somewhere();
      const carol = await fixture.user();
      const input = { recipientWalletId: carol.wallets.BTC };
      for (let i = 0; i < ADDRESS_LIMIT + 3; i++) expect((await create(input, { from, credential: bob.as('read') })).errors).toEqual([]);
      for (let i = 0; i < ADDRESS_LIMIT; i++) expect((await create(input, { from })).errors).toEqual([]);
      expect(await create(input, { from })).toEqual(TOO_MANY);
      expect((await create(input, { from, credential: bob.as('receive') })).errors).toEqual([]);
      expect((await ask(input, { credential: { 'x-api-key': 'sluice_nonsense' } })).status).toBe(401);
    });

    it('refuse anonymous callers who crowd one recipient, and never the recipient', async () => {
      const carol = await fixture.user();
      const input = { recipientWalletId: carol.wallets.BTC };
      const from = somewhere();
      for (let i = 0; i < RECIPIENT_LIMIT; i++) expect((await create(input, i < FIRST ? { from } : {})).errors).toEqual([]);
      expect(await create(input, { from })).toEqual(TOO_MANY);
      expect(await create({ recipientWalletId: carol.wallets.BTC.toUpperCase() }, { from })).toEqual(TOO_MANY);
      expect((await create(input)).errors).toEqual([]);
      expect(await carol.invoice(10)).toMatchObject({ paymentHash: expect.any(String) as string });
      expect((await create(input, { credential: carol.as('receive') })).errors).toEqual([]);
      expect((await create({ recipientWalletId: bob.wallets.BTC })).errors).toEqual([]);
      const { me } = await dataOf(app.url, '{ me { username } }', {}, carol.as('read'));
      expect(me.username).toBe(carol.username);
    });

    it('have a maximum for all anonymous callers together, and none for callers with a credential', async () => {
      let made = 0;
      let crowded = alice;
      for (let address = 0; address <= ALL_LIMIT / ADDRESS_LIMIT; address++) {
        const recipient = address % (RECIPIENT_LIMIT / ADDRESS_LIMIT) === 0 ? await fixture.user() : crowded;
        crowded = recipient;
        const from = `198.18.0.${address}`;
        const answers = await Promise.all(
          Array.from({ length: ADDRESS_LIMIT }, () => create({ recipientWalletId: recipient.wallets.BTC }, { from })),
        );
        made += answers.filter(({ errors }) => errors.length === 0).length;
      }
      expect(made).toBeGreaterThan(0);
      expect(made).toBeLessThan(ALL_LIMIT);
      const from = somewhere();
      for (let i = 0; i < FIRST; i++) expect((await create({}, { from })).errors).toEqual([]);
      expect(await create({}, { from })).toEqual(TOO_MANY);
      expect((await create({}, { credential: bob.as('receive') })).errors).toEqual([]);
    });
  });
});
