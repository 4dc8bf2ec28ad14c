import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import * as documents from '../../src/client/index.js';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { hashToken } from '../../src/platform/kernel/token.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql, type CredentialHeaders, type GraphQLAnswer } from '../support/graphql.js';
import { post } from '../support/http.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { described } from '../support/root-fields.js';
import { RawSocket, type Frame } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const UNKNOWN_ID = '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f';
const HASH = 'ab'.repeat(32);

/** Each root field with the rule that the SDL says: `public`, `session`, or the scopes of which any one suffices. */
const RULES: ReadonlyMap<string, string> = new Map(
  Object.entries(described()).map(([name, rule]) => [
    name.replace('.', ' ').replace(/^./, (first) => first.toLowerCase()),
    rule.replace(/^scopes /, ''),
  ]),
);

/** Calls that change nothing: nothing that they name exists, so a permitted caller gets another error than a refused one. */
const CALLS: Readonly<Record<string, string>> = {
  'query accountDefaultWallet': 'accountDefaultWallet(username: "nobody_here") { id }',
  'query lnInvoicePaymentStatus': 'lnInvoicePaymentStatus(input: { paymentRequest: "lnbcrt1" }) { status }',
  'query lnInvoicePaymentStatusByHash': `lnInvoicePaymentStatusByHash(input: { paymentHash: "${HASH}" }) { status }`,
  'query lnInvoicePaymentStatusByPaymentRequest': 'lnInvoicePaymentStatusByPaymentRequest(input: { paymentRequest: "lnbcrt1" }) { status }',
  'query userDefaultWalletId': 'userDefaultWalletId(username: "nobody_here")',
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
  'mutation onChainAddressCreate': `onChainAddressCreate(input: { walletId: "${UNKNOWN_ID}" }) { address }`,
  'mutation onChainAddressCurrent': `onChainAddressCurrent(input: { walletId: "${UNKNOWN_ID}" }) { address }`,
  'mutation onChainPaymentSend': `onChainPaymentSend(input: { walletId: "${UNKNOWN_ID}", address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", amount: 1 }) { status }`,
  'mutation onChainPaymentSendAll': `onChainPaymentSendAll(input: { walletId: "${UNKNOWN_ID}", address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080" }) { status }`,
  'mutation onChainUsdPaymentSend': `onChainUsdPaymentSend(input: { walletId: "${UNKNOWN_ID}", address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", amount: 1 }) { status }`,
  'mutation onChainUsdPaymentSendAsBtcDenominated': `onChainUsdPaymentSendAsBtcDenominated(input: { walletId: "${UNKNOWN_ID}", address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080", amount: 1 }) { status }`,
  'mutation userEmailDelete': 'userEmailDelete { errors { code } }',
  'mutation userEmailRegistrationInitiate': 'userEmailRegistrationInitiate(input: { email: "a@b" }) { errors { code } }',
  'mutation userEmailRegistrationValidate': `userEmailRegistrationValidate(input: { emailRegistrationId: "${UNKNOWN_ID}", code: "123456" }) { errors { code } }`,
  'mutation userLogout': 'userLogout { success }',
  'mutation userTotpDelete': 'userTotpDelete { errors { code } }',
  'mutation userTotpRegistrationInitiate': 'userTotpRegistrationInitiate { errors { code } }',
  'mutation userTotpRegistrationValidate':
    'userTotpRegistrationValidate(input: { totpRegistrationId: "unknown", totpCode: "000000" }) { errors { code } }',
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
const FIELDS = [...RULES.keys()];
const CLIENT = join(__dirname, '../../src/client');
const EXAMPLES = JSON.parse(readFileSync(join(CLIENT, 'examples.json'), 'utf8')) as Readonly<Record<string, { variables: Variables }>>;
type Variables = Readonly<Record<string, unknown>>;

/** The names of the client's operations, by their fields. */
const OPERATIONS: ReadonlyMap<string, string> = new Map(
  parse(readFileSync(join(CLIENT, 'operations.graphql'), 'utf8')).definitions.flatMap((each): [string, string][] => {
    if (each.kind !== 'OperationDefinition') return [];
    const [field] = each.selectionSet.selections;
    return [[`${each.operation} ${field?.kind === 'Field' ? field.name.value : ''}`, each.name?.value ?? '']];
  }),
);

/** A field without a call of its own is called as its example does. */
function callOf(field: string): { readonly query: string; readonly variables: Variables } {
  const [kind = ''] = field.split(' ');
  if (CALLS[field] !== undefined) return { query: `${kind} { ${CALLS[field]} }`, variables: {} };
  const name = OPERATIONS.get(field) ?? '';
  const document = (documents as unknown as Readonly<Record<string, { toString(): string }>>)[`${name}Document`];
  return { query: document?.toString() ?? '', variables: EXAMPLES[name]?.variables ?? {} };
}

const REFUSALS: ReadonlySet<unknown> = new Set(['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'INSUFFICIENT_SCOPE']);
const SCOPES = { read: ['read'], receive: ['receive'], write: ['write'], all: ['read', 'receive', 'write'] } as const;
type KeyName = keyof typeof SCOPES;
const KEYS = Object.keys(SCOPES) as KeyName[];
const BARE = ['openid', 'offline'] as const;
type Bare = (typeof BARE)[number];
/** For a session, or an app that manages keys and webhooks: the operator trusts it, it may send money, and the person ticked its box. */
const OF_KEYS = 'session or trusted app';
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

  it('has a call for every root field that exists, and for none that does not', () => {
    expect(FIELDS.length).toBeGreaterThan(40);
    expect(Object.keys(CALLS).filter((name) => !FIELDS.includes(name))).toEqual([]);
    expect(FIELDS.filter((name) => CALLS[name] === undefined && !OPERATIONS.has(name))).toEqual([]);
  });

  /** The refusal for lack of rights that a call receives, if any. */
  const refusalOf = async (field: string, credential: CredentialHeaders): Promise<Refusal | undefined> => {
    const [kind = ''] = field.split(' ');
    const { query, variables } = callOf(field);
    const errors =
      kind === 'subscription'
        ? await errorsOverSocket(query, variables, credential)
        : (await graphql(app.url, query, variables, credential)).errors;
    return (errors as readonly Refusal[] | undefined)?.find(({ extensions }) => REFUSALS.has(extensions['code']));
  };
  const errorsOverSocket = async (query: string, variables: Variables, credential: CredentialHeaders): Promise<unknown> => {
    const raw = await RawSocket.admitted(app.url, credential);
    raw.subscribe('1', query, variables);
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
    if (rule.startsWith('session')) return { message: 'Not authorized', extensions: { code: 'NOT_AUTHORIZED' } };
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
    // A recent sign-in would delete the account.
    if (name === 'mutation accountDelete') await app.pool.query(`UPDATE session SET factor_at = now() - interval '1 hour'`);
    const callers: (readonly [who: string, credential: CredentialHeaders, refusal: object | undefined])[] = [
      ['an anonymous caller', {}, expected(rule, 'anonymous', [], acts)],
      ['a session', own, expected(rule, 'session', [], acts)],
      ...KEYS.flatMap((key) => [
        [`a key with ${key}`, alice.as(key), scoped(SCOPES[key])] as const,
        [`an app with ${key}`, tokens[key], scoped(SCOPES[key])] as const,
        [`a trusted app with ${key}`, trusted[key], rule === OF_KEYS && managesKeys(key) ? undefined : scoped(SCOPES[key])] as const,
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
        if (kind !== 'subscription') expect((await post(`${app.url}/graphql`, callOf(name), credential)).status).toBe(401);
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
