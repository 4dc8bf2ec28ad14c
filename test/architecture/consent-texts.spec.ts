import { buildSchema, getNamedType, isAbstractType, isObjectType, type GraphQLNamedType, type GraphQLObjectType } from 'graphql';
import { CORE_SCOPES } from '../../src/edge/auth/scope-catalogue.js';
import { SDL, described } from '../support/root-fields.js';

const HISTORY = 'See your balances and history';
const SETTINGS = 'Shows your username, e-mail address, settings and limits';
const KEYS = 'Shows the names and limits of your API keys';
const WEBHOOKS = 'Shows the addresses of your webhooks and their deliveries';
const SENDS = 'Can send money without asking you again';
const INVOICES = 'Creates and cancels invoices, and creates bitcoin addresses';
const CHANGES = 'Changes your settings: username, language, currency and default wallet';
const RECEIVES = 'Creates and cancels invoices paid to you, and creates your bitcoin addresses';

/** What each scope opens, by the sentence of the consent page that says it: fields, or types with all their fields. A new field needs its line. */
const SENTENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  read: {
    'Query.me': HISTORY,
    'Query.onChainTxFee': HISTORY,
    'Query.onChainUsdTxFee': HISTORY,
    'Query.onChainUsdTxFeeAsBtcDenominated': HISTORY,
    'Subscription.myUpdates': HISTORY,
    'Mutation.lnInvoiceFeeProbe': HISTORY,
    'Mutation.lnNoAmountInvoiceFeeProbe': HISTORY,
    'Mutation.lnNoAmountUsdInvoiceFeeProbe': HISTORY,
    'Mutation.lnUsdInvoiceFeeProbe': HISTORY,
    'User.apiKeys': KEYS,
    'User.createdAt': SETTINGS,
    'User.defaultAccount': HISTORY,
    'User.email': SETTINGS,
    'User.id': SETTINGS,
    'User.language': SETTINGS,
    'User.phone': SETTINGS,
    'User.totpEnabled': SETTINGS,
    'User.username': SETTINGS,
    Email: SETTINGS,
    ApiKey: KEYS,
    ApiKeyLimits: KEYS,
    'ConsumerAccount.callbackEndpoints': WEBHOOKS,
    'ConsumerAccount.callbackPortalUrl': WEBHOOKS,
    'ConsumerAccount.csvTransactions': HISTORY,
    'ConsumerAccount.defaultWallet': SETTINGS,
    'ConsumerAccount.defaultWalletId': SETTINGS,
    'ConsumerAccount.displayCurrency': SETTINGS,
    'ConsumerAccount.id': HISTORY,
    'ConsumerAccount.invoices': HISTORY,
    'ConsumerAccount.level': SETTINGS,
    'ConsumerAccount.limits': SETTINGS,
    'ConsumerAccount.pendingIncomingTransactions': HISTORY,
    'ConsumerAccount.realtimePrice': SETTINGS,
    'ConsumerAccount.transactions': HISTORY,
    'ConsumerAccount.walletById': HISTORY,
    'ConsumerAccount.wallets': HISTORY,
    CallbackEndpoint: WEBHOOKS,
    CallbackDelivery: WEBHOOKS,
    AuthorizationBudget: SETTINGS,
    BudgetUpdate: SETTINGS,
    OneDayAccountLimit: SETTINGS,
    AccountLimits: SETTINGS,
    PublicWallet: SETTINGS,
    BTCWallet: HISTORY,
    UsdWallet: HISTORY,
    Transaction: HISTORY,
    OnChainTxFee: HISTORY,
    OnChainUsdTxFee: HISTORY,
    InitiationViaIntraLedger: HISTORY,
    InitiationViaLn: HISTORY,
    InitiationViaOnChain: HISTORY,
    SettlementViaIntraLedger: HISTORY,
    SettlementViaLn: HISTORY,
    SettlementViaOnChain: HISTORY,
    PriceOfOneSettlementMinorUnitInDisplayMinorUnit: HISTORY,
    LnInvoice: HISTORY,
    LnNoAmountInvoice: HISTORY,
    IntraLedgerUpdate: HISTORY,
    LnUpdate: HISTORY,
    OnChainUpdate: HISTORY,
    PaymentUpdate: HISTORY,
  },
  receive: {
    'Mutation.lnInvoiceCancel': RECEIVES,
    'Mutation.lnInvoiceCreate': RECEIVES,
    'Mutation.lnNoAmountInvoiceCreate': RECEIVES,
    'Mutation.lnUsdInvoiceCreate': RECEIVES,
    'Mutation.onChainAddressCreate': RECEIVES,
    'Mutation.onChainAddressCurrent': RECEIVES,
  },
  write: {
    'Mutation.accountUpdateDefaultWalletId': CHANGES,
    'Mutation.accountUpdateDisplayCurrency': CHANGES,
    'Mutation.userUpdateLanguage': CHANGES,
    'Mutation.userUpdateUsername': CHANGES,
    'Mutation.lnInvoiceCancel': INVOICES,
    'Mutation.lnInvoiceCreate': INVOICES,
    'Mutation.lnNoAmountInvoiceCreate': INVOICES,
    'Mutation.lnUsdInvoiceCreate': INVOICES,
    'Mutation.onChainAddressCreate': INVOICES,
    'Mutation.onChainAddressCurrent': INVOICES,
    'Mutation.intraLedgerPaymentSend': SENDS,
    'Mutation.intraLedgerUsdPaymentSend': SENDS,
    'Mutation.lnAddressPaymentSend': SENDS,
    'Mutation.lnInvoiceFeeProbe': SENDS,
    'Mutation.lnInvoicePaymentSend': SENDS,
    'Mutation.lnNoAmountInvoiceFeeProbe': SENDS,
    'Mutation.lnNoAmountInvoicePaymentSend': SENDS,
    'Mutation.lnNoAmountUsdInvoiceFeeProbe': SENDS,
    'Mutation.lnNoAmountUsdInvoicePaymentSend': SENDS,
    'Mutation.lnUsdInvoiceFeeProbe': SENDS,
    'Mutation.lnurlPaymentSend': SENDS,
    'Mutation.onChainPaymentSend': SENDS,
    'Mutation.onChainPaymentSendAll': SENDS,
    'Mutation.onChainUsdPaymentSend': SENDS,
    'Mutation.onChainUsdPaymentSendAsBtcDenominated': SENDS,
  },
};

/** Of every answer, with nothing of the person: envelopes, errors, and prices, which are public. */
const NOTHING_PERSONAL =
  /(?:Payload|Connection|Edge)$|^PageInfo$|^GraphQLApplicationError$|^RealtimePrice$|^Currency$|^Price$|^PriceOfOne(?:Sat|UsdCent)/;

const schema = buildSchema(SDL);

/** The object types below a field. */
function typesBelow(type: GraphQLNamedType, found = new Set<GraphQLObjectType>()): Set<GraphQLObjectType> {
  if (isAbstractType(type)) schema.getPossibleTypes(type).forEach((each) => void typesBelow(each, found));
  if (!isObjectType(type) || found.has(type)) return found;
  found.add(type);
  for (const field of Object.values(type.getFields())) typesBelow(getNamedType(field.type), found);
  return found;
}

/** All that a scope opens: root fields and, to read, all fields below them. */
function opened(scope: string, rules: Readonly<Record<string, string>>): string[] {
  const roots = Object.keys(rules).filter((name) => rules[name]?.startsWith('scopes ') && rules[name].split(' ').includes(scope));
  if (scope !== 'read') return roots;
  const below = roots.flatMap((name) => {
    const [type = '', field = ''] = name.split('.');
    const root = schema.getType(type);
    const leads = isObjectType(root) ? root.getFields()[field] : undefined;
    return leads ? [...typesBelow(getNamedType(leads.type))] : [];
  });
  const fields = [...new Set(below)].filter(({ name }) => !NOTHING_PERSONAL.test(name));
  return [...roots, ...fields.flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))];
}

/** The fields that no sentence names, and the lines for what the scope does not open. */
function faultsOf(scope: string, sentences: Readonly<Record<string, string>>, fields: readonly string[]): string[] {
  const lineOf = (field: string): string | undefined => [field, field.split('.')[0] ?? ''].find((name) => sentences[name] !== undefined);
  const used = new Set(fields.map(lineOf));
  return [
    ...fields.filter((field) => lineOf(field) === undefined).map((field) => `${scope} opens ${field}, which no sentence names`),
    ...Object.keys(sentences)
      .filter((line) => !used.has(line))
      .map((line) => `${scope} does not open ${line}`),
  ];
}

describe.each(Object.entries(SENTENCES))('the consent to %s', (scope, sentences) => {
  it('names everything that the scope opens', () => {
    expect(faultsOf(scope, sentences, opened(scope, described(schema)))).toEqual([]);
  });

  it('has these sentences, and no other', () => {
    const definition = CORE_SCOPES.find(({ name }) => name === scope);
    const shown = [definition?.title, ...(definition?.consequence.split('. ') ?? [])];
    const named = new Set(Object.values(sentences));
    expect([...named].filter((sentence) => !shown.includes(sentence))).toEqual([]);
    // The title says in general, and the next sentence what the history includes.
    expect(shown.slice(scope === 'read' ? 2 : 1).filter((sentence) => !named.has(sentence ?? ''))).toEqual([]);
  });
});

it('finds a planted field that no sentence names, and a line that is out of date', () => {
  expect(faultsOf('read', { 'User.id': SETTINGS, 'User.gone': SETTINGS }, ['User.id', 'User.diary'])).toEqual([
    'read opens User.diary, which no sentence names',
    'read does not open User.gone',
  ]);
});
