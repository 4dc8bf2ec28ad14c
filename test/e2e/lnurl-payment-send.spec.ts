import type { ServerResponse } from 'node:http';
import { AppService } from '../../src/access/oauth/index.js';
import { AccessPauseService } from '../../src/access/user/index.js';
import { decodeInvoice } from '../../src/money/lightning/index.js';
import { EgressClient } from '../../src/edge/egress/index.js';
import { lnurlOf } from '../../src/money/lnurl/lnurl-text.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { OperatorCommand } from '../support/operator-command.js';
import { hashOf, json, LnurlService } from '../support/lnurl-service.js';
import { writtenInvoice } from '../support/written-invoice.js';

const SENT = '{ status errors { code message path } transaction { settlementAmount memo initiationVia { __typename } } }';
const PAY_LNURL = `mutation ($input: LnurlPaymentSendInput!) { sent: lnurlPaymentSend(input: $input) ${SENT} }`;
const PAY_ADDRESS = `mutation ($input: LnAddressPaymentSendInput!) { sent: lnAddressPaymentSend(input: $input) ${SENT} }`;

const failure = (code: string, message: string, argument: string): object => ({
  status: 'FAILURE',
  errors: [{ code, message, path: ['input', argument] }],
  transaction: null,
});
/** The one text for all that can go wrong outside: the caller learns nothing of what Sluice's network reaches. */
const noInvoice = (argument: string): object =>
  failure('LNURL_REQUEST_INVOICE_ERROR', "The recipient's server did not return a valid invoice; nothing was sent", argument);

let app: TestApp;
/** Another process of the same installation, whose operator has opened no network of this machine. */
let closed: TestApp;
let fixture: Fixture;
let service: LnurlService;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  const env = { THROTTLE_LNURL_PAYMENT: '1000/60', PAYMENT_WAIT_SECONDS: '2' };
  app = await createTestApp({ env });
  closed = await createTestApp({ beside: app, env: { ...env, EGRESS_ALLOW: '10.99.0.0/16' } });
  fixture = new Fixture(app);
  service = await LnurlService.start(async (amountMsat, descriptionHash) => {
    const faults = { routeFeeMsat: 0n };
    return (await fixture.simulator.createOutsideInvoice({ amountMsat, descriptionHash, faults })).paymentRequest;
  });
  alice = await fixture.user();
  bob = await fixture.user({ sats: 10_000 });
});
beforeEach(() => service.behave());
afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.expectBalanced();
});
afterAll(async () => {
  service.close();
  await closed.close();
  await app.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
const payLnurl = async (lnurl: string, amount = 100, at = app, headers = {}): Promise<any> =>
  (await dataOf(at.url, PAY_LNURL, { input: { walletId: bob.wallets.BTC, lnurl, amount } }, { ...bob.as('write'), ...headers })).sent;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
const payAddress = async (lnAddress: string, amount = 100, headers = {}): Promise<any> =>
  (await dataOf(app.url, PAY_ADDRESS, { input: { walletId: bob.wallets.BTC, lnAddress, amount } }, { ...bob.as('write'), ...headers }))
    .sent;
const shop = (path = '/pay'): string => lnurlOf(`${service.url}${path}`);
/** What a call changes in bob's balance. */
const spent = async (call: () => Promise<unknown>): Promise<number> => {
  const before = await bob.sats();
  await call();
  return before - (await bob.sats());
};
const memosOf = async (person: Person): Promise<(string | null)[]> =>
  (
    await app.pool.query<{ memo: string | null }>('SELECT memo FROM transaction WHERE wallet_id = $1 ORDER BY created_at', [
      person.wallets.BTC,
    ])
  ).rows.map(({ memo }) => memo);

/** Lists inside one another. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('lnurlPaymentSend', () => {
  it.each([
    '',
    'lightning:',
    'LIGHTNING:',
    'lightning://',
    'https://shop.example/?lightning=',
    'HTTPS://SHOP.EXAMPLE?LIGHTNING=',
    'bitcoin:?lightning=',
    '\u200b',
  ])('pays the invoice that a service returns: %s…', async (prefix) => {
    const sent = spent(async () =>
      expect(await payLnurl(`${prefix}${shop()}`)).toEqual({
        status: 'SUCCESS',
        errors: [],
        transaction: { settlementAmount: -100, memo: null, initiationVia: { __typename: 'InitiationViaLn' } },
      }),
    );
    expect(await sent).toBe(100);
    expect(service.requests).toEqual(['/pay', '/callback?id=7&amount=100000']);
  });

  it('reads JSON of 64 levels', async () => {
    service.behave({ offer: { more: nested(63) } });
    expect(await spent(() => payLnurl(shop()))).toBe(100);
  });

  it('follows a redirect', async () => {
    service.behave({ handlers: { '/old': (_, response) => void response.writeHead(301, { location: '/pay' }).end() } });
    expect(await spent(() => payLnurl(shop('/old')))).toBe(100);
  });

  it.each(['9007199254740993', '99999999999999999999', '1e300', '1e999'])('takes a most amount of %s as a large one', async (most) => {
    const offer = service.offerText().replace('"maxSendable":500000', `"maxSendable":${most}`);
    service.behave({ handlers: { '/pay': (_, response) => void response.end(offer) } });
    expect(await spent(() => payLnurl(shop()))).toBe(100);
  });

  it.each([201, 400, 404, 500, 503])('reads the answers of a service whatever their status is: %d', async (status) => {
    service.behave({ status });
    expect(await spent(async () => expect(await payLnurl(shop())).toMatchObject({ status: 'SUCCESS' }))).toBe(100);
    service.behave({ status, offer: { status: 'ERROR', reason: 'closed' } });
    expect(await payLnurl(shop())).toEqual(noInvoice('lnurl'));
    service.behave({ status, answer: { status: 'ERROR', reason: 'closed' } });
    expect(await payLnurl(shop())).toEqual(noInvoice('lnurl'));
  });

  it.each([
    ['less than the least', { minSendable: 100_001 }],
    ['more than the most', { maxSendable: 99_999 }],
    ['less than a least amount that no number holds', { minSendable: 1e300, maxSendable: 1e300 }],
  ])('sends no amount that is %s', async (_, offer) => {
    service.behave({ offer });
    const refusal = failure('INVALID_INPUT', 'The recipient does not accept this amount; nothing was sent', 'amount');
    expect(await spent(async () => expect(await payLnurl(shop())).toEqual(refusal))).toBe(0);
    expect(service.requests).toEqual(['/pay']);
  });

  it.each<[string, object]>([
    ['another tag', { tag: 'withdrawRequest' }],
    ['no tag', { tag: undefined }],
    ['an error', { status: 'ERROR', reason: 'closed' }],
    ['no callback', { callback: undefined }],
    ['a callback that is no URL', { callback: '/callback' }],
    ['a callback to a private address', { callback: 'https://10.0.0.1/callback' }],
    ['a callback to the metadata of a cloud', { callback: 'http://169.254.169.254/latest' }],
    ['a callback to a file', { callback: 'file:///etc/passwd' }],
    ['a callback with a password', { callback: 'http://a:b@127.0.0.1/callback' }],
    ['amounts as texts', { minSendable: '1000', maxSendable: '500000' }],
    ['a least amount of zero', { minSendable: 0 }],
    ['amounts in the wrong order', { minSendable: 500_000, maxSendable: 1_000 }],
    ['a most amount of half a millisatoshi', { maxSendable: 500_000.5 }],
    ['a most amount that is no number', { maxSendable: null }],
    ['no metadata', { metadata: undefined }],
    ['metadata that is no JSON', { metadata: 'tea' }],
    ['metadata that is nested too deep', { metadata: JSON.stringify([['text/plain', 'a'], nested(64)]) }],
    ['JSON that is nested too deep', { more: nested(64) }],
    ['metadata without a text', { metadata: '[["text/identifier","a@b"]]' }],
    ['metadata with two texts', { metadata: '[["text/plain","a"],["text/plain","b"]]' }],
    ['a demand for the name of the payer', { payerData: { name: { mandatory: true } } }],
  ])('sends nothing to a service that offers %s', async (_, offer) => {
    service.behave({ offer });
    expect(await spent(async () => expect(await payLnurl(shop())).toEqual(noInvoice('lnurl')))).toBe(0);
    expect(service.requests).toEqual(['/pay']);
  });

  const signed = (more: Parameters<typeof writtenInvoice>[0]): string =>
    writtenInvoice({ amountMsat: 100_000n, descriptionHash: hashOf('[["text/plain","tea"]]'), ...more });
  it.each<[string, () => object]>([
    ['an error', () => ({ status: 'ERROR', reason: 'closed' })],
    ['no invoice', () => ({ pr: undefined })],
    ['a number', () => ({ pr: 7 })],
    ['text', () => ({ pr: 'tea' })],
    ['an invoice of another network', () => ({ pr: signed({ network: 'mainnet' }) })],
    ['an invoice of a higher amount', () => ({ pr: signed({ amountMsat: 100_001n }) })],
    ['an invoice of a lower amount', () => ({ pr: signed({ amountMsat: 99_999n }) })],
    ['an invoice without an amount', () => ({ pr: signed({ amountMsat: null }) })],
    ['an invoice for other metadata', () => ({ pr: signed({ descriptionHash: hashOf('[["text/plain","coffee"]]') }) })],
    ['an invoice with a description', () => ({ pr: signed({ descriptionHash: undefined, description: '[["text/plain","tea"]]' }) })],
    ['an expired invoice', () => ({ pr: signed({ createdAtSeconds: 1_700_000_000 }) })],
  ])('does not pay %s', async (_, answer) => {
    service.behave({ offer: { metadata: '[["text/plain","tea"]]' }, answer: answer() });
    expect(await spent(async () => expect(await payLnurl(shop())).toEqual(noInvoice('lnurl')))).toBe(0);
    expect(service.requests).toHaveLength(2);
  });

  it.each<[string, Parameters<LnurlService['behave']>[0]]>([
    ['HTML', { handlers: { '/pay': (_, response) => void response.end('<html><body>tag: payRequest</body></html>') } }],
    ['a list', { handlers: { '/pay': (_, response) => json(response, [{ tag: 'payRequest' }]) } }],
    ['null', { handlers: { '/pay': (_, response) => json(response, null) } }],
    ['status 500', { handlers: { '/pay': (_, response) => void response.writeHead(500).end('{}') } }],
    ['a huge body', { handlers: { '/pay': (_, response) => json(response, { tag: 'payRequest', metadata: 'x'.repeat(1_000_000) }) } }],
    ['a huge body of the callback', { handlers: { '/callback': (_, response) => json(response, { pr: 'x'.repeat(100_000) }) } }],
    ['a cut body', { handlers: { '/pay': (_, response) => void (response.write('{'), setImmediate(() => response.destroy())) } }],
    [
      'a redirect to a private address',
      { handlers: { '/pay': (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end() } },
    ],
    ['a redirect without an end', { handlers: { '/pay': (_, response) => void response.writeHead(302, { location: '/pay' }).end() } }],
    ['silence', { handlers: { '/callback': () => undefined } }],
  ])('returns one and the same error for %s', async (_, behaviour) => {
    service.behave(behaviour);
    expect(await spent(async () => expect(await payLnurl(shop())).toEqual(noInvoice('lnurl')))).toBe(0);
    expect(service.requests.length).toBeGreaterThan(0);
  });

  it('reaches no address inside that the operator has not opened, by any name', async () => {
    const inside = [
      shop(),
      lnurlOf(`http://localhost:${service.port}/pay`),
      `lnurlp://localhost:${service.port}/pay`,
      `lnurlp://127.0.0.1:${service.port}/pay`,
      `pay@localhost:${service.port}`,
    ];
    for (const lnurl of inside) expect(await payLnurl(lnurl, 100, closed)).toEqual(noInvoice('lnurl'));
    // A port without a listener reads the same as one with a listener.
    expect(await payLnurl(lnurlOf('http://127.0.0.1:1/pay'), 100, closed)).toEqual(noInvoice('lnurl'));
    expect(await payLnurl(lnurlOf('http://127.0.0.1:1/pay'))).toEqual(noInvoice('lnurl'));
    expect([service.connections, service.requests]).toEqual([0, []]);
  });

  it.each(['', 'tea', 'lnbcrt1qqq', 'https://shop.example/', 'lnurlp://shopshopshop.onion/pay', 'x'.repeat(10_000)])(
    'is not for %j',
    async (lnurl) => {
      expect(await payLnurl(lnurl)).toEqual(failure('INVALID_INPUT', 'Invalid value for Lnurl', 'lnurl'));
    },
  );

  it('requests nothing for an amount of zero, or for the wallet of another account', async () => {
    const pay = async (walletId: string, amount: number): Promise<unknown> =>
      (await dataOf(app.url, PAY_LNURL, { input: { walletId, lnurl: shop(), amount } }, bob.as('write'))).sent;
    expect(await pay(bob.wallets.BTC, 0)).toMatchObject({ errors: [{ code: 'INVALID_INPUT', path: ['input', 'amount'] }] });
    expect(await pay(alice.wallets.BTC, 1)).toMatchObject({ errors: [{ code: 'NOT_FOUND', path: ['input', 'walletId'] }] });
    expect(service.requests).toEqual([]);
  });

  it('names its own argument when the invoice cannot be paid', async () => {
    const carol = await fixture.user({ sats: 200 });
    const metadata = '[["text/plain","tea"]]';
    const offered = await fixture.simulator.createOutsideInvoice({
      amountMsat: 100_000n,
      descriptionHash: hashOf(metadata),
      faults: { routeFeeMsat: 0n },
    });
    service.behave({ offer: { metadata }, answer: { pr: offered.paymentRequest } });
    expect(await payLnurl(shop())).toMatchObject({ status: 'SUCCESS' });
    const { sent } = await dataOf(
      app.url,
      PAY_LNURL,
      { input: { walletId: carol.wallets.BTC, lnurl: shop(), amount: 100 } },
      carol.as('write'),
    );
    expect(sent).toEqual(failure('LIGHTNING_PAYMENT_ERROR', 'Invoice is already paid', 'lnurl'));
    expect(await carol.sats()).toBe(200);
    // The payer of the first invoice does not pay it again.
    expect(await spent(async () => expect(await payLnurl(shop())).toMatchObject({ status: 'ALREADY_PAID' }))).toBe(0);
  });
});

/** A service answers as late as its owner likes: the request has begun with a credential that was valid. */
describe('a payment whose credential ends while the service of its recipient is asked', () => {
  interface Ending {
    /** What the payer presents. */
    readonly credential: CredentialHeaders;
    readonly end: () => Promise<unknown>;
  }
  const CREATE = 'mutation { made: apiKeyCreate(input: { name: "x", scopes: [READ, WRITE] }) { apiKey { id } apiKeySecret } }';
  const REVOKE = 'mutation ($id: ID!) { apiKeyRevoke(input: { id: $id }) { apiKey { revoked } } }';
  const pauses = (): AccessPauseService => app.get(AccessPauseService);
  afterEach(() => Promise.all([pauses().resume(carol.userId, 'owner'), pauses().resume(null, 'operator')]));

  let carol: Person;
  let coffee: OAuthApp;
  const operator = (...argv: string[]): Promise<string> => new OperatorCommand(app).run(...argv, '--because', 'a test');
  beforeEach(async () => {
    carol = await fixture.user({ sats: 1_000 });
    coffee = await newOAuthApp(app, { trusted: true });
  });

  const keyOf = async (maker: CredentialHeaders): Promise<{ id: string; key: CredentialHeaders }> => {
    const { made } = await dataOf(app.url, CREATE, {}, maker);
    return { id: made.apiKey.id, key: { 'x-api-key': made.apiKeySecret } };
  };
  const grant = async (): Promise<CredentialHeaders> => ({
    'oauth2-token': (await coffee.connect(carol, { scope: 'read write' })).access_token,
  });
  const ofKey = async (end: (id: string, session: CredentialHeaders) => Promise<unknown>): Promise<Ending> => {
    const session = await fixture.session(carol);
    const { id, key } = await keyOf(session);
    return { credential: key, end: () => end(id, session) };
  };
  const ofApp = async (makesKey: boolean, end: (token: CredentialHeaders) => Promise<unknown>): Promise<Ending> => {
    const token = await grant();
    return { credential: makesKey ? (await keyOf(token)).key : token, end: () => end(token) };
  };

  it.each<[string, () => Promise<Ending>, string?]>([
    ['a key, revoked here', () => ofKey((id, session) => dataOf(app.url, REVOKE, { id }, session))],
    ['a key, revoked by another process', () => ofKey((id, session) => dataOf(closed.url, REVOKE, { id }, session))],
    ['a key of a user who is disabled', () => ofKey(() => operator('user', 'disable', carol.username))],
    [
      'a session that signs out',
      async () => {
        const credential = await fixture.session(carol);
        return { credential, end: () => dataOf(app.url, 'mutation { userLogout { success } }', {}, credential) };
      },
    ],
    ['an app that is disconnected', () => ofApp(false, () => app.get(AppService).revoke(carol.userId, coffee.client.id))],
    ['an app that is suspended', () => ofApp(false, () => operator('client', 'suspend', coffee.client.id))],
    ['a key of an app that is suspended', () => ofApp(true, () => operator('client', 'suspend', coffee.client.id))],
    ['a key of an app whose keys are revoked', () => ofApp(true, () => operator('client', 'revoke-keys', coffee.client.id))],
    ['a key that its owner pauses', () => ofKey(() => pauses().pause(carol.userId, 'owner')), 'ACCESS_PAUSED'],
    ['an app that the operator pauses', () => ofApp(false, () => pauses().pause(null, 'operator')), 'ACCESS_PAUSED'],
  ])('is refused, free: %s', async (_, given, code = 'NOT_AUTHENTICATED') => {
    const { credential, end } = await given();
    const held: ServerResponse[] = [];
    service.behave({ handlers: { '/slow': (_request, response) => void held.push(response) } });
    const input = { walletId: carol.wallets.BTC, lnurl: shop('/slow'), amount: 100 };
    const paying = dataOf(app.url, PAY_LNURL, { input }, credential);
    await eventually(() => held.length === 1);
    await end();
    for (const response of held) response.end(service.offerText());
    expect((await paying).sent).toMatchObject({ status: 'FAILURE', errors: [{ code }], transaction: null });
    expect(service.requests).toHaveLength(2);
    expect((await app.pool.query('SELECT 1 FROM payment WHERE account_id = $1', [carol.accountId])).rows).toEqual([]);
  });
});

describe('lnAddressPaymentSend', () => {
  it('asks the host of the address over TLS', async () => {
    const egress = app.get(EgressClient);
    const request = egress.request.bind(egress);
    const asked: string[] = [];
    // Stands for DNS and TLS of the shop: its certificate is none that this machine trusts.
    jest.spyOn(egress, 'request').mockImplementation((what) => {
      asked.push(what.url);
      return request({ ...what, url: what.url.replace('https://shop.example', service.url) });
    });
    expect(await spent(() => payAddress('Shop.One+tea@Shop.example'))).toBe(100);
    expect(asked[0]).toBe('https://shop.example/.well-known/lnurlp/shop.one+tea');
  });

  it('pays an address of this server inside: no request, no fee, and no memo for the recipient', async () => {
    const host = new URL(app.url).host;
    const memos = await memosOf(alice);
    const paid = await spent(async () =>
      expect(await payAddress(`${alice.username.toUpperCase()}@${host}`)).toMatchObject({
        status: 'SUCCESS',
        transaction: { settlementAmount: -100 },
      }),
    );
    expect(paid).toBe(100);
    expect(await spent(() => payLnurl(lnurlOf(`${app.url}/.well-known/lnurlp/${alice.username}`)))).toBe(100);
    expect(await spent(() => payAddress(`⚡${alice.username}+tips@${host}`))).toBe(100);
    // Also where this machine is no address that a request may go to.
    expect(await spent(() => payLnurl(lnurlOf(`${closed.url}/.well-known/lnurlp/${alice.username}`), 100, closed))).toBe(100);
    expect((await memosOf(alice)).slice(memos.length)).toEqual([null, null, null, null]);
  });

  it.each<[string, () => Promise<unknown>, object]>([
    ['a name that no account has', () => payAddress(`nobody_here@${new URL(app.url).host}`), noInvoice('lnAddress')],
    ['the payer', () => payAddress(`${bob.username}@${new URL(app.url).host}`), { errors: [{ code: 'CANT_PAY_SELF' }] }],
    [
      'more than the balance',
      () => payAddress(`${alice.username}@${new URL(app.url).host}`, 1_000_000),
      { errors: [{ code: 'INSUFFICIENT_BALANCE', path: ['input', 'walletId'] }] },
    ],
    ['text', () => payAddress('alice'), failure('INVALID_INPUT', 'Invalid value for LnAddress', 'lnAddress')],
    ['Tor', () => payAddress('alice@shopshopshop.onion'), failure('INVALID_INPUT', 'Invalid value for LnAddress', 'lnAddress')],
    ['an LNURL', () => payAddress(shop()), failure('INVALID_INPUT', 'Invalid value for LnAddress', 'lnAddress')],
  ])('sends nothing to %s', async (_, call, refusal) => {
    expect(await spent(async () => expect(await call()).toMatchObject(refusal))).toBe(0);
    expect(service.requests).toEqual([]);
  });
});

describe('a repeat with the same Idempotency-Key', () => {
  /** The latest row as a process leaves it that dies between the payment and the storing of its answer. */
  const loseAnswer = (): Promise<unknown> =>
    app.pool.query(
      "UPDATE idempotency SET state = 'running', answer = NULL, claimed_until = now() - interval '1 second' WHERE created_at = (SELECT max(created_at) FROM idempotency)",
    );

  const statusOf = async (paymentHash: string): Promise<unknown> =>
    (await app.pool.query<{ status: string }>('SELECT status FROM transaction WHERE payment_hash = $1', [paymentHash])).rows[0]?.status;

  it('neither requests nor pays a second invoice, though the answer to the first call was lost', async () => {
    const headers = { 'idempotency-key': 'once' };
    expect(await spent(async () => expect(await payLnurl(shop(), 100, app, headers)).toMatchObject({ status: 'SUCCESS' }))).toBe(100);
    const requests = [...service.requests];
    await loseAnswer();
    expect(await spent(async () => expect(await payLnurl(shop(), 100, app, headers)).toMatchObject({ status: 'SUCCESS' }))).toBe(0);
    expect(service.requests).toEqual(requests);
  });

  it('finds the payment in flight, and requests and pays nothing more', async () => {
    const metadata = '[["text/plain","held"]]';
    const held = await fixture.simulator.createOutsideInvoice({
      amountMsat: 100_000n,
      descriptionHash: hashOf(metadata),
      faults: { hold: true, routeFeeMsat: 0n },
    });
    service.behave({ offer: { metadata }, answer: { pr: held.paymentRequest } });
    const headers = { 'idempotency-key': 'held' };
    expect(await payLnurl(shop(), 100, app, headers)).toMatchObject({ status: 'PENDING' });
    const requests = service.requests.length;
    await loseAnswer();
    expect(await spent(async () => expect(await payLnurl(shop(), 100, app, headers)).toMatchObject({ status: 'PENDING' }))).toBe(0);
    expect(service.requests).toHaveLength(requests);
    await fixture.release(held.paymentHash);
    await eventually(async () => (await statusOf(held.paymentHash)) === 'SUCCESS');
  });

  it('requests again after a refusal that held nothing', async () => {
    const headers = { 'idempotency-key': 'again' };
    service.behave({ offer: { tag: 'none' } });
    expect(await payLnurl(shop(), 100, app, headers)).toEqual(noInvoice('lnurl'));
    service.behave();
    expect(await spent(() => payLnurl(shop(), 100, app, headers))).toBe(100);
  });

  it('pays an address of this server once, and leaves one invoice', async () => {
    const carol = await fixture.user();
    const headers = { 'idempotency-key': 'inside' };
    const address = `${carol.username}@${new URL(app.url).host}`;
    expect(await spent(() => payAddress(address, 100, headers))).toBe(100);
    await loseAnswer();
    expect(await spent(() => payAddress(address, 100, headers))).toBe(0);
    expect([await carol.sats(), (await memosOf(carol)).length]).toEqual([100, 1]);
    const { rows } = await app.pool.query<{ payment_request: string }>('SELECT payment_request FROM invoice WHERE wallet_id = $1', [
      carol.wallets.BTC,
    ]);
    expect(rows).toHaveLength(1);
    const decoded = decodeInvoice(rows[0]?.payment_request ?? '');
    expect(decoded.ok && decoded.invoice.descriptionHash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the rate limit of an account', () => {
  it('counts both mutations and all keys together, and refuses before anything is requested', async () => {
    const strict = await createTestApp({ beside: app, env: { THROTTLE_LNURL_PAYMENT: '2/60' } });
    try {
      const input = { walletId: bob.wallets.BTC, amount: 1 };
      const lnurl = { ...input, lnurl: shop() };
      expect((await graphql(strict.url, PAY_LNURL, { input: lnurl }, bob.as('write'))).data?.sent).toMatchObject({ status: 'SUCCESS' });
      expect((await graphql(strict.url, PAY_ADDRESS, { input: { ...input, lnAddress: 'x' } }, bob.as('all'))).data?.sent).toMatchObject({
        status: 'FAILURE',
      });
      service.behave();
      const { data } = await graphql(strict.url, PAY_LNURL, { input: lnurl }, bob.as('write'));
      expect(data?.sent).toMatchObject({ status: null, errors: [{ code: 'TOO_MANY_REQUEST' }] });
      expect(service.requests).toEqual([]);
    } finally {
      await strict.close();
    }
  });
});
