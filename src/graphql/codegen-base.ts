/** How graphql-codegen is to write the type of a scalar: as resolvers give it, and as arguments bring it. */
interface ScalarTypes {
  readonly input: string;
  readonly output: string;
}

const text: ScalarTypes = { input: 'string', output: 'string' };
const whole: ScalarTypes = { input: 'number', output: 'number' };

/**
 * The configuration of graphql-codegen that the core's resolver types are made with. An extension makes its own from the core's SDL and
 * its own, with this and {@link rowsFrom}, so that both mean the same types. Plain data, for codegen runs outside of the application.
 */
export const codegenBase = {
  plugins: ['typescript', 'typescript-resolvers'],
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    immutableTypes: true,
    // A resolver is a function and nothing else, so typed.ts need not look into objects.
    makeResolverTypeCallable: true,
    avoidOptionals: { field: true, resolvers: true, query: true, mutation: true, subscription: true },
    // What stands for a union says which member it is: a forgotten `__typename` would be found out by the first caller only.
    resolversNonOptionalTypename: { unionMember: true },
    strictScalars: true,
    scalars: {
      ID: text,
      DisplayCurrency: text,
      EmailAddress: text,
      EndpointId: text,
      EndpointUrl: text,
      Hex32Bytes: text,
      Language: text,
      LnPaymentPreImage: text,
      LnPaymentRequest: text,
      LnPaymentSecret: text,
      Memo: text,
      Minutes: whole,
      OnChainAddress: text,
      OnChainTxHash: text,
      PaymentHash: text,
      Phone: text,
      SafeInt: whole,
      SatAmount: whole,
      SignedAmount: whole,
      SignedDisplayMajorAmount: text,
      Timestamp: { input: 'number', output: 'Date | number' },
      TxExternalId: text,
      Username: text,
      WalletId: text,
    } satisfies Readonly<Record<string, ScalarTypes>>,
  },
} as const;

/** SDL types that resolvers hand around as rows, by the folder that owns the row. All else is what the SDL says, field by field. */
const ROWS = {
  Account: 'wallet#AccountRow',
  ApiKey: 'api-key#ApiKeyRow',
  BTCWallet: 'wallet#WalletRow',
  ConsumerAccount: 'wallet#AccountRow',
  Invoice: 'invoice#InvoiceRow',
  LnInvoice: 'invoice#InvoiceRow',
  PaymentSendPayload: 'payment#PaymentSendRow',
  Transaction: 'wallet#TransactionRow',
  UsdWallet: 'wallet#WalletRow',
  User: 'user#UserRow',
  Wallet: 'wallet#WalletRow',
} as const;

/** An SDL type whose resolvers get a row. */
export type RowType = keyof typeof ROWS;

/**
 * The part of the configuration that names our own types, which depends on where the generated file imports them from.
 * @param moduleOf from the folder that owns a type (`wallet`) to the import specifier; an extension answers our package's name for all
 */
export function rowsFrom(moduleOf: (folder: string) => string): { contextType: string; mappers: Record<string, string> } {
  const at = (place: string): string => place.replace(/^[^#]+/, moduleOf);
  return {
    contextType: at('auth#GqlContext'),
    mappers: Object.fromEntries(Object.entries(ROWS).map(([type, place]) => [type, at(place)])),
  };
}
