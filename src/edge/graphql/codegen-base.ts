interface ScalarTypes {
  readonly input: string;
  readonly output: string;
}

const text: ScalarTypes = { input: 'string', output: 'string' };
const whole: ScalarTypes = { input: 'number', output: 'number' };

/**
 * The graphql-codegen configuration of the core's resolver types. An extension generates its own from the core's SDL and its own, with
 * this and {@link rowsFrom}, so that both use the same types. Plain data, because codegen runs outside the application.
 */
export const codegenBase = {
  plugins: ['typescript', 'typescript-resolvers'],
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    immutableTypes: true,
    // Every resolver is a function, so typed.ts need not look into objects.
    makeResolverTypeCallable: true,
    avoidOptionals: { field: true, resolvers: true, query: true, mutation: true, subscription: true },
    // The value of a union names its member: without this a missing `__typename` would fail at the first call.
    resolversNonOptionalTypename: { unionMember: true },
    strictScalars: true,
    scalars: {
      AuthToken: text,
      CentAmount: whole,
      ID: text,
      CountryCode: text,
      DisplayCurrency: text,
      EmailAddress: text,
      EmailRegistrationId: text,
      EndpointId: text,
      EndpointUrl: text,
      Hex32Bytes: text,
      Language: text,
      LnPaymentPreImage: text,
      LnPaymentRequest: text,
      LnPaymentSecret: text,
      Memo: text,
      Minutes: whole,
      OneTimeAuthCode: text,
      OnChainAddress: text,
      OnChainTxHash: text,
      PaymentHash: text,
      Phone: text,
      SafeInt: whole,
      SatAmount: whole,
      Seconds: whole,
      SignedAmount: whole,
      SignedDisplayMajorAmount: text,
      Timestamp: { input: 'number', output: 'Date | number' },
      TotpCode: text,
      TotpRegistrationId: text,
      TotpSecret: text,
      TxExternalId: text,
      Username: text,
      WalletId: text,
    } satisfies Readonly<Record<string, ScalarTypes>>,
  },
} as const;

/** Resolvers pass these SDL types around as rows, each owned by a folder of `src`. All others are typed field by field from the SDL. */
const ROWS = {
  Account: 'money/wallet#AccountRow',
  AccountLimit: 'money/wallet#AccountLimitRow',
  ApiKey: 'access/api-key#ApiKeyRow',
  Authorization: 'edge/auth#Principal',
  BTCWallet: 'money/wallet#WalletRow',
  CallbackEndpoint: 'money/webhook#WebhookEndpointRow',
  ConsumerAccount: 'money/wallet#AccountRow',
  Invoice: 'money/invoice#InvoiceRow',
  LnInvoice: 'money/invoice#InvoiceRow',
  LnNoAmountInvoice: 'money/invoice#InvoiceRow',
  OneDayAccountLimit: 'money/wallet#AccountLimitRow',
  PaymentSendPayload: 'money/payment#PaymentSendRow',
  SettlementViaOnChain: 'money/transaction#OnChainSettlementRow',
  Transaction: 'money/transaction#TransactionRow',
  UsdWallet: 'money/wallet#WalletRow',
  User: 'access/user#UserRow',
  Wallet: 'money/wallet#WalletRow',
} as const;

export type RowType = keyof typeof ROWS;

/**
 * The part of the configuration that names Sluice's own types, which depends on where the generated file imports them from.
 * @param moduleOf from the folder that owns a type (`money/wallet`) to the import specifier; for an extension always Sluice's package name
 */
export function rowsFrom(moduleOf: (folder: string) => string): { contextType: string; mappers: Record<string, string> } {
  const at = (place: string): string => place.replace(/^[^#]+/, moduleOf);
  return {
    contextType: at('edge/auth#GqlContext'),
    mappers: Object.fromEntries(Object.entries(ROWS).map(([type, place]) => [type, at(place)])),
  };
}
