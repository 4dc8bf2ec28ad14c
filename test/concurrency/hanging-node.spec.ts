import { LightningBackend } from '../../src/money/lightning/index.js';
import { FeeEstimates } from '../../src/money/payment/probe/fee-estimates.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';

const CREATE = `mutation ($input: LnInvoiceCreateInput!) { done: lnInvoiceCreate(input: $input) { errors { code } } }`;
const CREATE_FOR = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { done: lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { code } } }`;
const CREATE_USD = `mutation ($input: LnUsdInvoiceCreateInput!) { done: lnUsdInvoiceCreate(input: $input) { errors { code } } }`;
const CREATE_USD_FOR = `mutation ($input: LnUsdInvoiceCreateOnBehalfOfRecipientInput!) { done: lnUsdInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { code } } }`;
const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { done: lnInvoiceCancel(input: $input) { errors { code } } }`;
const PROBE = `mutation ($input: LnInvoiceFeeProbeInput!) { done: lnInvoiceFeeProbe(input: $input) { errors { code } } }`;
const PROBE_USD = `mutation ($input: LnUsdInvoiceFeeProbeInput!) { done: lnUsdInvoiceFeeProbe(input: $input) { errors { code } } }`;
const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { done: intraLedgerPaymentSend(input: $input) { status errors { code } } }`;
const OFFLINE = { errors: [{ code: 'LND_OFFLINE' }] };
/** For each of two accounts: together more than there are connections, and so turns of mutations. */
const CALLS = 12;

/** A node that takes calls and does not answer them. Payments inside need no node. */
describe('while the node hangs', () => {
  let app: TestApp;
  let fixture: Fixture;
  let node: LightningBackend;
  let people: Person[];
  let bob: Person;
  const waiting: (() => void)[] = [];

  beforeAll(async () => {
    app = await createTestApp({ env: { WORK_PER_ADDRESS: '1000', TRUST_PROXY: '1' } });
    fixture = new Fixture(app);
    node = app.get(LightningBackend);
    people = await Promise.all([fixture.user(), fixture.user()]);
    bob = await fixture.user({ sats: 1_000 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  /** The node answers this when the test lets it. */
  const later = <T>(answer: T): Promise<T> => new Promise((resolve) => waiting.push(() => resolve(answer)));

  const calls: Record<string, (person: Person) => Promise<unknown>> = {
    'of invoices': async (person) =>
      (await dataOf(app.url, CREATE, { input: { walletId: person.wallets.BTC, amount: 10 } }, person.as('receive'))).done,
    'of invoices in dollars': async (person) =>
      (await dataOf(app.url, CREATE_USD, { input: { walletId: person.wallets.USD, amount: 10 } }, person.as('receive'))).done,
    'of invoices in dollars for others': async (person) =>
      (await dataOf(app.url, CREATE_USD_FOR, { input: { recipientWalletId: bob.wallets.USD, amount: 10 } }, person.as('receive'))).done,
    'of invoices for others': async (person) =>
      (await dataOf(app.url, CREATE_FOR, { input: { recipientWalletId: bob.wallets.BTC, amount: 10 } }, person.as('receive'))).done,
  };

  const expectBobPays = async (): Promise<void> => {
    const input = { walletId: bob.wallets.BTC, recipientWalletId: people[0]?.wallets.BTC, amount: 1 };
    expect((await dataOf(app.url, SEND, { input }, bob.as('write'))).done).toEqual({ status: 'SUCCESS', errors: [] });
    expect(waiting).toHaveLength(2 * CALLS);
  };
  const release = (): void => {
    for (const answer of waiting.splice(0)) answer();
  };

  it.each(Object.entries(calls))('creations %s hold up no payment', async (_what, call) => {
    jest.spyOn(node, 'createInvoice').mockImplementation(() => later({ status: 'unknown' }));
    const created = people.flatMap((person) => Array.from({ length: CALLS }, () => call(person)));
    await eventually(() => waiting.length === created.length);
    await expectBobPays();
    release();
    for (const answer of await Promise.all(created)) expect(answer).toEqual(OFFLINE);
  });

  it.each([
    ['bitcoin', PROBE, 'BTC'],
    ['dollars', PROBE_USD, 'USD'],
  ] as const)('fee probes of %s hold up no payment', async (_what, query, currency) => {
    jest.spyOn(app.get(FeeEstimates), 'find').mockImplementation(() => later({ status: 'unknown' }));
    const { paymentRequest } = await fixture.outside(10);
    const probed = people.flatMap((person) =>
      Array.from({ length: CALLS }, async () => {
        const input = { walletId: person.wallets[currency], paymentRequest };
        return (await dataOf(app.url, query, { input }, person.as('read'))).done as unknown;
      }),
    );
    await eventually(() => waiting.length === probed.length);
    await expectBobPays();
    release();
    for (const answer of await Promise.all(probed)) expect(answer).toEqual({ errors: [] });
  });

  it('cancellations of invoices hold up no payment', async () => {
    const made = await Promise.all(
      people.flatMap((person) => Array.from({ length: CALLS }, async () => ({ person, invoice: await person.invoice(10) }))),
    );
    jest.spyOn(node, 'cancelInvoice').mockImplementation(() => later('unknown'));
    const cancelled = made.map(async ({ person, invoice: { paymentHash } }) => {
      const input = { walletId: person.wallets.BTC, paymentHash };
      return (await dataOf(app.url, CANCEL, { input }, person.as('receive'))).done as unknown;
    });
    await eventually(() => waiting.length === cancelled.length);
    await expectBobPays();
    release();
    for (const answer of await Promise.all(cancelled)) expect(answer).toEqual(OFFLINE);
  });

  it('invoices that anonymous callers order at a Lightning address hold up no page', async () => {
    jest.spyOn(node, 'createInvoice').mockImplementation(() => later({ status: 'unknown' }));
    const from = (address: string): RequestInit => ({ headers: { 'x-forwarded-for': address } });
    const callback = `${app.url}/.well-known/lnurlp/${bob.username}/callback?amount=1000`;
    const ordered = ['198.51.100.1', '198.51.100.2'].flatMap((address) =>
      Array.from({ length: CALLS }, async () => (await fetch(callback, from(address))).json()),
    );
    await eventually(() => waiting.length === ordered.length);
    expect((await fetch(`${app.url}/login`, from('198.51.100.3'))).status).toBe(200);
    expect(waiting).toHaveLength(ordered.length);
    release();
    for (const answer of await Promise.all(ordered)) expect(answer).toMatchObject({ status: 'ERROR' });
  });
});
