import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'graphql';
import { WebSocket } from 'ws';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import * as documents from '../../src/client/index.js';
import { createClient, type Client, type TypedDocument } from '../../src/client/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { Payouts } from '../support/payouts.js';
import type { KeyName } from '../support/wallet-client.js';

const CLIENT = join(__dirname, '../../src/client');
const RECORDED = join(CLIENT, 'examples.json');
/** `npm run generate` sets it: then the variables and answers that docs/reference/operations.md shows are written. */
const RECORDS = process.env['EXAMPLES'] === '1';

/** An example as docs/reference/operations.md shows it. */
interface Example {
  readonly variables: object;
  readonly answer: { readonly data: unknown };
}

interface Run {
  /** The credential: a key with these scopes, a session, or none. */
  readonly as: KeyName | 'session' | 'anyone';
  readonly variables?: () => object | Promise<object>;
  /** The caller, Alice by default. */
  readonly person?: () => Person;
  /** What happens while the subscription waits for its first event. */
  readonly meanwhile?: () => Promise<unknown>;
}

const documentOf = (name: string): TypedDocument<unknown, object> =>
  (documents as unknown as Readonly<Record<string, TypedDocument<unknown, object>>>)[`${name}Document`] as TypedDocument<unknown, object>;

/** What differs from run to run, replaced by what it is. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'a UUID'],
  [/^[0-9a-f]{64}$/, '32 bytes'],
  [/^0[23][0-9a-f]{64}$/, 'a public key'],
  [/^lnbcrt[0-9a-z]+…$/, 'an invoice'],
  [/^sluice_\w+…$/, 'a key'],
  [/^whsec_[\w+/]+…$/, 'a signing secret'],
  [/^[A-Za-z0-9_-]{20,}$/, 'a cursor'],
];

/** Invoices and secrets, which the document shows by their beginnings. */
const LONG = /\b(lnbcrt[0-9a-z]{18}|sluice_\w{10}|whsec_[\w+/]{10})[\w+/=]+/g;

function kindOf(value: unknown): unknown {
  // A list of prices may have got another one since.
  if (Array.isArray(value)) return [...new Set(value.map((each) => JSON.stringify(kindOf(each))))];
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, kindOf(each)]));
  if (typeof value === 'number' && value > 1_600_000_000) return 'a time';
  return KINDS.find(([pattern]) => typeof value === 'string' && pattern.test(value))?.[1] ?? value;
}

/** What is recorded, with what has changed since: ids and times of another run are no change. */
function updated(before: unknown, now: unknown): unknown {
  if (isDeepStrictEqual(kindOf(before), kindOf(now))) return before;
  if (typeof now !== 'object' || now === null || typeof before !== 'object' || before === null) return now;
  const old = before as Readonly<Record<string, unknown>>;
  if (Array.isArray(now)) return now.map((each, index) => updated(old[index], each));
  return Object.fromEntries(Object.entries(now).map(([name, each]) => [name, updated(old[name], each)]));
}

/** Of the outside. */
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

describe('a recorded example', () => {
  const recorded = {
    variables: { id: 'a0000000-0000-4000-8000-000000000001' },
    answer: { data: { rows: [{ at: 1_700_000_000, sats: 1 }] } },
  };
  const of = (row: object): object => ({
    variables: { id: 'b0000000-0000-4000-8000-000000000002' },
    answer: { data: { rows: [{ at: 1_800_000_000, ...row }] } },
  });

  it('stays as it is when another run differs in ids and times alone', () => expect(updated(recorded, of({ sats: 1 }))).toBe(recorded));

  it('changes where its answer does, and nowhere else', () => {
    const rows = [{ at: 1_700_000_000, sats: 2, memo: null }];
    expect(updated(recorded, of({ sats: 2, memo: null }))).toEqual({ ...recorded, answer: { data: { rows } } });
  });
});

describe('the examples of docs/reference/operations.md', () => {
  const recorded = (existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : {}) as Readonly<Record<string, Example>>;
  const made: Record<string, Example> = {};
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  /** Pays bitcoin addresses; what is held of alice's money would change her other examples. */
  let erin: Person;
  let session: string;
  let endpointId: string;
  const clients: Client[] = [];
  const clientAs = (as: Run['as'], token = session, person = alice): Client => {
    const credential = as === 'anyone' ? {} : as === 'session' ? { session: token } : { apiKey: person.keys[as] };
    const client = createClient({ url: app.url, webSocket: WebSocket, ...credential });
    clients.push(client);
    return client;
  };
  const newSession = async (): Promise<string> => String((await fixture.session(alice)).authorization).replace('Bearer ', '');
  const open = async (): Promise<string> =>
    (await fixture.simulator.createOutsideInvoice({ amountMsat: null, memo: 'a tip' })).paymentRequest;
  const domain = (): string => new URL(app.url).host;
  const wallet = (): { walletId: string } => ({ walletId: alice.wallets.BTC });
  const usdWallet = (): { walletId: string } => ({ walletId: alice.wallets.USD });

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    alice = await fixture.user({ username: 'alice', sats: 100_000 });
    bob = await fixture.user({ username: 'bob' });
    carol = await fixture.user({ username: 'carol', sats: 5_000 });
    erin = await fixture.user({ username: 'erin', sats: 400_000 });
    await new Payouts(app).fund(5_000_000);
    session = await newSession();
    await clientAs('write', session, erin).request(documents.IntraLedgerPaymentSendDocument, {
      input: { walletId: erin.wallets.BTC, recipientWalletId: erin.wallets.USD, amount: 200_000 },
    });
    await clientAs('write').request(documents.IntraLedgerPaymentSendDocument, {
      input: { ...wallet(), recipientWalletId: alice.wallets.USD, amount: 20_000 },
    });
    const till = (await app.get(ApiKeyService).listInUse(alice.userId)).find(({ name }) => name === 'receive');
    await app.get(ApiKeyService).changeLimits(alice.userId, till?.id ?? '', { daily: 10_000 });
    const { callbackEndpointAdd } = await clientAs('session').request(documents.CallbackEndpointAddDocument, {
      input: { url: 'https://shop.example/hooks/old' },
    });
    endpointId = callbackEndpointAdd.id ?? '';
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(async () => {
    for (const client of clients) client.close();
    await app.close();
    // An operation that has failed keeps its example, and one that is gone loses it.
    const kept = Object.keys(RUNS).flatMap((name) =>
      made[name] || recorded[name] ? [[name, updated(recorded[name], made[name] ?? recorded[name])]] : [],
    );
    if (RECORDS) writeFileSync(RECORDED, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
  });

  const paidInvoice = async (): Promise<{ paymentRequest: string; paymentHash: string }> => {
    const invoice = await bob.invoice(210, 'Cake');
    await alice.pay(invoice.paymentRequest);
    return invoice;
  };
  const byHash = async (): Promise<object> => ({ input: { paymentHash: (await paidInvoice()).paymentHash } });
  const byRequest = async (): Promise<object> => ({ input: { paymentRequest: (await paidInvoice()).paymentRequest } });
  /** It has ended, because its endpoint was full. */
  const failedDelivery = async (): Promise<string> => {
    const MORE = 'UPDATE webhook_endpoint SET waiting = waiting + $2 WHERE id = $1';
    const LATEST = `SELECT id FROM webhook_delivery WHERE endpoint_id = $1 AND last_error = 'queue_full'`;
    await app.pool.query(MORE, [endpointId, 10_000]);
    await fixture.fund(alice, 21);
    const id = await eventually(async () => (await app.pool.query<{ id: string }>(LATEST, [endpointId])).rows[0]?.id);
    await app.pool.query(MORE, [endpointId, -10_000]);
    return id;
  };
  const newKey = async (): Promise<{ input: { id: string } }> => {
    const input = { name: 'an old shop' };
    const { apiKeyCreate } = await clientAs('session').request(documents.ApiKeyCreateDocument, { input });
    return { input: { id: apiKeyCreate.apiKey.id } };
  };

  const RUNS: Readonly<Record<string, Run>> = {
    AccountDefaultWallet: { as: 'anyone', variables: () => ({ username: 'alice' }) },
    Authorization: { as: 'receive' },
    BtcPriceList: { as: 'anyone', variables: () => ({ range: 'ONE_DAY' }) },
    CurrencyConversionEstimation: { as: 'anyone', variables: () => ({ amount: 1.5, currency: 'USD' }) },
    CurrencyList: { as: 'anyone' },
    Globals: { as: 'anyone' },
    LnInvoicePaymentStatus: { as: 'anyone', variables: byRequest },
    LnInvoicePaymentStatusByHash: { as: 'anyone', variables: byHash },
    LnInvoicePaymentStatusByPaymentRequest: { as: 'anyone', variables: byRequest },
    Me: { as: 'read', person: () => carol, variables: () => ({ first: 1 }) },
    RealtimePrice: { as: 'anyone', variables: () => ({ currency: 'USD' }) },
    UserDefaultWalletId: { as: 'anyone', variables: () => ({ username: 'alice' }) },
    UsernameAvailable: { as: 'anyone', variables: () => ({ username: 'dave' }) },
    AccountUpdateDefaultWalletId: { as: 'all', variables: () => ({ input: wallet() }) },
    AccountUpdateDisplayCurrency: { as: 'all', variables: () => ({ input: { currency: 'USD' } }) },
    ApiKeyCreate: { as: 'session', variables: () => ({ input: { name: 'shop', scopes: ['READ', 'RECEIVE'], expireInDays: 90 } }) },
    ApiKeyRemoveLimit: { as: 'session', variables: async () => ({ input: { ...(await newKey()).input, limitTimeWindow: 'DAILY' } }) },
    ApiKeyRevoke: { as: 'session', variables: newKey },
    ApiKeySetLimit: {
      as: 'session',
      variables: async () => ({ input: { ...(await newKey()).input, limitTimeWindow: 'DAILY', limitSats: 10_000 } }),
    },
    CallbackDeliveryReplay: { as: 'session', variables: async () => ({ input: { id: await failedDelivery() } }) },
    CallbackEndpointAdd: { as: 'session', variables: () => ({ input: { url: 'https://shop.example/hooks' } }) },
    CallbackEndpointDelete: { as: 'session', variables: () => ({ input: { id: endpointId } }) },
    IntraLedgerPaymentSend: {
      as: 'write',
      variables: () => ({ input: { ...wallet(), recipientWalletId: bob.wallets.BTC, amount: 50, memo: 'Lunch' } }),
    },
    IntraLedgerUsdPaymentSend: {
      as: 'write',
      variables: () => ({ input: { ...usdWallet(), recipientWalletId: bob.wallets.USD, amount: 150, memo: 'Lunch' } }),
    },
    LnAddressPaymentSend: { as: 'write', variables: () => ({ input: { ...wallet(), lnAddress: `bob@${domain()}`, amount: 21 } }) },
    LnInvoiceCancel: {
      as: 'receive',
      variables: async () => ({ input: { ...wallet(), paymentHash: (await alice.invoice(500)).paymentHash } }),
    },
    LnInvoiceCreate: {
      as: 'receive',
      variables: () => ({ input: { ...wallet(), amount: 1_000, memo: 'Tea', externalId: 'order-17', expiresIn: 60 } }),
    },
    LnInvoiceCreateOnBehalfOfRecipient: {
      as: 'anyone',
      variables: () => ({ input: { recipientWalletId: alice.wallets.BTC, amount: 1_000, memo: 'Tea' } }),
    },
    LnInvoiceFeeProbe: {
      as: 'read',
      variables: async () => ({ input: { ...wallet(), paymentRequest: (await fixture.outside(2_000)).paymentRequest } }),
    },
    LnInvoicePaymentSend: {
      as: 'write',
      variables: async () => ({
        input: { ...wallet(), paymentRequest: (await bob.invoice(120, 'Coffee')).paymentRequest, memo: 'Coffee' },
      }),
    },
    LnNoAmountInvoiceCreate: { as: 'receive', variables: () => ({ input: { ...wallet(), memo: 'Donations' } }) },
    LnNoAmountInvoiceCreateOnBehalfOfRecipient: {
      as: 'anyone',
      variables: () => ({ input: { recipientWalletId: alice.wallets.BTC, memo: 'Donations' } }),
    },
    LnNoAmountInvoiceFeeProbe: {
      as: 'read',
      variables: async () => ({ input: { ...wallet(), paymentRequest: await open(), amount: 300 } }),
    },
    LnNoAmountInvoicePaymentSend: {
      as: 'write',
      variables: async () => ({ input: { ...wallet(), paymentRequest: await open(), amount: 300, memo: 'A tip' } }),
    },
    LnNoAmountUsdInvoiceFeeProbe: {
      as: 'read',
      variables: async () => ({ input: { ...usdWallet(), paymentRequest: await open(), amount: 20 } }),
    },
    LnNoAmountUsdInvoicePaymentSend: {
      as: 'write',
      variables: async () => ({ input: { ...usdWallet(), paymentRequest: await open(), amount: 20, memo: 'A tip' } }),
    },
    LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient: {
      as: 'anyone',
      variables: () => ({ input: { recipientWalletId: alice.wallets.USD, amount: 1_000, memo: 'Tea' } }),
    },
    LnUsdInvoiceCreate: { as: 'receive', variables: () => ({ input: { ...usdWallet(), amount: 250, memo: 'Tea' } }) },
    LnUsdInvoiceCreateOnBehalfOfRecipient: {
      as: 'anyone',
      variables: () => ({ input: { recipientWalletId: alice.wallets.USD, amount: 250, memo: 'Tea' } }),
    },
    LnUsdInvoiceFeeProbe: {
      as: 'read',
      variables: async () => ({ input: { ...usdWallet(), paymentRequest: (await fixture.outside(2_000)).paymentRequest } }),
    },
    LnurlPaymentSend: {
      as: 'write',
      variables: () => ({ input: { ...wallet(), lnurl: `lnurlp://${domain()}/.well-known/lnurlp/bob`, amount: 21 } }),
    },
    OnChainAddressCreate: { as: 'receive', variables: () => ({ input: wallet() }) },
    OnChainAddressCurrent: { as: 'receive', variables: () => ({ input: wallet() }) },
    OnChainTxFee: {
      as: 'read',
      person: () => erin,
      variables: () => ({ walletId: erin.wallets.BTC, address: ADDRESS, amount: 50_000, speed: 'SLOW' }),
    },
    OnChainUsdTxFee: {
      as: 'read',
      person: () => erin,
      variables: () => ({ walletId: erin.wallets.USD, address: ADDRESS, amount: 2_500, speed: 'SLOW' }),
    },
    OnChainUsdTxFeeAsBtcDenominated: {
      as: 'read',
      person: () => erin,
      variables: () => ({ walletId: erin.wallets.USD, address: ADDRESS, amount: 50_000, speed: 'SLOW' }),
    },
    PayoutSpeeds: { as: 'anyone' },
    OnChainPaymentSend: {
      as: 'write',
      person: () => erin,
      variables: () => ({ input: { walletId: erin.wallets.BTC, address: ADDRESS, amount: 50_000, speed: 'SLOW', memo: 'A boat' } }),
    },
    OnChainUsdPaymentSend: {
      as: 'write',
      person: () => erin,
      variables: () => ({ input: { walletId: erin.wallets.USD, address: ADDRESS, amount: 2_500, speed: 'SLOW' } }),
    },
    OnChainUsdPaymentSendAsBtcDenominated: {
      as: 'write',
      person: () => erin,
      variables: () => ({ input: { walletId: erin.wallets.USD, address: ADDRESS, amount: 50_000, speed: 'SLOW' } }),
    },
    OnChainPaymentSendAll: {
      as: 'write',
      person: () => erin,
      variables: () => ({ input: { walletId: erin.wallets.BTC, address: ADDRESS, speed: 'SLOW' } }),
    },
    UserEmailDelete: { as: 'session' },
    UserEmailRegistrationInitiate: { as: 'session', variables: () => ({ input: { email: 'alice@example.test' } }) },
    UserEmailRegistrationValidate: {
      as: 'session',
      variables: () => ({ input: { emailRegistrationId: '00000000-0000-4000-8000-000000000000', code: '123456' } }),
    },
    UserLogout: { as: 'session' },
    UserTotpDelete: { as: 'session' },
    UserTotpRegistrationInitiate: { as: 'session' },
    UserTotpRegistrationValidate: { as: 'session', variables: () => ({ input: { totpRegistrationId: 'unknown', totpCode: '123456' } }) },
    UserUpdateLanguage: { as: 'all', variables: () => ({ input: { language: 'pt-BR' } }) },
    UserUpdateUsername: { as: 'all', variables: () => ({ input: { username: 'alice' } }) },
    OnLnInvoicePaymentStatus: { as: 'anyone', variables: byRequest },
    OnLnInvoicePaymentStatusByHash: { as: 'anyone', variables: byHash },
    OnLnInvoicePaymentStatusByPaymentRequest: { as: 'anyone', variables: byRequest },
    OnMyUpdates: {
      as: 'read',
      // Nothing else happens to her account, so the first event is this one.
      person: () => carol,
      meanwhile: async () => fixture.simulator.payOutside((await carol.invoice(2_100, 'A chair')).paymentRequest),
    },
    OnPrice: {
      as: 'anyone',
      variables: () => ({ input: { amount: 100, amountCurrencyUnit: 'BTCSAT', priceCurrencyUnit: 'USDCENT' } }),
    },
    OnRealtimePrice: { as: 'anyone', variables: () => ({ input: { currency: 'USD' } }) },
    // Refused, because there is money. It cancels open invoices, so it is the last one.
    AccountDelete: { as: 'session' },
  };

  async function dataOf(name: string, { as, person, meanwhile }: Run, variables: object): Promise<unknown> {
    const document = documentOf(name);
    const client = clientAs(as, name === 'UserLogout' ? await newSession() : session, person?.());
    if (!/^On(?!Chain)/.test(name)) return client.request(document, variables);
    const events = client.subscribe(document, variables);
    let arrived: IteratorResult<unknown> | undefined;
    const first = events.next().then((event) => (arrived = event));
    // The protocol does not report when a subscription runs: it happens again until an event arrives.
    await eventually(async () => {
      if (!arrived) await meanwhile?.();
      return arrived;
    });
    return (await first).value;
  }

  it.each(Object.keys(RUNS))('%s has the variables and the answer that the document shows', async (name) => {
    const run = RUNS[name] as Run;
    const variables = (await run.variables?.()) ?? {};
    const data = await dataOf(name, run, variables);
    const shown = JSON.stringify({ variables, answer: { data } }).replaceAll(domain(), 'wallet.example').replace(LONG, '$1…');
    const example = JSON.parse(shown) as Example;
    made[name] = example;
    if (!RECORDS) expect(kindOf(example)).toEqual(kindOf(recorded[name]));
  });

  it('there is one for each operation', () => {
    const operations = parse(readFileSync(join(CLIENT, 'operations.graphql'), 'utf8')).definitions.flatMap((definition) =>
      definition.kind === 'OperationDefinition' ? [definition.name?.value] : [],
    );
    expect(Object.keys(RUNS).toSorted()).toEqual(operations.toSorted());
    expect(Object.keys(recorded).toSorted()).toEqual(RECORDS ? expect.anything() : operations.toSorted());
  });
});
