import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { hashToken } from '../../src/platform/kernel/token.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql, type CredentialHeaders, type GraphQLAnswer } from '../support/graphql.js';
import { post } from '../support/http.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { RawSocket, type Frame } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const UNKNOWN_ID = '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f';
const HASH = 'ab'.repeat(32);

/** The root fields by the scopes of which any one suffices, or by the permitted callers: lines of one kind. A field without a place here fails. */
const MAY = {
  public: `
    query accountDefaultWallet btcPriceList currencyConversionEstimation currencyList globals lnInvoicePaymentStatus
    query lnInvoicePaymentStatusByHash lnInvoicePaymentStatusByPaymentRequest realtimePrice userDefaultWalletId
    query usernameAvailable
    mutation lnInvoiceCreateOnBehalfOfRecipient lnNoAmountInvoiceCreateOnBehalfOfRecipient
    mutation lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient lnUsdInvoiceCreateOnBehalfOfRecipient
    subscription lnInvoicePaymentStatus lnInvoicePaymentStatusByHash lnInvoicePaymentStatusByPaymentRequest
    subscription price realtimePrice`,
  'any credential': 'query authorization',
  read: `
    query me
    subscription myUpdates`,
  write: `
    mutation accountUpdateDefaultWalletId accountUpdateDisplayCurrency intraLedgerPaymentSend
    mutation intraLedgerUsdPaymentSend lnAddressPaymentSend lnInvoicePaymentSend lnNoAmountInvoicePaymentSend
    mutation lnNoAmountUsdInvoicePaymentSend lnurlPaymentSend userUpdateLanguage userUpdateUsername`,
  'a session': `
    mutation apiKeyCreate callbackDeliveryReplay callbackEndpointAdd callbackEndpointDelete apiKeyRemoveLimit
    mutation apiKeyRevoke apiKeySetLimit userLogout`,
  'receive write': 'mutation lnInvoiceCancel lnInvoiceCreate lnNoAmountInvoiceCreate lnUsdInvoiceCreate',
  'read write': 'mutation lnInvoiceFeeProbe lnNoAmountInvoiceFeeProbe lnNoAmountUsdInvoiceFeeProbe lnUsdInvoiceFeeProbe',
} as const;
type Rule = keyof typeof MAY;
const RULES: ReadonlyMap<string, Rule> = new Map(
  (Object.keys(MAY) as Rule[]).flatMap((rule) =>
    MAY[rule]
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [kind = '', ...names] = line.trim().split(' ');
        return names.map((name): [string, Rule] => [`${kind} ${name}`, rule]);
      }),
  ),
);

/** A call of each field. Nothing that it names exists, so a permitted caller gets another error than a refused one. */
const CALLS = {
  'query accountDefaultWallet': 'accountDefaultWallet(username: "nobody_here") { id }',
  'query btcPriceList': 'btcPriceList(range: ONE_DAY) { timestamp }',
  'query currencyConversionEstimation': 'currencyConversionEstimation(amount: 1, currency: "USD") { btcSatAmount }',
  'query currencyList': 'currencyList { id }',
  'query globals': 'globals { network }',
  'query lnInvoicePaymentStatus': 'lnInvoicePaymentStatus(input: { paymentRequest: "lnbcrt1" }) { status }',
  'query lnInvoicePaymentStatusByHash': `lnInvoicePaymentStatusByHash(input: { paymentHash: "${HASH}" }) { status }`,
  'query lnInvoicePaymentStatusByPaymentRequest': 'lnInvoicePaymentStatusByPaymentRequest(input: { paymentRequest: "lnbcrt1" }) { status }',
  'query realtimePrice': 'realtimePrice { id }',
  'query userDefaultWalletId': 'userDefaultWalletId(username: "nobody_here")',
  'query usernameAvailable': 'usernameAvailable(username: "free_name")',
  'query authorization': 'authorization { scopes }',
  'query me': 'me { id defaultAccount { wallets { balance } } }',
  'mutation accountUpdateDefaultWalletId': `accountUpdateDefaultWalletId(input: { walletId: "${UNKNOWN_ID}" }) { errors { code } }`,
  'mutation accountUpdateDisplayCurrency': 'accountUpdateDisplayCurrency(input: { currency: "XYZ" }) { errors { code } }',
  'mutation apiKeyCreate': 'apiKeyCreate(input: { name: "" }) { apiKeySecret }',
  'mutation callbackDeliveryReplay': 'callbackDeliveryReplay(input: { id: "d_1" }) { errors { code } }',
  'mutation callbackEndpointAdd': 'callbackEndpointAdd(input: { url: "https://203.0.113.1/hook" }) { errors { code } }',
  'mutation callbackEndpointDelete': 'callbackEndpointDelete(input: { id: "ep_1" }) { errors { code } }',
  'mutation apiKeyRemoveLimit': `apiKeyRemoveLimit(input: { id: "${UNKNOWN_ID}", limitTimeWindow: DAILY }) { apiKey { id } }`,
  'mutation apiKeySetLimit': `apiKeySetLimit(input: { id: "${UNKNOWN_ID}", limitTimeWindow: DAILY, limitSats: 1 }) { apiKey { id } }`,
  'mutation apiKeyRevoke': `apiKeyRevoke(input: { id: "${UNKNOWN_ID}" }) { apiKey { id } }`,
  'mutation intraLedgerUsdPaymentSend': `intraLedgerUsdPaymentSend(input: { walletId: "${UNKNOWN_ID}", recipientWalletId: "${UNKNOWN_ID}", amount: 1 }) { status }`,
  'mutation intraLedgerPaymentSend': `intraLedgerPaymentSend(input: { walletId: "${UNKNOWN_ID}", recipientWalletId: "${UNKNOWN_ID}", amount: 1 }) { status }`,
  'mutation lnAddressPaymentSend': `lnAddressPaymentSend(input: { walletId: "${UNKNOWN_ID}", lnAddress: "alice@localhost", amount: 1 }) { status }`,
  'mutation lnInvoiceCancel': `lnInvoiceCancel(input: { walletId: "${UNKNOWN_ID}", paymentHash: "${HASH}" }) { success }`,
  'mutation lnInvoiceCreate': `lnInvoiceCreate(input: { walletId: "${UNKNOWN_ID}", amount: 1 }) { invoice { paymentHash } }`,
  'mutation lnInvoiceCreateOnBehalfOfRecipient': `lnInvoiceCreateOnBehalfOfRecipient(input: { recipientWalletId: "${UNKNOWN_ID}", amount: 1 }) { invoice { paymentHash } }`,
  'mutation lnInvoiceFeeProbe': `lnInvoiceFeeProbe(input: { walletId: "${UNKNOWN_ID}", paymentRequest: "lnbcrt1" }) { amount }`,
  'mutation lnInvoicePaymentSend': `lnInvoicePaymentSend(input: { walletId: "${UNKNOWN_ID}", paymentRequest: "lnbcrt1" }) { status }`,
  'mutation lnNoAmountInvoiceCreate': `lnNoAmountInvoiceCreate(input: { walletId: "${UNKNOWN_ID}" }) { invoice { paymentHash } }`,
  'mutation lnNoAmountInvoiceCreateOnBehalfOfRecipient': `lnNoAmountInvoiceCreateOnBehalfOfRecipient(input: { recipientWalletId: "${UNKNOWN_ID}" }) { invoice { paymentHash } }`,
  'mutation lnNoAmountInvoiceFeeProbe': `lnNoAmountInvoiceFeeProbe(input: { walletId: "${UNKNOWN_ID}", paymentRequest: "lnbcrt1", amount: 1 }) { amount }`,
  'mutation lnNoAmountUsdInvoiceFeeProbe': `lnNoAmountUsdInvoiceFeeProbe(input: { walletId: "${UNKNOWN_ID}", paymentRequest: "lnbcrt1", amount: 1 }) { amount }`,
  'mutation lnNoAmountUsdInvoicePaymentSend': `lnNoAmountUsdInvoicePaymentSend(input: { walletId: "${UNKNOWN_ID}", paymentRequest: "lnbcrt1", amount: 1 }) { status }`,
  'mutation lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient': `lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient(input: { recipientWalletId: "${UNKNOWN_ID}", amount: 1 }) { invoice { paymentHash } }`,
  'mutation lnUsdInvoiceCreate': `lnUsdInvoiceCreate(input: { walletId: "${UNKNOWN_ID}", amount: 1 }) { invoice { paymentHash } }`,
  'mutation lnUsdInvoiceCreateOnBehalfOfRecipient': `lnUsdInvoiceCreateOnBehalfOfRecipient(input: { recipientWalletId: "${UNKNOWN_ID}", amount: 1 }) { invoice { paymentHash } }`,
  'mutation lnUsdInvoiceFeeProbe': `lnUsdInvoiceFeeProbe(input: { walletId: "${UNKNOWN_ID}", paymentRequest: "lnbcrt1" }) { amount }`,
  'mutation lnNoAmountInvoicePaymentSend': `lnNoAmountInvoicePaymentSend(input: { walletId: "${UNKNOWN_ID}", paymentRequest: "lnbcrt1", amount: 1 }) { status }`,
  'mutation lnurlPaymentSend': `lnurlPaymentSend(input: { walletId: "${UNKNOWN_ID}", lnurl: "lnurlp://localhost/pay", amount: 1 }) { status }`,
  'mutation userLogout': 'userLogout { success }',
  'mutation userUpdateLanguage': 'userUpdateLanguage(input: { language: "qq" }) { errors { code } }',
  'mutation userUpdateUsername': 'userUpdateUsername(input: { username: "free_name" }) { errors { code } }',
  'subscription lnInvoicePaymentStatus': 'lnInvoicePaymentStatus(input: { paymentRequest: "lnbcrt1" }) { status }',
  'subscription lnInvoicePaymentStatusByHash': `lnInvoicePaymentStatusByHash(input: { paymentHash: "${HASH}" }) { status }`,
  'subscription lnInvoicePaymentStatusByPaymentRequest':
    'lnInvoicePaymentStatusByPaymentRequest(input: { paymentRequest: "lnbcrt1" }) { status }',
  'subscription myUpdates': 'myUpdates { errors { message } }',
  'subscription price': 'price(input: { amount: 1, amountCurrencyUnit: USDCENT, priceCurrencyUnit: USDCENT }) { errors { message } }',
  'subscription realtimePrice': 'realtimePrice(input: { currency: "XYZ" }) { errors { message } }',
};
type Field = keyof typeof CALLS;
const FIELDS = Object.keys(CALLS) as Field[];
const REFUSALS: ReadonlySet<unknown> = new Set(['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'INSUFFICIENT_SCOPE']);
const SCOPES = { read: ['read'], receive: ['receive'], write: ['write'], all: ['read', 'receive', 'write'] } as const;
type KeyName = keyof typeof SCOPES;
const KEYS = Object.keys(SCOPES) as KeyName[];
const BARE = ['openid', 'offline'] as const;
type Bare = (typeof BARE)[number];
/** Fields for a session, or an app that manages keys and webhooks: the operator trusts it, it may send money, and the person ticked its box. */
const OF_KEYS: ReadonlySet<Field> = new Set<Field>([
  'mutation apiKeyCreate',
  'mutation apiKeyRemoveLimit',
  'mutation apiKeyRevoke',
  'mutation apiKeySetLimit',
  'mutation callbackEndpointAdd',
  'mutation callbackEndpointDelete',
]);

const managesKeys = (key: KeyName): boolean => SCOPES[key].some((scope) => scope === 'write');

interface Refusal {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

describe('access to root fields', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let session: CredentialHeaders;
  const tokens = {} as Record<KeyName, CredentialHeaders>;
  /** Apps that have only one scope that permits no field. */
  const bare = {} as Record<Bare, CredentialHeaders>;
  /** A first-party app that the operator trusts with keys, by the scopes that its person granted. */
  const trusted = {} as Record<KeyName, CredentialHeaders>;

  beforeAll(async () => {
    app = await createTestApp({ env: { SOCKETS_PER_ADDRESS: '1000' } });
    fixture = new Fixture(app);
    alice = await fixture.user();
    session = await fixture.session(alice);
    const [oauth, firstParty] = [await newOAuthApp(app), await newOAuthApp(app, { trusted: true })];
    const tokenOf = async (by: OAuthApp, scope: string): Promise<CredentialHeaders> => ({
      'oauth2-token': (await by.connect(alice, { scope })).access_token,
    });
    for (const name of KEYS) {
      tokens[name] = await tokenOf(oauth, SCOPES[name].join(' '));
      trusted[name] = await tokenOf(firstParty, SCOPES[name].join(' '));
    }
    for (const scope of BARE) bare[scope] = await tokenOf(oauth, scope);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('has a row for every root field that exists, and for none that does not', () => {
    const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));
    const fieldsOf = (kind: string, type: GraphQLObjectType | null | undefined): string[] =>
      Object.keys(type?.getFields() ?? {}).map((name) => `${kind} ${name}`);
    const fields = [
      ...fieldsOf('query', schema.getQueryType()),
      ...fieldsOf('mutation', schema.getMutationType()),
      ...fieldsOf('subscription', schema.getSubscriptionType()),
    ];
    expect([[...RULES.keys()].sort(), [...FIELDS].sort()]).toEqual([fields.sort(), fields]);
  });

  /** The refusal for lack of rights that a call receives, if any. */
  const refusalOf = async (field: Field, credential: CredentialHeaders): Promise<Refusal | undefined> => {
    const [kind = ''] = field.split(' ');
    const document = `${kind} { ${CALLS[field]} }`;
    const errors =
      kind === 'subscription' ? await errorsOverSocket(document, credential) : (await graphql(app.url, document, {}, credential)).errors;
    return (errors as readonly Refusal[] | undefined)?.find(({ extensions }) => REFUSALS.has(extensions['code']));
  };
  const errorsOverSocket = async (query: string, credential: CredentialHeaders): Promise<unknown> => {
    const raw = await RawSocket.admitted(app.url, credential);
    raw.subscribe('1', query);
    const told = (): Frame | undefined => raw.frames.find(({ id }) => id === '1');
    // `myUpdates` sends a permitted subscriber nothing until something happens: so a payment arrives for them.
    await eventually(async () => {
      if (!told() && query.includes('myUpdates')) await fixture.simulator.payOutside((await alice.invoice(1)).paymentRequest);
      return told();
    });
    const frame = told();
    await raw.leave();
    return frame?.type === 'error' ? frame.payload : frame?.payload?.errors;
  };
  const expected = (
    rule: string,
    kind: 'anonymous' | 'session' | 'scoped',
    scopes: readonly string[],
    acts: boolean,
  ): object | undefined => {
    if (rule === 'public') return undefined;
    if (kind === 'anonymous') return { message: 'Not authorized', extensions: { code: 'NOT_AUTHENTICATED' } };
    if (rule === 'any credential' || kind === 'session') return undefined;
    if (rule === 'a session') return { message: 'Not authorized', extensions: { code: 'NOT_AUTHORIZED' } };
    if (rule.split(' ').some((scope) => scopes.includes(scope))) return undefined;
    return {
      message: acts ? 'not authorized to execute mutations' : 'not authorized to read data',
      extensions: { code: 'INSUFFICIENT_SCOPE', scope: rule },
    };
  };

  it.each(FIELDS)('%s has its rule for every kind of caller', async (name) => {
    const acts = name.startsWith('mutation');
    const rule = RULES.get(name) ?? '';
    const scoped = (scopes: readonly string[]): object | undefined => expected(rule, 'scoped', scopes, acts);
    // A logout ends its session.
    const own = name === 'mutation userLogout' ? await fixture.session(alice) : session;
    const callers: (readonly [who: string, credential: CredentialHeaders, refusal: object | undefined])[] = [
      ['an anonymous caller', {}, expected(rule, 'anonymous', [], acts)],
      ['a session', own, expected(rule, 'session', [], acts)],
      ...KEYS.flatMap((key) => [
        [`a key with ${key}`, alice.as(key), scoped(SCOPES[key])] as const,
        [`an app with ${key}`, tokens[key], scoped(SCOPES[key])] as const,
        [`a trusted app with ${key}`, trusted[key], OF_KEYS.has(name) && managesKeys(key) ? undefined : scoped(SCOPES[key])] as const,
      ]),
      ...BARE.map((scope) => [`an app with ${scope} alone`, bare[scope], scoped([])] as const),
    ];
    for (const [who, credential, refusal] of callers) {
      const met = await refusalOf(name, credential);
      if (refusal) expect({ who, met }).toMatchObject({ who, met: refusal });
      else expect({ who, met }).toEqual({ who, met: undefined });
    }
  });

  it.each(['revoked', 'expired'] as const)(
    'a key that was %s gets 401 for every field, public ones too, and 4401 on a socket',
    async (how) => {
      const made = await app
        .get(ApiKeyService)
        .create({ userId: alice.userId, name: 'ended', scopes: ['read', 'receive', 'write'], expireInDays: 1 });
      if (made.kind !== 'created') throw new Error('The key was not created');
      if (how === 'revoked') await app.get(ApiKeyService).revoke(alice.userId, made.apiKey.id);
      else await new TimeTravel(app).apiKeyEndsIn(hashToken(made.secret), -1_000);
      const credential = { 'x-api-key': made.secret };
      for (const name of FIELDS) {
        const [kind = ''] = name.split(' ');
        if (kind !== 'subscription')
          expect((await post(`${app.url}/graphql`, { query: `${kind} { ${CALLS[name]} }` }, credential)).status).toBe(401);
      }
      const raw = await RawSocket.open(app.url);
      raw.send({ type: 'connection_init', payload: credential });
      expect((await raw.closed).code).toBe(4401);
    },
  );

  it('an app that is trusted with keys creates none with more scopes than its own, and revokes any of the person’s', async () => {
    const create = (scopes: string): Promise<GraphQLAnswer<Record<string, unknown>>> =>
      graphql(
        app.url,
        `mutation { apiKeyCreate(input: { name: "of an app", scopes: ${scopes} }) { apiKeySecret apiKey { id scopes } } }`,
        {},
        trusted.write,
      );
    for (const more of ['[READ]', '[WRITE, READ]'])
      expect((await create(more)).errors).toMatchObject([
        { message: 'scopes must contain only: receive, write', extensions: { code: 'INVALID_INPUT' } },
      ]);
    const { data } = await create('[WRITE]');
    const made = data?.['apiKeyCreate'] as { apiKeySecret: string; apiKey: { id: string; scopes: string[] } };
    expect(made.apiKey.scopes).toEqual(['WRITE']);
    expect((await graphql(app.url, '{ me { id } }', {}, { 'x-api-key': made.apiKeySecret })).errors).toMatchObject([
      { extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } },
    ]);
    const revoke = `mutation { apiKeyRevoke(input: { id: "${made.apiKey.id}" }) { apiKey { revoked } } }`;
    expect((await graphql(app.url, revoke, {}, tokens.write)).errors).toMatchObject([{ extensions: { code: 'NOT_AUTHORIZED' } }]);
    expect((await graphql(app.url, revoke, {}, trusted.write)).data).toEqual({ apiKeyRevoke: { apiKey: { revoked: true } } });
  });

  it('a key without a scope cannot be created', async () => {
    const made = await app.get(ApiKeyService).create({ userId: alice.userId, name: 'nothing', scopes: [], expireInDays: null });
    expect(made.kind).toBe('invalid');
    const { errors } = await graphql(
      app.url,
      'mutation { apiKeyCreate(input: { name: "nothing", scopes: [] }) { apiKeySecret } }',
      {},
      session,
    );
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
  });

  it('a key with write alone does not see the account', async () => {
    const { errors } = await graphql(app.url, '{ me { id } authorization { scopes } }', {}, alice.as('write'));
    expect(errors).toMatchObject([{ path: ['me'], extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }]);
  });
});
