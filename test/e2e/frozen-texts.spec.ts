import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { post } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const PAGE = readFileSync(join(__dirname, '../../docs/frozen-texts.md'), 'utf8');
const LISTED = [...PAGE.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = '']) => text);
const CREATE = 'mutation ($input: LnInvoiceCreateInput!) { it: lnInvoiceCreate(input: $input) { errors { message } } }';
const ON_BEHALF =
  'mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { it: lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { message } } }';
const PAY = 'mutation ($input: LnInvoicePaymentInput!) { it: lnInvoicePaymentSend(input: $input) { errors { message } } }';
const REVOKE = 'mutation { apiKeyRevoke(input: { id: "00000000-0000-4000-8000-000000000000" }) { apiKey { id } } }';

let app: TestApp;
let fixture: Fixture;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  alice = await fixture.user({ sats: 1_000 });
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

const topLevel = async (query: string, credential: CredentialHeaders = {}): Promise<string> =>
  String((await graphql(app.url, query, {}, credential)).errors?.[0]?.message);
const inPayload = async (query: string, input: object, credential: CredentialHeaders = {}): Promise<string> =>
  String((await graphql(app.url, query, { input }, credential)).data?.it?.errors?.[0]?.message);
const creating = (input: object): Promise<string> =>
  inPayload(CREATE, { walletId: alice.wallets.BTC, amount: 1, ...input }, alice.as('receive'));
const described = (descriptionHash: string): Promise<string> =>
  inPayload(ON_BEHALF, { recipientWalletId: alice.wallets.BTC, amount: 1, descriptionHash });

/** How a caller obtains each of them. */
const ASKING: Readonly<Record<string, () => Promise<string>>> = {
  'Access credentials are invalid': async () => {
    const raw = await RawSocket.open(app.url);
    raw.send({ type: 'connection_init', payload: { 'X-API-KEY': 'nonsense' } });
    const { status, body } = await post(`${app.url}/graphql`, { query: '{ __typename }' }, { 'x-api-key': 'nonsense' });
    expect([status, body.error.code, body.error.status]).toEqual([401, 401, 'Unauthorized']);
    expect(await raw.closed).toEqual({ code: 4401, reason: body.error.message });
    return body.error.message as string;
  },
  'Not authorized': () => topLevel('{ me { id } }'),
  'not authorized to read data': () => topLevel('{ me { id } }', alice.as('write')),
  'not authorized to execute mutations': () =>
    topLevel(`mutation { lnInvoiceCreate(input: { walletId: "${alice.wallets.BTC}", amount: 1 }) { errors { code } } }`, alice.as('read')),
  PersistedQueryNotFound: async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } };
    return (await post(`${app.url}/graphql`, { extensions })).body.errors[0].message as string;
  },
  'Only subscription operations are supported': async () => {
    const raw = await RawSocket.admitted(app.url);
    raw.subscribe('1', '{ globals { network } }');
    const { payload } = await raw.next();
    await raw.leave();
    return payload[0].message as string;
  },
  'Invalid value for SatAmount': () => creating({ amount: -1.9 }),
  'Value too big for SatAmount': () => creating({ amount: 10_000_000_000_001 }),
  'A valid satoshi amount is required': () => creating({ amount: 0 }),
  'Memo is too long': () => creating({ memo: 'm'.repeat(640) }),
  'Hex32Bytes is not valid hex': () => described('xyz'),
  'Hex32Bytes is not 32 bytes': () => described('abcd'),
  "Unsupported operation for wallet's currency.": () => creating({ walletId: alice.wallets.USD }),
  'Invalid walletId for account.': () =>
    topLevel('{ me { defaultAccount { walletById(walletId: "6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f") { id } } } }', alice.as('read')),
  'Unable to find a route for payment.': async () => {
    const { paymentRequest } = await fixture.outside(10, { fail: 'no_route' });
    return inPayload(PAY, { walletId: alice.wallets.BTC, paymentRequest }, alice.as('write'));
  },
  'API key not found': async () => topLevel(REVOKE, await fixture.session(alice)),
};

it('are listed in docs/frozen-texts.md, each with a request that returns it', () => {
  expect(Object.keys(ASKING)).toEqual(LISTED);
});

it.each(Object.keys(ASKING))('%s', async (text) => {
  expect(await ASKING[text]?.()).toBe(text);
});
