import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AccountRow, AccountLimitRow, WalletRow } from '../money/wallet/index.js';
import type { ApiKeyRow } from '../access/api-key/index.js';
import type { Principal, GqlContext } from '../edge/auth/index.js';
import type { WebhookEndpointRow } from '../money/webhook/index.js';
import type { InvoiceRow } from '../money/invoice/index.js';
import type { PaymentSendRow } from '../money/payment/index.js';
import type { OnChainSettlementRow, TransactionRow } from '../money/transaction/index.js';
import type { UserRow } from '../access/user/index.js';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** A session token. */
  AuthToken: { input: string; output: string; }
  /** An amount in US cents, from 0 to 10,000,000,000,000. A number, or a numeric string in variables; fractions are rejected. */
  CentAmount: { input: number; output: number; }
  /** The code of a country of two capital letters, as in ISO 3166-1. */
  CountryCode: { input: string; output: string; }
  /** A currency code of three or four capital letters, as in ISO 4217, for example `USD`. Lower case is accepted as input. */
  DisplayCurrency: { input: string; output: string; }
  /** An e-mail address. */
  EmailAddress: { input: string; output: string; }
  /** The id of a registration of an e-mail address. */
  EmailRegistrationId: { input: string; output: string; }
  /** The id of a callback endpoint. */
  EndpointId: { input: string; output: string; }
  /** The URL of a callback endpoint, with the scheme `https` or `http`. */
  EndpointUrl: { input: string; output: string; }
  /** 32 bytes as 64 hexadecimal digits in lower case. */
  Hex32Bytes: { input: string; output: string; }
  /** A BCP 47 language tag, for example `en` or `pt-BR`; empty for no choice. */
  Language: { input: string; output: string; }
  /** A Lightning preimage: 64 hexadecimal digits. Its SHA-256 is the payment hash, and it proves the payment. */
  LnPaymentPreImage: { input: string; output: string; }
  /** A Lightning invoice in BOLT 11 encoding, in lower or in upper case. What surrounds a copied one is ignored: spaces, `lightning:`, a `bitcoin:` link. */
  LnPaymentRequest: { input: string; output: string; }
  /** The payment secret of a Lightning invoice: 64 hexadecimal digits. */
  LnPaymentSecret: { input: string; output: string; }
  /** A text of at most 639 bytes in UTF-8. */
  Memo: { input: string; output: string; }
  /** A duration in whole minutes, zero or more. A number, or a numeric string in variables; fractions are rejected. */
  Minutes: { input: number; output: number; }
  /** A bitcoin address of the network in `globals.network`. */
  OnChainAddress: { input: string; output: string; }
  /** The id of a bitcoin transaction: 64 hexadecimal digits. */
  OnChainTxHash: { input: string; output: string; }
  /** A code that was sent by mail: 6 digits. */
  OneTimeAuthCode: { input: string; output: string; }
  /** The payment hash of a Lightning invoice: 64 hexadecimal digits. */
  PaymentHash: { input: string; output: string; }
  /** A phone number in E.164 format: a plus sign and 7 to 15 digits. */
  Phone: { input: string; output: string; }
  /** An integer between -(2^53 - 1) and 2^53 - 1, which every JSON parser represents exactly. */
  SafeInt: { input: number; output: number; }
  /** An amount in satoshis, from 0 to 10,000,000,000,000 (100,000 bitcoin). A number, of which decimals are cut off, or in variables a string of digits. */
  SatAmount: { input: number; output: number; }
  /** A duration in whole seconds, zero or more. A number, or a numeric string in variables; fractions are rejected. */
  Seconds: { input: number; output: number; }
  /** An amount in the minor unit of a wallet's currency (satoshis or cents): an integer that can be negative. */
  SignedAmount: { input: number; output: number; }
  /** An amount in the major unit of a display currency: a decimal string with the currency's number of decimal places, for example `-1.05`. */
  SignedDisplayMajorAmount: { input: string; output: string; }
  /** A point in time, in whole seconds since 1 January 1970 UTC. */
  Timestamp: { input: number; output: Date | number; }
  /** The code of an authenticator app: 6 digits. */
  TotpCode: { input: string; output: string; }
  /** A registration of an authenticator app: 1 to 200 letters, digits, `_` and `-`. */
  TotpRegistrationId: { input: string; output: string; }
  /** The secret of an authenticator app, in base32. */
  TotpSecret: { input: string; output: string; }
  /** The creator's own reference for an invoice: 1 to 100 characters of `a` to `z`, `0` to `9`, `_` and `-`. */
  TxExternalId: { input: string; output: string; }
  /**
   * A username: 3 to 50 letters, digits and underscores, with at least one letter, not starting with `1`, `3`, `_`, `bc1` or `lnbc1`.
   * Case-insensitive.
   */
  Username: { input: string; output: string; }
  /** The id of a wallet: a UUID. */
  WalletId: { input: string; output: string; }
};

/** Holds wallets and their history. Requires scope `read`. */
export type Account = {
  /** Webhook endpoints for events of this account, oldest first; for an API key with `manageCallbacks` those that it added. */
  readonly callbackEndpoints: ReadonlyArray<CallbackEndpoint>;
  /** URL of the page for the account's owner that lists the webhook endpoints and what was delivered to them. */
  readonly callbackPortalUrl: Scalars['String']['output'];
  /**
   * The history as a CSV file in base64 (UTF-8, CRLF, a line of column names), newest first. Amounts are those of `Transaction`. A cell of text
   * that a spreadsheet would read as a formula begins with an apostrophe, and so does each formula behind a semicolon, a tab or a line break.
   * The server makes one file of an account at a time, and each transaction adds 8 to the document's cost.
   * Errors (top level): `INVALID_INPUT` (a wallet of another account), `RESPONSE_TOO_LARGE` (more than 5,000 transactions, or a file that is
   * longer than a response may be: use `transactions`), `TOO_MANY_REQUEST`, `SERVICE_UNAVAILABLE` (other files of the account or of the server
   * take too long).
   */
  readonly csvTransactions: Scalars['String']['output'];
  /** The wallet that receives money when the sender names only the user. */
  readonly defaultWallet: PublicWallet;
  /** The id of `defaultWallet`. */
  readonly defaultWalletId: Scalars['WalletId']['output'];
  /** The currency of the display amounts of this account. */
  readonly displayCurrency: Scalars['DisplayCurrency']['output'];
  /** The account's id; not a wallet id. */
  readonly id: Scalars['ID']['output'];
  /**
   * Invoices of the account, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** How far the operator has verified the account's owner. */
  readonly level: AccountLevel;
  /** What the account may send in any 24 hours, by its level. */
  readonly limits: AccountLimits;
  /** The latest 100 on-chain deposits that are not credited yet: those in the mempool or without their confirmations, and those below the deposit fee. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** Current prices in the account's display currency. Errors (top level): `PRICE_UNAVAILABLE` (no price in it now). */
  readonly realtimePrice: RealtimePrice;
  /**
   * Transactions of the account, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly transactions: Maybe<TransactionConnection>;
  /** The wallet of this account with this id. Errors (top level): `NOT_FOUND`. */
  readonly walletById: Wallet;
  /** All wallets of the account: bitcoin first, then US dollar. */
  readonly wallets: ReadonlyArray<Wallet>;
};


/** Holds wallets and their history. Requires scope `read`. */
export type AccountCsvTransactionsArgs = {
  walletIds: ReadonlyArray<Scalars['WalletId']['input']>;
};


/** Holds wallets and their history. Requires scope `read`. */
export type AccountInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** Holds wallets and their history. Requires scope `read`. */
export type AccountPendingIncomingTransactionsArgs = {
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** Holds wallets and their history. Requires scope `read`. */
export type AccountTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** Holds wallets and their history. Requires scope `read`. */
export type AccountWalletByIdArgs = {
  walletId: Scalars['WalletId']['input'];
};

/** The result of a deletion. */
export type AccountDeletePayload = {
  readonly __typename?: 'AccountDeletePayload';
  /** Why nothing was deleted; empty after success. */
  readonly errors: ReadonlyArray<Error>;
  /** Whether the account is deleted. */
  readonly success: Scalars['Boolean']['output'];
};

/** How far the operator has verified an account's owner. */
export type AccountLevel =
  /** The owner is registered. New accounts start at this level. */
  | 'ONE'
  /** The owner has an agreement with the operator. */
  | 'THREE'
  /** The operator has verified the owner's identity. */
  | 'TWO'
  /** Unverified: an account without a means to sign in again. */
  | 'ZERO';

/** What an account of one level may send in a rolling window, without fees. */
export type AccountLevelLimits = {
  readonly __typename?: 'AccountLevelLimits';
  /** Between the two wallets of the account. */
  readonly convert: Scalars['CentAmount']['output'];
  /** To wallets of other accounts of this server, also by their invoices and bitcoin addresses. */
  readonly internalSend: Scalars['CentAmount']['output'];
  /** The length of the window. */
  readonly interval: Scalars['Seconds']['output'];
  /** The level that has these limits. */
  readonly level: AccountLevel;
  /** To others over Lightning, and to bitcoin addresses of others. */
  readonly withdrawal: Scalars['CentAmount']['output'];
};

/** A limit of what an account may send in a rolling window. */
export type AccountLimit = {
  /** The length of the window. */
  readonly interval: Maybe<Scalars['Seconds']['output']>;
  /**
   * What is left of the limit now, rounded down, with bitcoin at the price of now; 0 where more was sent.
   * Errors (top level): `PRICE_UNAVAILABLE` (no price of dollars now).
   */
  readonly remainingLimit: Maybe<Scalars['CentAmount']['output']>;
  /** The limit. */
  readonly totalLimit: Scalars['CentAmount']['output'];
};

/**
 * What an account may send in any 24 hours. Each list has one limit; it is empty where the operator sets no limits. Payments in flight and settled
 * ones count, by their amounts without fees, a failed one does not. A payment that exceeds a limit gets `TRANSACTION_RESTRICTED`.
 */
export type AccountLimits = {
  readonly __typename?: 'AccountLimits';
  /** Between the two wallets of the account. */
  readonly convert: ReadonlyArray<AccountLimit>;
  /** To wallets of other accounts of this server, also by their invoices and bitcoin addresses. */
  readonly internalSend: ReadonlyArray<AccountLimit>;
  /** To others over Lightning, and to bitcoin addresses of others. */
  readonly withdrawal: ReadonlyArray<AccountLimit>;
};

/** The wallet that becomes the default wallet. */
export type AccountUpdateDefaultWalletIdInput = {
  /** A wallet of the caller. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** The result of choosing a default wallet. */
export type AccountUpdateDefaultWalletIdPayload = {
  readonly __typename?: 'AccountUpdateDefaultWalletIdPayload';
  /** The caller's account after the change; null if there are errors. Scope: `read`. */
  readonly account: Maybe<ConsumerAccount>;
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
};

/** The display currency to choose. */
export type AccountUpdateDisplayCurrencyInput = {
  /** A currency of `currencyList`. */
  readonly currency: Scalars['DisplayCurrency']['input'];
};

/** The result of choosing a display currency. */
export type AccountUpdateDisplayCurrencyPayload = {
  readonly __typename?: 'AccountUpdateDisplayCurrencyPayload';
  /** The caller's account after the change; null if there are errors. Scope: `read`. */
  readonly account: Maybe<ConsumerAccount>;
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
};

/** A credential for a program that acts for the user, sent in the header `X-API-KEY`. The secret is returned only once, on creation. */
export type ApiKey = {
  readonly __typename?: 'ApiKey';
  /** When it was created. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** Whether `expiresAt` has passed. */
  readonly expired: Scalars['Boolean']['output'];
  /** When the key expires; null means never. */
  readonly expiresAt: Maybe<Scalars['Timestamp']['output']>;
  /** The id of the key; not the secret. */
  readonly id: Scalars['ID']['output'];
  /** When the key was last used; updated within a second. Null if never used. */
  readonly lastUsedAt: Maybe<Scalars['Timestamp']['output']>;
  /** The spending limits of the key and what it has spent. */
  readonly limits: ApiKeyLimits;
  /** Whether the key adds and deletes webhook endpoints. */
  readonly manageCallbacks: Scalars['Boolean']['output'];
  /** The name that the owner chose. */
  readonly name: Scalars['String']['output'];
  /** Whether `READ` is the key's only scope. */
  readonly readOnly: Scalars['Boolean']['output'];
  /** Whether the key is revoked. */
  readonly revoked: Scalars['Boolean']['output'];
  /** The scopes of the key. */
  readonly scopes: ReadonlyArray<Scope>;
};

/** An API key to create. */
export type ApiKeyCreateInput = {
  /** Payments beyond this sum of 24 hours, in satoshis, wait for their owner; at least 0. Null means that none does by that. */
  readonly askAboveDaySats?: InputMaybe<Scalars['Int']['input']>;
  /** A payment above this amount with its fee limit, in satoshis, waits for its owner; at least 0. Null means that none does by that. */
  readonly askAbovePaymentSats?: InputMaybe<Scalars['Int']['input']>;
  /** Days of 24 hours until the key expires, 1 to 3650; null means never. */
  readonly expireInDays?: InputMaybe<Scalars['Int']['input']>;
  /**
   * Whether the key adds webhook endpoints, which receive every event of the account. It sees and deletes only those that it added. An app can
   * set it only where its own consent includes webhooks.
   */
  readonly manageCallbacks?: Scalars['Boolean']['input'];
  /** A name for the key, 1 to 64 characters; not necessarily unique. */
  readonly name: Scalars['String']['input'];
  /** The scopes of the key; at least one. */
  readonly scopes?: ReadonlyArray<Scope>;
};

/** The created API key. */
export type ApiKeyCreatePayload = {
  readonly __typename?: 'ApiKeyCreatePayload';
  /** The key as listed in `User.apiKeys`. */
  readonly apiKey: ApiKey;
  /** The secret of the key. It cannot be retrieved again. */
  readonly apiKeySecret: Scalars['String']['output'];
};

/**
 * Spending limits of an API key, and what it has spent, in rolling windows. Each window has a limit of its own, and a payment must be within all
 * of them. Spent are the amounts and fees of the payments that the key has begun, from all wallets, in satoshis; a payment in flight counts with its fee
 * limit, a failed one does not count, and one from dollars counts with the cents that leave the wallet, at the price at which it began. What exceeds the range of `Int` is shown as its largest value.
 */
export type ApiKeyLimits = {
  readonly __typename?: 'ApiKeyLimits';
  /** Limit for any 365 days, in satoshis; null means no limit. */
  readonly annualLimitSats: Maybe<Scalars['Int']['output']>;
  /** Spent in the last 365 days, in satoshis. */
  readonly annualSpentSats: Scalars['Int']['output'];
  /** Above this sum of 24 hours, in satoshis, a payment waits for its owner; null means that it never does by that. */
  readonly askAboveDaySats: Maybe<Scalars['Int']['output']>;
  /** Above this amount of one payment with its fee limit, in satoshis, it waits for its owner; null means that it never does by that. */
  readonly askAbovePaymentSats: Maybe<Scalars['Int']['output']>;
  /** Limit for any 24 hours, in satoshis; null means no limit. */
  readonly dailyLimitSats: Maybe<Scalars['Int']['output']>;
  /** Spent in the last 24 hours, in satoshis. */
  readonly dailySpentSats: Scalars['Int']['output'];
  /** Limit for any 30 days, in satoshis; null means no limit. */
  readonly monthlyLimitSats: Maybe<Scalars['Int']['output']>;
  /** Spent in the last 30 days, in satoshis. */
  readonly monthlySpentSats: Scalars['Int']['output'];
  /** Limit for any 7 days, in satoshis; null means no limit. */
  readonly weeklyLimitSats: Maybe<Scalars['Int']['output']>;
  /** Spent in the last 7 days, in satoshis. */
  readonly weeklySpentSats: Scalars['Int']['output'];
};

/** Identifies the limit of an API key to remove. */
export type ApiKeyRemoveLimitInput = {
  /** The key's id. */
  readonly id: Scalars['ID']['input'];
  /** The window whose limit ends. */
  readonly limitTimeWindow: LimitTimeWindow;
};

/** Identifies an API key to revoke. */
export type ApiKeyRevokeInput = {
  /** The key's id. */
  readonly id: Scalars['ID']['input'];
};

/** The revoked API key. */
export type ApiKeyRevokePayload = {
  readonly __typename?: 'ApiKeyRevokePayload';
  /** The key after the revocation. */
  readonly apiKey: ApiKey;
};

/** A spending limit of an API key. */
export type ApiKeySetLimitInput = {
  /** The key's id. */
  readonly id: Scalars['ID']['input'];
  /** The limit in satoshis; at least 1. */
  readonly limitSats: Scalars['Int']['input'];
  /** The window that the limit is for. */
  readonly limitTimeWindow: LimitTimeWindow;
};

/** An API key whose spending limits were changed. */
export type ApiKeySetLimitPayload = {
  readonly __typename?: 'ApiKeySetLimitPayload';
  /** The key with its limits. */
  readonly apiKey: ApiKey;
};

/** The permissions of a credential. */
export type Authorization = {
  readonly __typename?: 'Authorization';
  /**
   * What it may still spend: an entry for each window that has a limit, the shortest first. A payment must be within every one. Empty where there
   * is no limit, and for a session. A key that an app has made has also the app's limits: of two for one window, this is the one that leaves less.
   */
  readonly budget: ReadonlyArray<AuthorizationBudget>;
  /** The granted scopes; empty for a credential without permissions. A session has all scopes. */
  readonly scopes: ReadonlyArray<Scope>;
};

/** What a credential may spend in a rolling window, fees included. What is in flight counts with the most that its fee can be. */
export type AuthorizationBudget = {
  readonly __typename?: 'AuthorizationBudget';
  /** The unit of the amounts. */
  readonly currency: BudgetCurrency;
  /** Where nothing is left: when payments have left the window and something is free again. Null while something is left. */
  readonly freeAt: Maybe<Scalars['Timestamp']['output']>;
  /** What is left of the limit. */
  readonly left: Scalars['SatAmount']['output'];
  /** The most that it may spend in the window. */
  readonly limit: Scalars['SatAmount']['output'];
  /** What it has spent in the window. */
  readonly spent: Scalars['SatAmount']['output'];
  /** The window. */
  readonly window: LimitTimeWindow;
};

/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWallet = Wallet & {
  readonly __typename?: 'BTCWallet';
  /** The id of the account that the wallet belongs to. */
  readonly accountId: Scalars['ID']['output'];
  /** The spendable amount in satoshis. Money held for payments in flight is not included. */
  readonly balance: Scalars['SignedAmount']['output'];
  /** The wallet's id. */
  readonly id: Scalars['ID']['output'];
  /** The invoice of this wallet with this payment hash. Errors (top level): `NOT_FOUND`. */
  readonly invoiceByPaymentHash: Invoice;
  /**
   * Invoices of the wallet, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** The total of all on-chain deposits that are not credited yet, in satoshis. */
  readonly pendingIncomingBalance: Scalars['SignedAmount']['output'];
  /** The latest 100 on-chain deposits that are not credited yet: those in the mempool or without their confirmations, and those below the deposit fee. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** Those of `pendingIncomingTransactions` to this address. */
  readonly pendingIncomingTransactionsByAddress: ReadonlyArray<Transaction>;
  /** The transaction of this wallet with this id. Errors (top level): `NOT_FOUND`. */
  readonly transactionById: Transaction;
  /**
   * Transactions of the wallet, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly transactions: Maybe<TransactionConnection>;
  /**
   * What this wallet has received at this address and what has ended otherwise, newest first; `pendingIncomingTransactionsByAddress` has the rest.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from `transactions`).
   */
  readonly transactionsByAddress: Maybe<TransactionConnection>;
  /** Transactions of this wallet with this payment hash, newest first: one for each attempt. Empty if there are none. */
  readonly transactionsByPaymentHash: ReadonlyArray<Transaction>;
  /**
   * Transactions of this wallet for one Lightning invoice, newest first: one for each attempt. Empty if there are none.
   * Errors (top level): `INVOICE_DECODE_ERROR` (not a Lightning invoice).
   */
  readonly transactionsByPaymentRequest: ReadonlyArray<Transaction>;
  /** Always `BTC`. */
  readonly walletCurrency: WalletCurrency;
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletInvoiceByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletPendingIncomingTransactionsByAddressArgs = {
  address: Scalars['OnChainAddress']['input'];
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletTransactionByIdArgs = {
  transactionId: Scalars['ID']['input'];
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletTransactionsByAddressArgs = {
  address: Scalars['OnChainAddress']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletTransactionsByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A bitcoin wallet. Amounts are in satoshis. */
export type BtcWalletTransactionsByPaymentRequestArgs = {
  paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** A block of the bitcoin chain. */
export type BlockInfo = {
  readonly __typename?: 'BlockInfo';
  /** The hash of the block, in hexadecimal; null if the node reports the height only. */
  readonly blockHash: Maybe<Scalars['String']['output']>;
  /** The number of blocks before it; null if the node reports the hash only. */
  readonly blockHeight: Maybe<Scalars['Int']['output']>;
};

/** The unit of a spending limit. */
export type BudgetCurrency =
  /** Satoshis. A payment from a US dollar wallet counts with what its cents are worth at the price of the payment. */
  | 'SAT';

/** The API key or app that subscribes has spent 80 % or all of a limit: once each in its window, and 100 alone where one payment reaches both. */
export type BudgetUpdate = {
  readonly __typename?: 'BudgetUpdate';
  /** The limit, and what is left of it. */
  readonly budget: AuthorizationBudget;
  /** 80 or 100. */
  readonly percent: Scalars['Int']['output'];
};

/** The software build of a server. */
export type BuildInformation = {
  readonly __typename?: 'BuildInformation';
  /** The commit of the build; null if not configured. */
  readonly commitHash: Maybe<Scalars['String']['output']>;
  /** Always null: there is no Helm chart. Kept for schema compatibility. */
  readonly helmRevision: Maybe<Scalars['Int']['output']>;
};

/** One event for one webhook endpoint, from its first attempt until it has ended. */
export type CallbackDelivery = {
  readonly __typename?: 'CallbackDelivery';
  /** Attempts until now, with those of replays. */
  readonly attempts: Scalars['Int']['output'];
  /** When the event happened. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** When it was delivered or has failed; null while it waits. */
  readonly endedAt: Maybe<Scalars['Timestamp']['output']>;
  /** What happened, as in the body: for example `receive.lightning`. */
  readonly eventType: Scalars['String']['output'];
  /** The id of the delivery: the header `webhook-id` of each attempt. */
  readonly id: Scalars['ID']['output'];
  /** When the latest attempt ended; null before the first. */
  readonly lastAttemptAt: Maybe<Scalars['Timestamp']['output']>;
  /**
   * Why the latest attempt failed; null if it did not. `status`: the response was not from 200 to 299; `timeout`, `unreachable`, `too_large`: there was
   * no valid response; `invalid_url`, `not_https`, `address_not_public`: the URL is not allowed; `secret_unreadable`: the endpoint needs a new
   * secret. `queue_full`: no attempt was made, because too many deliveries waited. Others may follow.
   */
  readonly lastError: Maybe<Scalars['String']['output']>;
  /** The HTTP status of the latest attempt; null without a response. */
  readonly lastStatus: Maybe<Scalars['Int']['output']>;
  /** When the next attempt is due; null once it has ended. */
  readonly nextAttemptAt: Maybe<Scalars['Timestamp']['output']>;
  /** Whether it waits for an attempt, or how it ended. */
  readonly state: CallbackDeliveryState;
};

/** The delivery to send again. */
export type CallbackDeliveryReplayInput = {
  /** The delivery's id. */
  readonly id: Scalars['ID']['input'];
};

/** Whether a delivery waits, or how it ended. */
export type CallbackDeliveryState =
  /** The endpoint has responded with a status from 200 to 299. */
  | 'DELIVERED'
  /** The last attempt failed, or none was made. It can be replayed. */
  | 'FAILED'
  /** It waits for its next attempt. */
  | 'WAITING';

/** A webhook endpoint that is called for events of an account. */
export type CallbackEndpoint = {
  readonly __typename?: 'CallbackEndpoint';
  /** The latest 50 deliveries, newest first. They are kept for thirty days after their end. */
  readonly deliveries: ReadonlyArray<CallbackDelivery>;
  /** Since when it gets no deliveries, because it answered with 410; null while it gets them. Its owner enables it on the page Webhooks. */
  readonly disabledAt: Maybe<Scalars['Timestamp']['output']>;
  /** Since when its attempts fail: the first that failed since one has succeeded; null if the latest one did, or if there was none. */
  readonly failingSince: Maybe<Scalars['Timestamp']['output']>;
  /** The endpoint's id. */
  readonly id: Scalars['EndpointId']['output'];
  /** When the latest attempt of any delivery ended; null before the first. */
  readonly lastAttemptAt: Maybe<Scalars['Timestamp']['output']>;
  /** Why that attempt failed, as in `CallbackDelivery`; null if it did not. */
  readonly lastError: Maybe<Scalars['String']['output']>;
  /** The HTTP status of that attempt; null without a response. */
  readonly lastStatus: Maybe<Scalars['Int']['output']>;
  /** The URL that is called. */
  readonly url: Scalars['EndpointUrl']['output'];
  /** How many deliveries wait. */
  readonly waiting: Scalars['Int']['output'];
};

/** The URL of a new webhook endpoint. */
export type CallbackEndpointAddInput = {
  /**
   * The URL to which events are posted: `https`, at most 2048 characters, on a public address, without a user name or password. Networks that
   * the operator allows may be without `https`. Its name is looked up; one that cannot be found is accepted.
   */
  readonly url: Scalars['EndpointUrl']['input'];
};

/** The added webhook endpoint, or the errors. */
export type CallbackEndpointAddPayload = {
  readonly __typename?: 'CallbackEndpointAddPayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The endpoint's id; null if there are errors. */
  readonly id: Maybe<Scalars['EndpointId']['output']>;
  /**
   * The secret that signs deliveries to this endpoint, after the Standard Webhooks convention: `whsec_` and base64. It is shown only here;
   * null if there are errors.
   */
  readonly signingSecret: Maybe<Scalars['String']['output']>;
};

/** The webhook endpoint to delete. */
export type CallbackEndpointDeleteInput = {
  /** The endpoint's id. */
  readonly id: Scalars['EndpointId']['input'];
};

/** An amount in US cents, or the errors. */
export type CentAmountPayload = {
  readonly __typename?: 'CentAmountPayload';
  /** The amount in cents. Null if there are errors, except where the field says otherwise. */
  readonly amount: Maybe<Scalars['CentAmount']['output']>;
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
};

/** A user's account; the only kind of account. Requires scope `read`. */
export type ConsumerAccount = Account & {
  readonly __typename?: 'ConsumerAccount';
  /** Webhook endpoints for events of this account, oldest first; for an API key with `manageCallbacks` those that it added. */
  readonly callbackEndpoints: ReadonlyArray<CallbackEndpoint>;
  /** URL of the page for the account's owner that lists the webhook endpoints and what was delivered to them. */
  readonly callbackPortalUrl: Scalars['String']['output'];
  /**
   * The history as a CSV file in base64 (UTF-8, CRLF, a line of column names), newest first. Amounts are those of `Transaction`. A cell of text
   * that a spreadsheet would read as a formula begins with an apostrophe, and so does each formula behind a semicolon, a tab or a line break.
   * The server makes one file of an account at a time, and each transaction adds 8 to the document's cost.
   * Errors (top level): `INVALID_INPUT` (a wallet of another account), `RESPONSE_TOO_LARGE` (more than 5,000 transactions, or a file that is
   * longer than a response may be: use `transactions`), `TOO_MANY_REQUEST`, `SERVICE_UNAVAILABLE` (other files of the account or of the server
   * take too long).
   */
  readonly csvTransactions: Scalars['String']['output'];
  /** The wallet that receives money when the sender names only the user. */
  readonly defaultWallet: PublicWallet;
  /** The id of `defaultWallet`. */
  readonly defaultWalletId: Scalars['WalletId']['output'];
  /** The currency of the display amounts of this account. */
  readonly displayCurrency: Scalars['DisplayCurrency']['output'];
  /** The account's id; not a wallet id. */
  readonly id: Scalars['ID']['output'];
  /**
   * Invoices of the account, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** How far the operator has verified the account's owner. */
  readonly level: AccountLevel;
  /** What the account may send in any 24 hours, by its level. */
  readonly limits: AccountLimits;
  /** The latest 100 on-chain deposits that are not credited yet: those in the mempool or without their confirmations, and those below the deposit fee. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** Current prices in the account's display currency. Errors (top level): `PRICE_UNAVAILABLE` (no price in it now). */
  readonly realtimePrice: RealtimePrice;
  /**
   * Transactions of the account, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly transactions: Maybe<TransactionConnection>;
  /** The wallet of this account with this id. Errors (top level): `NOT_FOUND`. */
  readonly walletById: Wallet;
  /** All wallets of the account: bitcoin first, then US dollar. */
  readonly wallets: ReadonlyArray<Wallet>;
};


/** A user's account; the only kind of account. Requires scope `read`. */
export type ConsumerAccountCsvTransactionsArgs = {
  walletIds: ReadonlyArray<Scalars['WalletId']['input']>;
};


/** A user's account; the only kind of account. Requires scope `read`. */
export type ConsumerAccountInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** A user's account; the only kind of account. Requires scope `read`. */
export type ConsumerAccountPendingIncomingTransactionsArgs = {
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** A user's account; the only kind of account. Requires scope `read`. */
export type ConsumerAccountTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** A user's account; the only kind of account. Requires scope `read`. */
export type ConsumerAccountWalletByIdArgs = {
  walletId: Scalars['WalletId']['input'];
};

/** A country where people can sign in by phone. This server has none. */
export type Country = {
  readonly __typename?: 'Country';
  /** The code of the country by ISO 3166-1. */
  readonly id: Scalars['CountryCode']['output'];
  /** How a code is sent to a phone there. */
  readonly supportedAuthChannels: ReadonlyArray<PhoneCodeChannelType>;
};

/** A display currency. */
export type Currency = {
  readonly __typename?: 'Currency';
  /** An emoji flag of a country or region that uses the currency; empty if there is none. */
  readonly flag: Scalars['String']['output'];
  /** The number of decimal places: 2 means that the minor unit is a hundredth. */
  readonly fractionDigits: Scalars['Int']['output'];
  /** The currency code (ISO 4217). */
  readonly id: Scalars['ID']['output'];
  /** The name of the currency in English. */
  readonly name: Scalars['String']['output'];
  /** The currency symbol, written before an amount. */
  readonly symbol: Scalars['String']['output'];
};

/** What an amount in a currency was worth at a point in time. */
export type CurrencyConversionEstimation = {
  readonly __typename?: 'CurrencyConversionEstimation';
  /** The worth in satoshis, to the nearest. */
  readonly btcSatAmount: Scalars['SatAmount']['output'];
  /** The currency, and the amount in it, as `EUR:1.5`. */
  readonly id: Scalars['ID']['output'];
  /** When the price was determined. */
  readonly timestamp: Scalars['Timestamp']['output'];
  /** The worth in US cents, to the nearest. */
  readonly usdCentAmount: Scalars['CentAmount']['output'];
};

/** The fee of deposits up to an amount. */
export type DepositFeeTier = {
  readonly __typename?: 'DepositFeeTier';
  /** The fee, in satoshis. */
  readonly amount: Scalars['String']['output'];
  /** The most of a deposit of this tier, in satoshis; null: any amount above the tier before. */
  readonly maxAmount: Maybe<Scalars['String']['output']>;
};

/**
 * The fee of on-chain deposits. It is taken of each, or once of several to one address that are below it one by one: those wait until they are
 * more together. All amounts are in satoshis.
 */
export type DepositFeesInformation = {
  readonly __typename?: 'DepositFeesInformation';
  /** The fee of the first tier. */
  readonly minBankFee: Scalars['String']['output'];
  /** The most of a deposit that pays this fee. */
  readonly minBankFeeThreshold: Scalars['String']['output'];
  /** The part of the amount that is taken beside it: `0`, none. */
  readonly ratio: Scalars['String']['output'];
  /** The fees by the amount of the deposit, the smallest first. */
  readonly tiers: ReadonlyArray<DepositFeeTier>;
};

/** An e-mail address and its verification status. */
export type Email = {
  readonly __typename?: 'Email';
  /** The address as the user entered it. */
  readonly address: Maybe<Scalars['EmailAddress']['output']>;
  /** Whether the user has confirmed that they receive mail at this address. */
  readonly verified: Maybe<Scalars['Boolean']['output']>;
};

/** An error. Programs read `code`, people read `message`. */
export type Error = {
  /**
   * The error code. Codes are stable, and new ones can be added. Among them: `INVALID_INPUT`, `NOT_FOUND`, `TOO_MANY_REQUEST`,
   * `INSUFFICIENT_BALANCE`, `CANT_PAY_SELF`, `INVOICE_DECODE_ERROR`, `ROUTE_FINDING_ERROR`, `LIGHTNING_PAYMENT_ERROR`, `LND_OFFLINE`.
   */
  readonly code: Maybe<Scalars['String']['output']>;
  /** A description of the error in English. */
  readonly message: Scalars['String']['output'];
  /** The path of the invalid input, for example `["input", "amount"]`; null if the error is not about a single input. */
  readonly path: Maybe<ReadonlyArray<Maybe<Scalars['String']['output']>>>;
};

/** The units between which there is a price. */
export type ExchangeCurrencyUnit =
  /** One satoshi. */
  | 'BTCSAT'
  /** One US cent. */
  | 'USDCENT';

/** The fees of this server. */
export type FeesInformation = {
  readonly __typename?: 'FeesInformation';
  /** Of on-chain deposits. */
  readonly deposit: DepositFeesInformation;
};

/** Server information. */
export type Globals = {
  readonly __typename?: 'Globals';
  /** What accounts may send in any 24 hours, by their level, the lowest first; empty where the operator sets no limits. */
  readonly accountLimitsByLevel: ReadonlyArray<AccountLevelLimits>;
  /**
   * The latest block that this server's Lightning node knows, a few seconds old at most. Null while the node does not answer, and of a node that
   * does not report its block, such as the simulated one.
   */
  readonly blockInfo: Maybe<BlockInfo>;
  /** The software that this server runs. */
  readonly buildInformation: BuildInformation;
  /** What this server takes for what it does. */
  readonly feesInformation: FeesInformation;
  /** The domain of this server's Lightning addresses, after the @. */
  readonly lightningAddressDomain: Scalars['String']['output'];
  /** Other domains that work as aliases. */
  readonly lightningAddressDomainAliases: ReadonlyArray<Scalars['String']['output']>;
  /** The bitcoin network. */
  readonly network: Network;
  /** The public keys of this server's Lightning nodes, in hexadecimal. */
  readonly nodesIds: ReadonlyArray<Scalars['String']['output']>;
  /** Where people can sign in by phone: nowhere, so the list is empty. */
  readonly supportedCountries: ReadonlyArray<Country>;
};

/** The only kind of error. */
export type GraphQlApplicationError = Error & {
  readonly __typename?: 'GraphQLApplicationError';
  /**
   * The error code. Codes are stable, and new ones can be added. Among them: `INVALID_INPUT`, `NOT_FOUND`, `TOO_MANY_REQUEST`,
   * `INSUFFICIENT_BALANCE`, `CANT_PAY_SELF`, `INVOICE_DECODE_ERROR`, `ROUTE_FINDING_ERROR`, `LIGHTNING_PAYMENT_ERROR`, `LND_OFFLINE`.
   */
  readonly code: Maybe<Scalars['String']['output']>;
  /** A description of the error in English. */
  readonly message: Scalars['String']['output'];
  /** The path of the invalid input, for example `["input", "amount"]`; null if the error is not about a single input. */
  readonly path: Maybe<ReadonlyArray<Maybe<Scalars['String']['output']>>>;
};

/** How a payment was initiated. */
export type InitiationVia = InitiationViaIntraLedger | InitiationViaLn | InitiationViaOnChain;

/** Initiated as an internal transfer to a wallet on this server. */
export type InitiationViaIntraLedger = {
  readonly __typename?: 'InitiationViaIntraLedger';
  /** The counterparty's username; null if they have none. */
  readonly counterPartyUsername: Maybe<Scalars['Username']['output']>;
  /** The counterparty's wallet; null if unknown. */
  readonly counterPartyWalletId: Maybe<Scalars['WalletId']['output']>;
};

/** Initiated by a Lightning invoice. */
export type InitiationViaLn = {
  readonly __typename?: 'InitiationViaLn';
  /** The invoice's payment hash. */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The invoice; empty if unknown. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['output'];
};

/** Initiated by a bitcoin address. */
export type InitiationViaOnChain = {
  readonly __typename?: 'InitiationViaOnChain';
  /** The bitcoin address. */
  readonly address: Scalars['OnChainAddress']['output'];
};

/** A payment from wallet to wallet. */
export type IntraLedgerPaymentSendInput = {
  /** The amount in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** A memo that both sides can read. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The wallet that receives the money, for example from `accountDefaultWallet`. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
  /** The caller's bitcoin wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A payment without an invoice was received from another wallet of this server. */
export type IntraLedgerUpdate = {
  readonly __typename?: 'IntraLedgerUpdate';
  /**
   * The amount of the payment, in satoshis.
   * @deprecated Use `transaction.settlementAmount`.
   */
  readonly amount: Scalars['SatAmount']['output'];
  /**
   * The price of one satoshi at that time, in the major unit of the display currency.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly displayCurrencyPerSat: Scalars['Float']['output'];
  /** The recipient's side of the payment. */
  readonly transaction: Transaction;
  /** The kind of movement. */
  readonly txNotificationType: TxNotificationType;
  /**
   * The price of one satoshi at that time, in US dollars.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly usdPerSat: Scalars['Float']['output'];
  /**
   * The wallet that received the money.
   * @deprecated Query the transactions of the wallet instead.
   */
  readonly walletId: Scalars['WalletId']['output'];
};

/** A payment in dollars from wallet to wallet. */
export type IntraLedgerUsdPaymentSendInput = {
  /** The amount in cents; at least 1. */
  readonly amount: Scalars['CentAmount']['input'];
  /** A memo that both sides can read. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The wallet that receives the money, for example from `accountDefaultWallet`. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
  /** The caller's US dollar wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice of this server. */
export type Invoice = {
  /** When it was created. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** The creator's own reference; the payment hash if none was given. Unique among the invoices that the account's owner created. */
  readonly externalId: Scalars['TxExternalId']['output'];
  /** Whether the account's owner created this invoice and so chose `externalId`. False if another caller created it on the owner's behalf. */
  readonly externalIdByOwner: Scalars['Boolean']['output'];
  /** The payment hash, which identifies the payment on the Lightning network. */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The invoice in BOLT 11 encoding: the text that a payer scans or pastes. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['output'];
  /** The payment secret of the invoice (BOLT 11). Not the preimage, and not a proof of payment. */
  readonly paymentSecret: Scalars['LnPaymentSecret']['output'];
  /** The status of the invoice. */
  readonly paymentStatus: InvoicePaymentStatus;
};

/** A page of invoices, following the Relay connection specification. */
export type InvoiceConnection = {
  readonly __typename?: 'InvoiceConnection';
  /** The invoices of this page, newest first. */
  readonly edges: Maybe<ReadonlyArray<InvoiceEdge>>;
  /** Pagination info. */
  readonly pageInfo: PageInfo;
};

/** An invoice with its cursor. */
export type InvoiceEdge = {
  readonly __typename?: 'InvoiceEdge';
  /** The position of the invoice, for `after` or `before`. It stays valid when new invoices are created. */
  readonly cursor: Scalars['String']['output'];
  /** The invoice. */
  readonly node: Invoice;
};

/** The status of an invoice. */
export type InvoicePaymentStatus =
  /** It can no longer be paid: it was cancelled, or it expired and the Lightning node has confirmed that no payment is on its way. Final. */
  | 'EXPIRED'
  /** Paid; the amount is in the wallet. */
  | 'PAID'
  /** Not paid yet. Also for a moment after its expiry, and for as long as the Lightning node is away then. */
  | 'PENDING';

/** A rolling window of time that a spending limit is for. */
export type LimitTimeWindow =
  /** 365 days. */
  | 'ANNUAL'
  /** 24 hours. */
  | 'DAILY'
  /** 30 days. */
  | 'MONTHLY'
  /** 7 days. */
  | 'WEEKLY';

/** A payment to a Lightning address. */
export type LnAddressPaymentSendInput = {
  /** The amount that the recipient gets, in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** The address, as `name@host`, also after `lightning:`, `⚡` or `₿`. */
  readonly lnAddress: Scalars['String']['input'];
  /** The caller's wallet that pays, in either currency. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice for a fixed amount. */
export type LnInvoice = Invoice & {
  readonly __typename?: 'LnInvoice';
  /** When it was created. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** The creator's own reference; the payment hash if none was given. Unique among the invoices that the account's owner created. */
  readonly externalId: Scalars['TxExternalId']['output'];
  /** Whether the account's owner created this invoice and so chose `externalId`. False if another caller created it on the owner's behalf. */
  readonly externalIdByOwner: Scalars['Boolean']['output'];
  /** The payment hash, which identifies the payment on the Lightning network. */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The invoice in BOLT 11 encoding: the text that a payer scans or pastes. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['output'];
  /** The payment secret of the invoice (BOLT 11). Not the preimage, and not a proof of payment. */
  readonly paymentSecret: Scalars['LnPaymentSecret']['output'];
  /** The status of the invoice. */
  readonly paymentStatus: InvoicePaymentStatus;
  /** The amount of the invoice, in satoshis. */
  readonly satoshis: Scalars['SatAmount']['output'];
};

/** Identifies an invoice to cancel. */
export type LnInvoiceCancelInput = {
  /** The invoice's payment hash. */
  readonly paymentHash: Scalars['PaymentHash']['input'];
  /** The caller's wallet that the invoice pays into. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice for the caller's own wallet. */
export type LnInvoiceCreateInput = {
  /** The amount in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** Minutes until the invoice expires, 1 to 1440 (24 hours). Null or a value out of range means the default of 240 (4 hours). */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** Your own reference, unique per account; null means the payment hash. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** Description shown to the payer. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The caller's bitcoin wallet that receives the money. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice for another user's wallet. */
export type LnInvoiceCreateOnBehalfOfRecipientInput = {
  /** The amount in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /**
   * The SHA-256 of a description that the payer receives separately (LNURL). It replaces the memo in the invoice; only the recipient then sees
   * the memo.
   */
  readonly descriptionHash?: InputMaybe<Scalars['Hex32Bytes']['input']>;
  /** Minutes until the invoice expires, 1 to 1440 (24 hours). Null or a value out of range means the default of 240 (4 hours). */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** Your own reference, not necessarily unique; null means the payment hash. The recipient sees it with `externalIdByOwner: false`. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** Description shown to the payer, unless `descriptionHash` is set. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The bitcoin wallet that receives the money, for example from `accountDefaultWallet`. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
  /**
   * Where the end of the invoice is posted to, once: `invoice.paid` or `invoice.expired` (docs/webhooks.md). `https`, at most 2048 characters, on a
   * public address, without a user name or password.
   */
  readonly webhookUrl?: InputMaybe<Scalars['EndpointUrl']['input']>;
};

/** A Lightning invoice whose fee is asked for. */
export type LnInvoiceFeeProbeInput = {
  /** The invoice. It must state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's bitcoin wallet that would pay. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** The created invoice, or the errors. */
export type LnInvoicePayload = {
  readonly __typename?: 'LnInvoicePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The invoice; null if there are errors. */
  readonly invoice: Maybe<LnInvoice>;
};

/** A Lightning invoice to pay. */
export type LnInvoicePaymentInput = {
  /** A memo for the payer's own history; the recipient does not see it. Null means the invoice's description. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The invoice. It must state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** The public payment status of an invoice, for every caller that knows the invoice. */
export type LnInvoicePaymentStatus = {
  readonly __typename?: 'LnInvoicePaymentStatus';
  /** The invoice's payment hash. */
  readonly paymentHash: Maybe<Scalars['PaymentHash']['output']>;
  /** The proof of payment; null until the invoice is paid. */
  readonly paymentPreimage: Maybe<Scalars['LnPaymentPreImage']['output']>;
  /** The invoice. Null for an unpaid invoice created on behalf of its recipient, a few minutes after it expires: it is then deleted. */
  readonly paymentRequest: Maybe<Scalars['LnPaymentRequest']['output']>;
  /** The status of the invoice. */
  readonly status: Maybe<InvoicePaymentStatus>;
};

/** Identifies an invoice by its payment hash. */
export type LnInvoicePaymentStatusByHashInput = {
  /** The invoice's payment hash. */
  readonly paymentHash: Scalars['PaymentHash']['input'];
};

/** Identifies an invoice by its BOLT 11 text. */
export type LnInvoicePaymentStatusByPaymentRequestInput = {
  /** The invoice in BOLT 11 encoding. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** Identifies an invoice by its BOLT 11 text. */
export type LnInvoicePaymentStatusInput = {
  /** The invoice in BOLT 11 encoding. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** The status of an invoice, or the errors. All fields except `errors` are null if there are errors. */
export type LnInvoicePaymentStatusPayload = {
  readonly __typename?: 'LnInvoicePaymentStatusPayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The invoice's payment hash. */
  readonly paymentHash: Maybe<Scalars['PaymentHash']['output']>;
  /** The proof of payment; null until the invoice is paid. */
  readonly paymentPreimage: Maybe<Scalars['LnPaymentPreImage']['output']>;
  /** The invoice. Null for an unpaid invoice created on behalf of its recipient, a few minutes after it expires: it is then deleted. */
  readonly paymentRequest: Maybe<Scalars['LnPaymentRequest']['output']>;
  /** The status of the invoice. */
  readonly status: Maybe<InvoicePaymentStatus>;
};

/** A Lightning invoice without an amount: the payer chooses it. */
export type LnNoAmountInvoice = Invoice & {
  readonly __typename?: 'LnNoAmountInvoice';
  /** When it was created. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** The creator's own reference; the payment hash if none was given. Unique among the invoices that the account's owner created. */
  readonly externalId: Scalars['TxExternalId']['output'];
  /** Whether the account's owner created this invoice and so chose `externalId`. False if another caller created it on the owner's behalf. */
  readonly externalIdByOwner: Scalars['Boolean']['output'];
  /** The payment hash, which identifies the payment on the Lightning network. */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The invoice in BOLT 11 encoding: the text that a payer scans or pastes. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['output'];
  /** The payment secret of the invoice (BOLT 11). Not the preimage, and not a proof of payment. */
  readonly paymentSecret: Scalars['LnPaymentSecret']['output'];
  /** The status of the invoice. */
  readonly paymentStatus: InvoicePaymentStatus;
};

/** A Lightning invoice without an amount, for the caller's own wallet. */
export type LnNoAmountInvoiceCreateInput = {
  /**
   * Minutes until the invoice expires, 1 to 1440 (24 hours). Null or a value out of range means the default of 120 (2 hours). Of a US dollar wallet:
   * 1 or 2, and the default is 2.
   */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** Your own reference, unique per account; null means the payment hash. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** Description shown to the payer. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The caller's wallet that receives the money. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice without an amount, for another user's wallet. */
export type LnNoAmountInvoiceCreateOnBehalfOfRecipientInput = {
  /**
   * Minutes until the invoice expires, 1 to 1440 (24 hours). Null or a value out of range means the default of 120 (2 hours). Of a US dollar wallet:
   * 1 or 2, and the default is 2.
   */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** Your own reference, not necessarily unique; null means the payment hash. The recipient sees it with `externalIdByOwner: false`. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** Description shown to the payer. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The wallet that receives the money, for example from `accountDefaultWallet`. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
  /**
   * Where the end of the invoice is posted to, once: `invoice.paid` or `invoice.expired` (docs/webhooks.md). `https`, at most 2048 characters, on a
   * public address, without a user name or password.
   */
  readonly webhookUrl?: InputMaybe<Scalars['EndpointUrl']['input']>;
};

/** A Lightning invoice without an amount whose fee is asked for. */
export type LnNoAmountInvoiceFeeProbeInput = {
  /** The amount in satoshis that would be paid; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** The invoice. It must not state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's bitcoin wallet that would pay. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** The created invoice, or the errors. */
export type LnNoAmountInvoicePayload = {
  readonly __typename?: 'LnNoAmountInvoicePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The invoice; null if there are errors. */
  readonly invoice: Maybe<LnNoAmountInvoice>;
};

/** A Lightning invoice without an amount to pay. */
export type LnNoAmountInvoicePaymentInput = {
  /** The amount in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** A memo for the payer's own history; the recipient does not see it. Null means the invoice's description. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The invoice. It must not state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's bitcoin wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice without an amount whose fee from a US dollar wallet is asked for. */
export type LnNoAmountUsdInvoiceFeeProbeInput = {
  /** The amount in cents that would be paid; at least 1. */
  readonly amount: Scalars['CentAmount']['input'];
  /** The invoice. It must not state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's US dollar wallet that would pay. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice without an amount to pay from a US dollar wallet. */
export type LnNoAmountUsdInvoicePaymentInput = {
  /** The amount in cents; at least 1. */
  readonly amount: Scalars['CentAmount']['input'];
  /** A memo for the payer's own history; the recipient does not see it. Null means the invoice's description. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The invoice. It must not state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's US dollar wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** An invoice was paid, over the Lightning network or from another wallet of this server. */
export type LnUpdate = {
  readonly __typename?: 'LnUpdate';
  /**
   * The payment hash of the invoice.
   * @deprecated Use `initiationVia` of `transaction`.
   */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The status of the invoice. */
  readonly status: InvoicePaymentStatus;
  /** The recipient's side of the payment. */
  readonly transaction: Transaction;
  /**
   * The wallet that received the money.
   * @deprecated Query the transactions of the wallet instead.
   */
  readonly walletId: Scalars['WalletId']['output'];
};

/** A Lightning invoice in satoshis for another user's US dollar wallet. */
export type LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput = {
  /** The amount in satoshis that the payer pays; worth at least a cent. */
  readonly amount: Scalars['SatAmount']['input'];
  /**
   * The SHA-256 of a description that the payer receives separately (LNURL). It replaces the memo in the invoice; only the recipient then sees
   * the memo.
   */
  readonly descriptionHash?: InputMaybe<Scalars['Hex32Bytes']['input']>;
  /** Minutes until the invoice expires, 1 or 2. Null or a value out of range means the default of 2. */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** Your own reference, not necessarily unique; null means the payment hash. The recipient sees it with `externalIdByOwner: false`. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** Description shown to the payer, unless `descriptionHash` is set. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The US dollar wallet that receives the money, for example from `accountDefaultWallet`. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
  /**
   * Where the end of the invoice is posted to, once: `invoice.paid` or `invoice.expired` (docs/webhooks.md). `https`, at most 2048 characters, on a
   * public address, without a user name or password.
   */
  readonly webhookUrl?: InputMaybe<Scalars['EndpointUrl']['input']>;
};

/** A Lightning invoice for the caller's own US dollar wallet. */
export type LnUsdInvoiceCreateInput = {
  /** The amount in cents that the wallet gets; at least 1. */
  readonly amount: Scalars['CentAmount']['input'];
  /** Minutes until the invoice expires, 1 or 2. Null or a value out of range means the default of 2. */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** Your own reference, unique per account; null means the payment hash. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** Description shown to the payer. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The caller's US dollar wallet that receives the money. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice in cents for another user's US dollar wallet. */
export type LnUsdInvoiceCreateOnBehalfOfRecipientInput = {
  /** The amount in cents that the wallet gets; at least 1. */
  readonly amount: Scalars['CentAmount']['input'];
  /**
   * The SHA-256 of a description that the payer receives separately (LNURL). It replaces the memo in the invoice; only the recipient then sees
   * the memo.
   */
  readonly descriptionHash?: InputMaybe<Scalars['Hex32Bytes']['input']>;
  /** Minutes until the invoice expires, 1 or 2. Null or a value out of range means the default of 2. */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** Your own reference, not necessarily unique; null means the payment hash. The recipient sees it with `externalIdByOwner: false`. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** Description shown to the payer, unless `descriptionHash` is set. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The US dollar wallet that receives the money, for example from `accountDefaultWallet`. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
  /**
   * Where the end of the invoice is posted to, once: `invoice.paid` or `invoice.expired` (docs/webhooks.md). `https`, at most 2048 characters, on a
   * public address, without a user name or password.
   */
  readonly webhookUrl?: InputMaybe<Scalars['EndpointUrl']['input']>;
};

/** A Lightning invoice whose fee from a US dollar wallet is asked for. */
export type LnUsdInvoiceFeeProbeInput = {
  /** The invoice. It must state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's US dollar wallet that would pay. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A payment to an LNURL. */
export type LnurlPaymentSendInput = {
  /** The amount that the recipient gets, in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** The LNURL: `lnurl1…`, also after `lightning:` or in a link, or `lnurlp://…`. A Lightning address too. */
  readonly lnurl: Scalars['String']['input'];
  /** The caller's wallet that pays, in either currency. */
  readonly walletId: Scalars['WalletId']['input'];
};

/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Deletes the caller's account, for good: wallets, keys, apps, webhooks and the sign-in end, and open invoices are cancelled. The username is never
   * given to another user. Requires a session: API keys and apps get `NOT_AUTHORIZED`. One that signed in more than 10 minutes ago gets
   * `INSUFFICIENT_USER_AUTHENTICATION`.
   * Errors: `ACCOUNT_NOT_EMPTY` (a satoshi or a cent is left), `PAYMENT_IN_FLIGHT`, `INVOICE_OPEN` (one that could not be cancelled), `ACCOUNT_FROZEN`,
   * `OPERATOR_ACCOUNT`, `PAYMENT_BUSY`.
   */
  readonly accountDelete: AccountDeletePayload;
  /**
   * Chooses the wallet that receives money when the sender names only the user. Scope: `write`. To select `account`, also `read`.
   * Lightning addresses receive bitcoin and always pay into the bitcoin wallet.
   * Errors: `NOT_FOUND` (not a wallet of the caller).
   */
  readonly accountUpdateDefaultWalletId: AccountUpdateDefaultWalletIdPayload;
  /**
   * Chooses the display currency of the account: that of `Account.realtimePrice` and of the display amounts of transactions from now on. Older
   * transactions keep theirs. Scope: `write`. To select `account`, also `read`.
   * Errors: `INVALID_INPUT` (no price in this currency: `currencyList` has those with one), `PRICE_UNAVAILABLE` (no price now; `USD` can be
   * chosen nevertheless).
   */
  readonly accountUpdateDisplayCurrency: AccountUpdateDisplayCurrencyPayload;
  /**
   * Creates an API key for the signed-in user. Requires a session: API keys and ordinary apps get `NOT_AUTHORIZED`. An app that the operator
   * trusts with keys can also call it, with the scope `write`, and can grant only scopes that it has itself, and
   * `RECEIVE` where it has `write`.
   * Errors (top level): `INVALID_INPUT` (invalid name or expiry, empty list of scopes, too many active keys).
   */
  readonly apiKeyCreate: ApiKeyCreatePayload;
  /**
   * Removes the spending limit of an API key in one window; the other windows keep theirs. Idempotent. Requires a session (others get
   * `NOT_AUTHORIZED`), or an app that the operator trusts with keys (scope `write`), for keys that it created, except for
   * limits that their owner has set: no key lifts its own limit.
   * Errors (top level): `NOT_FOUND` (not a key of the caller), `API_KEY_ENDED` (it was revoked or has expired).
   */
  readonly apiKeyRemoveLimit: ApiKeySetLimitPayload;
  /**
   * Revokes an API key permanently and closes open connections that use it within a second. Idempotent. Requires a session (others get
   * `NOT_AUTHORIZED`), or an app that the operator trusts with keys (scope `write`), for keys that it created.
   * Errors (top level): `NOT_FOUND` (not a key of the caller).
   */
  readonly apiKeyRevoke: ApiKeyRevokePayload;
  /**
   * Sets the most that an API key may spend in one rolling window, or replaces it; it counts also what the key has spent before. A payment that
   * exceeds a limit of its key gets `TRANSACTION_RESTRICTED`. Requires a session (others get `NOT_AUTHORIZED`), or an app that the operator trusts
   * with keys (scope `write`), for keys that it created; a limit that their owner has set it may lower only: no key lifts its own limit.
   * Errors (top level): `INVALID_INPUT` (the limit is not positive), `NOT_FOUND` (not a key of the caller), `API_KEY_ENDED` (it was revoked or has
   * expired).
   */
  readonly apiKeySetLimit: ApiKeySetLimitPayload;
  /**
   * Sends a delivery that has ended again, or one that waits now, with the same id and all pauses of a new delivery. Requires a session: API
   * keys and apps get `NOT_AUTHORIZED`. Errors: `NOT_FOUND` (not a delivery to an endpoint of the caller, or no longer kept), `INVALID_INPUT`
   * (it is being sent, or too many deliveries of its endpoint wait).
   */
  readonly callbackDeliveryReplay: SuccessPayload;
  /**
   * Adds a webhook endpoint for events of the caller's account. Requires a session (others get `NOT_AUTHORIZED`), an app that the operator
   * trusts with keys (scope `write`) and whose consent includes webhooks, or an API key with `manageCallbacks`.
   * Errors: `ENDPOINT_URL_REFUSED` (no TLS, an address that is not public, a user name in the URL), `INVALID_INPUT` (too many endpoints).
   */
  readonly callbackEndpointAdd: CallbackEndpointAddPayload;
  /**
   * Deletes a webhook endpoint with its deliveries, also those that wait. Requires a session (others get `NOT_AUTHORIZED`), an app that the
   * operator trusts with keys (scope `write`) and whose consent includes webhooks, or an API key with `manageCallbacks`.
   * Errors: `NOT_FOUND` (not an endpoint of the caller; for an API key: not one that it added).
   */
  readonly callbackEndpointDelete: SuccessPayload;
  /**
   * Transfers satoshis from a bitcoin wallet of the caller to another wallet of this server, immediately and without a fee. Scope: `write`.
   * A US dollar wallet, also the caller's own, gets whole cents at the price of the moment. Not idempotent without an `Idempotency-Key`: a
   * repeat pays again.
   * Errors: `INVALID_INPUT` (amount of zero, or worth less than a cent; a wallet in dollars that pays), `NOT_FOUND` (either wallet),
   * `CANT_PAY_SELF` (both wallets are the same), `INSUFFICIENT_BALANCE`, `ACCOUNT_FROZEN` and `SENDS_STOPPED` (the operator, or a failed audit, has
   * stopped sends), `NOT_AUTHENTICATED` (the credential ended before the payment began; nothing was sent),
   * `PAYMENT_BUSY` and `PAYMENT_NOT_SENT` (nothing was sent; try again), `PRICE_UNAVAILABLE` (no price of dollars now),
   * `DEALER_LIMIT` (this server accepts no more dollars now), `TRANSACTION_RESTRICTED` (a limit of the account, or of the key or app),
   * `ACCESS_PAUSED` (paused after the request; nothing was sent).
   */
  readonly intraLedgerPaymentSend: PaymentSendPayload;
  /**
   * Transfers cents from a US dollar wallet of the caller to another wallet of this server, immediately and without a fee. Scope: `write`.
   * A bitcoin wallet, also the caller's own, gets whole satoshis at the price of the moment. Not idempotent without an `Idempotency-Key`: a repeat
   * pays again.
   * Errors: those of `intraLedgerPaymentSend`; `INVALID_INPUT` also for a bitcoin wallet that pays.
   */
  readonly intraLedgerUsdPaymentSend: PaymentSendPayload;
  /**
   * Pays a Lightning address, such as `alice@wallet.example`: requests an invoice from the server of the address, verifies it, and pays it like
   * `lnInvoicePaymentSend`. An address of this server is paid internally, without a fee. Scope: `write`.
   * The amount is in satoshis, from a US dollar wallet too, which pays it and the fee in cents at the price of that moment.
   * Each call requests another invoice and is another payment: send an `Idempotency-Key` with it, so that a repeat does not pay twice.
   * Errors: those of `lnInvoicePaymentSend`, `INVALID_INPUT` (not a Lightning address, an amount of zero, or one that the recipient does not
   * accept), `LNURL_REQUEST_INVOICE_ERROR` (the recipient's server did not return a valid invoice; nothing was sent, try again) and
   * `TOO_MANY_REQUEST` (rate limit by account).
   */
  readonly lnAddressPaymentSend: PaymentSendPayload;
  /**
   * Cancels an unpaid invoice of the caller, so that it can no longer be paid. Scope: `receive` or `write`.
   * Errors: `NOT_FOUND` (wallet or invoice), `INVALID_INPUT` (the invoice is paid, or a payment is in flight), `LND_OFFLINE` (the Lightning
   * node is unreachable; the invoice can still be paid), `LIGHTNING_UNSUPPORTED` (the node of this server cannot cancel invoices).
   */
  readonly lnInvoiceCancel: SuccessPayload;
  /**
   * Creates a Lightning invoice that pays into a bitcoin wallet of the caller. Scope: `receive` or `write`.
   * Errors: `INVALID_INPUT` (amount of zero, memo too long, external id already used, wallet of the wrong currency), `NOT_FOUND` (wallet),
   * `LND_OFFLINE` (the Lightning node is unreachable).
   */
  readonly lnInvoiceCreate: LnInvoicePayload;
  /**
   * Creates a Lightning invoice that pays into another user's bitcoin wallet: for shops, donation pages and Lightning addresses. No credential
   * required.
   * Errors: those of `lnInvoiceCreate`, `ENDPOINT_URL_REFUSED` (`webhookUrl`: no TLS, an address that is not public, a user name in the URL), and
   * `TOO_MANY_REQUEST` (rate limits: by address without a credential, by account with one, and by recipient).
   */
  readonly lnInvoiceCreateOnBehalfOfRecipient: LnInvoicePayload;
  /**
   * The fee of a payment of this invoice, in satoshis: an estimate. Nothing is paid, held or sent. Scope: `read` or `write`.
   * An invoice of this server costs 0; one of a US dollar wallet, what the price has moved by, as the payment. If the Lightning node cannot estimate the fee, or does not answer within a second, the result is the fee
   * limit: the most that the payment can cost beside its amount. The part of the limit that a payment does not use is never charged.
   * Errors: `INVOICE_DECODE_ERROR`, `INVALID_INPUT` (no amount in the invoice, wallet of the wrong currency), `NOT_FOUND` (wallet),
   * `LIGHTNING_PAYMENT_ERROR` (expired, cancelled), `INVOICE_TEXT_MISMATCH` (the text differs from this server's invoice with the same hash),
   * `INVOICE_PRICE_MOVED` and `PRICE_UNAVAILABLE` (as the payment), `LIGHTNING_UNSUPPORTED` (the node of this server cannot limit the fee of a payment), `ROUTE_FINDING_ERROR` (the node knows no single route
   * within the fee limit; `amount` is the fee limit then: a payment in several parts may still succeed).
   */
  readonly lnInvoiceFeeProbe: SatAmountPayload;
  /**
   * Pays a Lightning invoice that states its amount. Scope: `write`.
   * Returns when the outcome is final, or `PENDING` after `PAYMENT_WAIT_SECONDS` (30 by default); `myUpdates` and the transaction's `status`
   * then report the final outcome. An invoice of this server is settled internally, without a fee.
   * Idempotent for each invoice: it is paid once. A repeat by the payer returns `ALREADY_PAID` or, while the first attempt is in flight,
   * `PENDING` with the same transaction. After `FAILURE`, a repeat is a new attempt.
   * From a US dollar wallet, the amount and the fee limit are held in cents at the price of that moment; what is not used is free again.
   * From a bitcoin wallet, an invoice of a US dollar wallet of this server costs its amount, or, where the price has moved since against the
   * dealer, the satoshis of now: at most 0.5 % more, and else the result is `INVOICE_PRICE_MOVED`. Between wallets of one account, it is a
   * conversion at the price of now. The recipient gets the cents of the invoice in each case.
   * Errors: `INVOICE_DECODE_ERROR`, `INVALID_INPUT` (no amount in the invoice), `NOT_FOUND` (wallet), `PRICE_UNAVAILABLE` (a US dollar wallet on
   * either side, and no price now), `INVOICE_PRICE_MOVED` (nothing was sent: ask for another invoice), `DEALER_LIMIT` (an invoice of a US dollar wallet, and this server accepts no more dollars now),
   * `INSUFFICIENT_BALANCE` (the balance does not cover the amount and the fee limit), `CANT_PAY_SELF`, `ROUTE_FINDING_ERROR`,
   * `LIGHTNING_PAYMENT_ERROR` (expired, paid by another account, rejected by the recipient), `INVOICE_BEING_PAID` (another account is paying
   * it), `INVOICE_TEXT_MISMATCH` (the text differs from this server's invoice with the same hash), `ACCOUNT_FROZEN` and `SENDS_STOPPED`
   * (the operator, or a failed audit, has stopped sends), `NOT_AUTHENTICATED` (the credential ended before the payment began; nothing was sent),
   * `PAYMENT_BUSY` and `PAYMENT_NOT_SENT` (nothing was sent; try again), `LIGHTNING_UNSUPPORTED` (the node of this server
   * cannot limit the fee of a payment), `TRANSACTION_RESTRICTED` (a limit of the account, or of the key or app), `ACCESS_PAUSED` (paused
   * after the request; nothing was sent).
   * If the Lightning node is unreachable, the payment fails with `LIGHTNING_PAYMENT_ERROR` where it is certain that nothing was sent, and otherwise
   * stays `PENDING` without an error.
   */
  readonly lnInvoicePaymentSend: PaymentSendPayload;
  /**
   * Creates a Lightning invoice without an amount, which pays into a wallet of the caller: the payer chooses the amount, and the wallet gets what
   * arrives; a US dollar wallet gets it at the price at which the invoice was created, or at that of now, if it gets less by that. Scope: `receive` or `write`.
   * Errors: those of `lnInvoiceCreate`, except for the amount, and those of `lnUsdInvoiceCreate` for a US dollar wallet.
   */
  readonly lnNoAmountInvoiceCreate: LnNoAmountInvoicePayload;
  /**
   * Creates a Lightning invoice without an amount, which pays into another user's wallet. No credential required.
   * Errors: those of `lnNoAmountInvoiceCreate`, `ENDPOINT_URL_REFUSED` (`webhookUrl`) and `TOO_MANY_REQUEST` (rate limits, counted together with
   * `lnInvoiceCreateOnBehalfOfRecipient`).
   */
  readonly lnNoAmountInvoiceCreateOnBehalfOfRecipient: LnNoAmountInvoicePayload;
  /**
   * The fee of a payment of an invoice without an amount, in satoshis: an estimate. Scope: `read` or `write`.
   * The result and the errors are those of `lnInvoiceFeeProbe`, and `INVALID_INPUT` (amount of zero; the invoice states its amount: use
   * `lnInvoiceFeeProbe`).
   */
  readonly lnNoAmountInvoiceFeeProbe: SatAmountPayload;
  /**
   * Pays a Lightning invoice without an amount: the payer chooses it. Scope: `write`.
   * The outcome and the errors are those of `lnInvoicePaymentSend`, and `INVALID_INPUT` (amount of zero, or more than a wallet can hold; the invoice
   * states its amount: use `lnInvoicePaymentSend`).
   * Idempotent for each invoice: it is paid once, whatever the amount. A repeat by the payer, also with another amount, returns `ALREADY_PAID` or,
   * while the first attempt is in flight, `PENDING`, with the transaction of the first attempt. After `FAILURE`, a repeat is a new attempt.
   */
  readonly lnNoAmountInvoicePaymentSend: PaymentSendPayload;
  /**
   * The fee of a payment of an invoice without an amount from a US dollar wallet, in cents: an estimate. Scope: `read` or `write`.
   * The result and the errors are those of `lnUsdInvoiceFeeProbe`, and `INVALID_INPUT` (amount of zero; the invoice states its amount: use
   * `lnUsdInvoiceFeeProbe`).
   */
  readonly lnNoAmountUsdInvoiceFeeProbe: CentAmountPayload;
  /**
   * Pays a Lightning invoice without an amount from a US dollar wallet: the payer chooses the amount in cents, and the recipient gets the whole
   * satoshis that these are worth. Scope: `write`.
   * The outcome and the errors are those of `lnNoAmountInvoicePaymentSend`; `INVALID_INPUT` also for a bitcoin wallet.
   */
  readonly lnNoAmountUsdInvoicePaymentSend: PaymentSendPayload;
  /**
   * Creates a Lightning invoice in satoshis that pays into another user's US dollar wallet, which gets whole cents at the price of the moment at
   * which the invoice is created. No credential required.
   * Errors: those of `lnUsdInvoiceCreateOnBehalfOfRecipient`; `INVALID_INPUT` also for an amount that is worth less than a cent.
   */
  readonly lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient: LnInvoicePayload;
  /**
   * Creates a Lightning invoice that pays an amount in cents into a US dollar wallet of the caller. The payer pays the satoshis that the invoice
   * states, at the price of the moment at which it is created; so it expires after 2 minutes at the latest. Scope: `receive` or `write`.
   * Errors: those of `lnInvoiceCreate`, `PRICE_UNAVAILABLE` (no price of dollars now), `DEALER_LIMIT` (this server accepts no more dollars now,
   * or the account has open invoices of as many dollars as it may have: by itself, and as many by others).
   */
  readonly lnUsdInvoiceCreate: LnInvoicePayload;
  /**
   * Creates a Lightning invoice that pays an amount in cents into another user's US dollar wallet. No credential required.
   * Errors: those of `lnUsdInvoiceCreate`, `ENDPOINT_URL_REFUSED` (`webhookUrl`) and `TOO_MANY_REQUEST` (rate limits, counted together with
   * `lnInvoiceCreateOnBehalfOfRecipient`).
   */
  readonly lnUsdInvoiceCreateOnBehalfOfRecipient: LnInvoicePayload;
  /**
   * The fee of a payment of this invoice from a US dollar wallet: an estimate. `amount` is in **cents**, although its type is for satoshis: clients
   * written for this API expect that. Scope: `read` or `write`.
   * The result and the errors are those of `lnInvoiceFeeProbe`, and `PRICE_UNAVAILABLE` (no price of dollars now).
   */
  readonly lnUsdInvoiceFeeProbe: SatAmountPayload;
  /**
   * Pays an LNURL of the kind `payRequest` (LUD-06) like `lnAddressPaymentSend`. Scope: `write`.
   * Each call requests another invoice and is another payment: send an `Idempotency-Key` with it, so that a repeat does not pay twice.
   * Errors: those of `lnAddressPaymentSend`.
   */
  readonly lnurlPaymentSend: PaymentSendPayload;
  /**
   * A new bitcoin address of the wallet, of which 20 an hour can be made. An address of a wallet always receives.
   * Scope: `receive` or `write`. Errors: `NOT_FOUND` (not a wallet of the caller), `ONCHAIN_UNSUPPORTED` (this server has no on-chain wallet),
   * `LND_OFFLINE` (the wallet does not answer).
   */
  readonly onChainAddressCreate: OnChainAddressPayload;
  /** The latest bitcoin address of the wallet; the first, where it has none. Scope: `receive` or `write`. Errors: those of `onChainAddressCreate`. */
  readonly onChainAddressCurrent: OnChainAddressPayload;
  /**
   * Pays a bitcoin address from a bitcoin wallet of the caller. Scope: `write`.
   * `SUCCESS` means that the payment is made: the amount and the highest fee are held, and the payment leaves in a transaction with others, as soon
   * as its speed says. Its own transaction is `PENDING` until a block has it; then it states the fee that it has cost. An address of this server is
   * paid at once and without a fee. Not idempotent without an `Idempotency-Key`: a repeat pays again.
   * Errors: `INVALID_INPUT` (no address of the network in `globals.network`, amount of zero, below what a transaction may pay to the address, or
   * below the fee, wallet in dollars), `NOT_FOUND` (wallet), `CANT_PAY_SELF` (the address is of the same wallet), `INSUFFICIENT_BALANCE` (the balance
   * does not cover the amount and the fee), `LIQUIDITY` (this server has too few bitcoin on chain now), `LND_OFFLINE` (its wallet does not
   * answer), `ONCHAIN_UNSUPPORTED` (it has none), `TRANSACTION_RESTRICTED` (a limit of the account, or of the key or app), `ACCOUNT_FROZEN` and
   * `SENDS_STOPPED` (the operator, or a failed audit, has stopped sends), `NOT_AUTHENTICATED` (the credential ended before the payment began; nothing
   * was sent), `PAYMENT_BUSY` and `PAYMENT_NOT_SENT` (nothing was sent; try again).
   */
  readonly onChainPaymentSend: PaymentSendPayload;
  /**
   * Pays all that a wallet of the caller has to a bitcoin address, in either currency: the address gets what the fee leaves. Scope: `write`.
   * The fee is what is held at first, also where the transaction costs less or more. The outcome and the errors are those of `onChainPaymentSend`;
   * `PRICE_UNAVAILABLE` for a wallet in dollars (no price now).
   */
  readonly onChainPaymentSendAll: PaymentSendPayload;
  /**
   * Pays a bitcoin address from a US dollar wallet of the caller: it gets the whole satoshis that the cents are worth. Scope: `write`.
   * The outcome and the errors are those of `onChainPaymentSend`; `INVALID_INPUT` also for a bitcoin wallet, and for an amount that is worth less
   * than a satoshi; `PRICE_UNAVAILABLE` (no price of dollars now).
   */
  readonly onChainUsdPaymentSend: PaymentSendPayload;
  /** The same with the amount in satoshis. Scope: `write`. The outcome and the errors are those of `onChainUsdPaymentSend`. */
  readonly onChainUsdPaymentSendAsBtcDenominated: PaymentSendPayload;
  /**
   * Refused: people sign in with their e-mail address, so it is changed and not removed. Requires a session: API keys and apps get `NOT_AUTHORIZED`.
   * Errors: `INVALID_INPUT` (the address is needed).
   */
  readonly userEmailDelete: UserEmailDeletePayload;
  /**
   * Sends a code of six digits to an address: the caller's, to confirm it, or another one, to change it. Nothing changes until
   * `userEmailRegistrationValidate`. Requires a session: API keys and apps get `NOT_AUTHORIZED`. For another address it must have signed in within
   * the last ten minutes: otherwise the top-level error is `INSUFFICIENT_USER_AUTHENTICATION`. The answer does not say whether another user has the address.
   * Errors: `INVALID_INPUT` (no e-mail address), `SERVICE_UNAVAILABLE` (this server sends no mail), `TOO_MANY_REQUEST`.
   */
  readonly userEmailRegistrationInitiate: UserEmailRegistrationInitiatePayload;
  /**
   * Makes an address the caller's, with the code that was sent to it; the address before gets a message, and can undo the change for 7 days. Requires
   * a session: API keys and apps get `NOT_AUTHORIZED`.
   * Errors: `INVALID_INPUT` (the code is wrong), `NOT_FOUND` (the registration has expired after 15 minutes or five wrong codes, was replaced, or
   * belongs to another user).
   */
  readonly userEmailRegistrationValidate: UserEmailRegistrationValidatePayload;
  /**
   * Ends the session that this request uses; its WebSockets close within a second. Other sessions, keys and apps stay. Requires a session: API
   * keys and apps get `NOT_AUTHORIZED`, because they have no session; revoke them instead.
   */
  readonly userLogout: SuccessPayload;
  /**
   * Turns the caller's authenticator app off; without another factor their recovery codes end too. Requires a session: API keys and apps get
   * `NOT_AUTHORIZED`. It must have signed in within the last ten minutes: otherwise the top-level error is `INSUFFICIENT_USER_AUTHENTICATION`.
   */
  readonly userTotpDelete: UserTotpDeletePayload;
  /**
   * Creates a secret for an authenticator app; nothing changes until `userTotpRegistrationValidate`. Requires a session: API keys and apps get `NOT_AUTHORIZED`. When it signed in is judged as for `userTotpDelete`.
   * Errors: `INVALID_INPUT` (an authenticator app is on).
   */
  readonly userTotpRegistrationInitiate: UserTotpRegistrationInitiatePayload;
  /**
   * Turns an authenticator app on, with the first code that it shows: each later sign-in asks for one. The page Security creates recovery codes.
   * Requires a session: API keys and apps get `NOT_AUTHORIZED`. When it signed in is judged as for `userTotpDelete`.
   * Errors: `INVALID_INPUT` (the code is wrong, or an authenticator app is on), `NOT_FOUND` (the registration has expired after an hour, or belongs
   * to another user).
   */
  readonly userTotpRegistrationValidate: UserTotpRegistrationValidatePayload;
  /**
   * Chooses the caller's language. Scope: `write`. To select `user`, also `read`.
   * Errors: `INVALID_INPUT` (not a language tag, or not a known language).
   */
  readonly userUpdateLanguage: UserUpdateLanguagePayload;
  /**
   * Changes the caller's username, at most once in 90 days; the name that the caller has already always succeeds. Payments to a former name arrive
   * as long as the account exists, and no other user can ever have it. Scope: `write`. To select `user`, also `read`.
   * Errors: `INVALID_INPUT` (not a valid username), `USERNAME_ERROR` (taken, reserved, or changed in the last 90 days).
   */
  readonly userUpdateUsername: UserUpdateUsernamePayload;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationAccountUpdateDefaultWalletIdArgs = {
  input: AccountUpdateDefaultWalletIdInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationAccountUpdateDisplayCurrencyArgs = {
  input: AccountUpdateDisplayCurrencyInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationApiKeyCreateArgs = {
  input: ApiKeyCreateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationApiKeyRemoveLimitArgs = {
  input: ApiKeyRemoveLimitInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationApiKeyRevokeArgs = {
  input: ApiKeyRevokeInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationApiKeySetLimitArgs = {
  input: ApiKeySetLimitInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationCallbackDeliveryReplayArgs = {
  input: CallbackDeliveryReplayInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationCallbackEndpointAddArgs = {
  input: CallbackEndpointAddInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationCallbackEndpointDeleteArgs = {
  input: CallbackEndpointDeleteInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationIntraLedgerPaymentSendArgs = {
  input: IntraLedgerPaymentSendInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationIntraLedgerUsdPaymentSendArgs = {
  input: IntraLedgerUsdPaymentSendInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnAddressPaymentSendArgs = {
  input: LnAddressPaymentSendInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnInvoiceCancelArgs = {
  input: LnInvoiceCancelInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnInvoiceCreateArgs = {
  input: LnInvoiceCreateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnInvoiceCreateOnBehalfOfRecipientArgs = {
  input: LnInvoiceCreateOnBehalfOfRecipientInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnInvoiceFeeProbeArgs = {
  input: LnInvoiceFeeProbeInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnInvoicePaymentSendArgs = {
  input: LnInvoicePaymentInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnNoAmountInvoiceCreateArgs = {
  input: LnNoAmountInvoiceCreateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnNoAmountInvoiceCreateOnBehalfOfRecipientArgs = {
  input: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnNoAmountInvoiceFeeProbeArgs = {
  input: LnNoAmountInvoiceFeeProbeInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnNoAmountInvoicePaymentSendArgs = {
  input: LnNoAmountInvoicePaymentInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnNoAmountUsdInvoiceFeeProbeArgs = {
  input: LnNoAmountUsdInvoiceFeeProbeInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnNoAmountUsdInvoicePaymentSendArgs = {
  input: LnNoAmountUsdInvoicePaymentInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientArgs = {
  input: LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnUsdInvoiceCreateArgs = {
  input: LnUsdInvoiceCreateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnUsdInvoiceCreateOnBehalfOfRecipientArgs = {
  input: LnUsdInvoiceCreateOnBehalfOfRecipientInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnUsdInvoiceFeeProbeArgs = {
  input: LnUsdInvoiceFeeProbeInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationLnurlPaymentSendArgs = {
  input: LnurlPaymentSendInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationOnChainAddressCreateArgs = {
  input: OnChainAddressCreateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationOnChainAddressCurrentArgs = {
  input: OnChainAddressCurrentInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationOnChainPaymentSendArgs = {
  input: OnChainPaymentSendInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationOnChainPaymentSendAllArgs = {
  input: OnChainPaymentSendAllInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationOnChainUsdPaymentSendArgs = {
  input: OnChainUsdPaymentSendInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationOnChainUsdPaymentSendAsBtcDenominatedArgs = {
  input: OnChainUsdPaymentSendAsBtcDenominatedInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationUserEmailRegistrationInitiateArgs = {
  input: UserEmailRegistrationInitiateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationUserEmailRegistrationValidateArgs = {
  input: UserEmailRegistrationValidateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationUserLogoutArgs = {
  input?: InputMaybe<UserLogoutInput>;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationUserTotpRegistrationValidateArgs = {
  input: UserTotpRegistrationValidateInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationUserUpdateLanguageArgs = {
  input: UserUpdateLanguageInput;
};


/**
 * Write operations. Mutations run over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries. All other errors are in the payload's `errors`, which is empty on
 * success.
 * A request with the header `Idempotency-Key` runs once: a repeat with the same key within 24 hours gets the stored response.
 */
export type MutationUserUpdateUsernameArgs = {
  input: UserUpdateUsernameInput;
};

/** An event of `myUpdates`: either `update` is set, or `errors` is not empty. */
export type MyUpdatesPayload = {
  readonly __typename?: 'MyUpdatesPayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The user whose money moved. */
  readonly me: Maybe<User>;
  /** The update; null if there are errors. */
  readonly update: Maybe<UserUpdate>;
};

/** A bitcoin network. */
export type Network =
  /** The main network, with real money. */
  | 'mainnet'
  /** A private chain for development and tests; used by the demo. */
  | 'regtest'
  /** The test network with signed blocks. */
  | 'signet'
  /** The public test network. */
  | 'testnet';

/** The wallet for which an address is made. */
export type OnChainAddressCreateInput = {
  /** The wallet that receives. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** The wallet whose address is asked for. */
export type OnChainAddressCurrentInput = {
  /** The wallet that receives. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A bitcoin address of a wallet. */
export type OnChainAddressPayload = {
  readonly __typename?: 'OnChainAddressPayload';
  /** The address; null if there are errors. */
  readonly address: Maybe<Scalars['OnChainAddress']['output']>;
  /** Why there is none; empty after success. */
  readonly errors: ReadonlyArray<Error>;
};

/** A payment of all that a wallet has to a bitcoin address. */
export type OnChainPaymentSendAllInput = {
  /** The address, of the network in `globals.network`. */
  readonly address: Scalars['OnChainAddress']['input'];
  /** A memo for the payer's own history; the recipient does not see it. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** How soon the payment leaves. */
  readonly speed?: PayoutSpeed;
  /** The caller's wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A payment to a bitcoin address. */
export type OnChainPaymentSendInput = {
  /** The address, of the network in `globals.network`. */
  readonly address: Scalars['OnChainAddress']['input'];
  /** The amount that the address gets, in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** A memo for the payer's own history; the recipient does not see it. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** How soon the payment leaves. */
  readonly speed?: PayoutSpeed;
  /** The caller's bitcoin wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** What a payment to a bitcoin address costs beside its amount. */
export type OnChainTxFee = {
  readonly __typename?: 'OnChainTxFee';
  /** In satoshis. */
  readonly amount: Scalars['SatAmount']['output'];
};

/** An on-chain deposit was seen, or is credited. */
export type OnChainUpdate = {
  readonly __typename?: 'OnChainUpdate';
  /**
   * The amount of the payment, in satoshis.
   * @deprecated Use `transaction.settlementAmount`.
   */
  readonly amount: Scalars['SatAmount']['output'];
  /**
   * The price of one satoshi at that time, in the major unit of the display currency.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly displayCurrencyPerSat: Scalars['Float']['output'];
  /** The caller's side of the payment. */
  readonly transaction: Transaction;
  /**
   * The id of the bitcoin transaction.
   * @deprecated Use `settlementVia` of `transaction`.
   */
  readonly txHash: Scalars['OnChainTxHash']['output'];
  /** The kind of movement. */
  readonly txNotificationType: TxNotificationType;
  /**
   * The price of one satoshi at that time, in US dollars.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly usdPerSat: Scalars['Float']['output'];
  /**
   * The wallet whose balance changed.
   * @deprecated Query the transactions of the wallet instead.
   */
  readonly walletId: Scalars['WalletId']['output'];
};

/** A payment to a bitcoin address from a US dollar wallet, with its amount in satoshis. */
export type OnChainUsdPaymentSendAsBtcDenominatedInput = {
  /** The address, of the network in `globals.network`. */
  readonly address: Scalars['OnChainAddress']['input'];
  /** The amount that the address gets, in satoshis; at least 1. */
  readonly amount: Scalars['SatAmount']['input'];
  /** A memo for the payer's own history; the recipient does not see it. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** How soon the payment leaves. */
  readonly speed?: PayoutSpeed;
  /** The caller's US dollar wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A payment to a bitcoin address from a US dollar wallet. */
export type OnChainUsdPaymentSendInput = {
  /** The address, of the network in `globals.network`. */
  readonly address: Scalars['OnChainAddress']['input'];
  /** The worth of what the address gets, in cents; at least 1. */
  readonly amount: Scalars['CentAmount']['input'];
  /** A memo for the payer's own history; the recipient does not see it. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** How soon the payment leaves. */
  readonly speed?: PayoutSpeed;
  /** The caller's US dollar wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** What a payment to a bitcoin address from a US dollar wallet costs beside its amount. */
export type OnChainUsdTxFee = {
  readonly __typename?: 'OnChainUsdTxFee';
  /** In cents. */
  readonly amount: Scalars['CentAmount']['output'];
};

/** A limit of what an account may send in any 24 hours. */
export type OneDayAccountLimit = AccountLimit & {
  readonly __typename?: 'OneDayAccountLimit';
  /** The length of the window: 86400. */
  readonly interval: Maybe<Scalars['Seconds']['output']>;
  /**
   * What is left of the limit now, rounded down, with bitcoin at the price of now; 0 where more was sent.
   * Errors (top level): `PRICE_UNAVAILABLE` (no price of dollars now).
   */
  readonly remainingLimit: Maybe<Scalars['CentAmount']['output']>;
  /** The limit. */
  readonly totalLimit: Scalars['CentAmount']['output'];
};

/** The position of a page in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** The `cursor` of the last edge; null on an empty page. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** Whether more edges follow the last one. Always false when paging backwards. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether more edges precede the first one. Always false when paging forwards. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The `cursor` of the first edge; null on an empty page. */
  readonly startCursor: Maybe<Scalars['String']['output']>;
};

/**
 * A payment that its owner was asked for. It ends as `FAILURE` if they deny it (`APPROVAL_DENIED`), do not answer in time (`APPROVAL_EXPIRED`), or if it
 * cannot be made when they approve it: then it is judged again, as any payment.
 */
export type PaymentApproval = {
  readonly __typename?: 'PaymentApproval';
  /** When it ends without an answer: after an hour, or with its invoice. */
  readonly expiresAt: Scalars['Timestamp']['output'];
  /** The id of the payment's transaction. */
  readonly id: Scalars['ID']['output'];
};

/** The result of sending a payment. */
export type PaymentSendPayload = {
  readonly __typename?: 'PaymentSendPayload';
  /**
   * With `PENDING`: the owner of the wallet was asked to approve the payment, because it is above what they let the API key or app send alone. Until
   * they approve it, nothing is held or sent. The end is an update of `myUpdates` and a webhook, and a repeat under the same `Idempotency-Key`
   * returns it. Null: it did not have to ask.
   */
  readonly approval: Maybe<PaymentApproval>;
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /**
   * The outcome, or `PENDING` if it is not final yet. Null if the input was malformed; also null with `SERVICE_UNAVAILABLE` in the errors, when
   * nothing is known about the payment: it may have been made. Repeat the request under the same `Idempotency-Key`, which pays once.
   */
  readonly status: Maybe<PaymentSendResult>;
  /**
   * The payer's side of the payment, whatever scopes the caller has; null if nothing was booked. Null with `PENDING` means that the database
   * has not confirmed the payment yet; the response's `extensions.unconfirmedTransactionIds` then has its id under the path of this mutation's
   * field. Null with another status and `SERVICE_UNAVAILABLE` in the response's errors: the status is final, and the payment could not be read; a
   * repeat under the same `Idempotency-Key` returns it.
   */
  readonly transaction: Maybe<Transaction>;
};

/** The outcome of a payment. */
export type PaymentSendResult =
  /** The caller's account has already paid this invoice; nothing was paid again. */
  | 'ALREADY_PAID'
  /** Failed (final). No money left the wallet. */
  | 'FAILURE'
  /** No final outcome yet. Unless it waits for its owner (`approval`), the money stays held. Do not pay by another means meanwhile. */
  | 'PENDING'
  /** Paid (final). */
  | 'SUCCESS';

/** The final outcome of a payment that the caller sent. `status` has another type than `LnUpdate.status`: use an alias when you select both. */
export type PaymentUpdate = {
  readonly __typename?: 'PaymentUpdate';
  /** Either `SUCCESS` or `FAILURE`. */
  readonly status: PaymentSendResult;
  /** The payer's side of the payment. */
  readonly transaction: Transaction;
};

/** How soon a payment to a bitcoin address leaves, in a transaction with others. A faster one pays more to the miner. */
export type PayoutSpeed =
  /** Within two minutes, for one of the next blocks. */
  | 'FAST'
  /** Within a quarter of an hour, for a block of the next hour. */
  | 'MEDIUM'
  /** Within an hour, for a block of the next day. */
  | 'SLOW';

/** One of the speeds of payments to bitcoin addresses. */
export type PayoutSpeeds = {
  readonly __typename?: 'PayoutSpeeds';
  /** What it promises, in a sentence. */
  readonly description: Scalars['String']['output'];
  /** Its name for people. */
  readonly displayName: Scalars['String']['output'];
  /** Its name in the API. */
  readonly speed: PayoutSpeed;
};

/** How a code is sent to a phone. */
export type PhoneCodeChannelType =
  /** By text message. */
  | 'SMS'
  /** By Telegram. */
  | 'TELEGRAM'
  /** By WhatsApp. */
  | 'WHATSAPP';

/** The price of an amount of satoshis in US cents: `base` divided by 10 to the power of `offset`. */
export type Price = {
  readonly __typename?: 'Price';
  /** The price as an integer, scaled by `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** The unit of the price: `USDCENT`. */
  readonly currencyUnit: Scalars['String']['output'];
  /** The price as a decimal number. */
  readonly formattedAmount: Scalars['String']['output'];
  /** The number of decimal places of `base`. */
  readonly offset: Scalars['Int']['output'];
};

/** How far back a list of prices goes, and its steps. */
export type PriceGraphRange =
  /** Five years, by week. */
  | 'FIVE_YEARS'
  /** 24 hours, by ten minutes. */
  | 'ONE_DAY'
  /** 31 days, by four hours. */
  | 'ONE_MONTH'
  /** Seven days, by hour. */
  | 'ONE_WEEK'
  /** 366 days, by day. */
  | 'ONE_YEAR';

/** What to follow the price of. */
export type PriceInput = {
  /** The amount whose price is asked for: from 1 to 999,999. */
  readonly amount: Scalars['SatAmount']['input'];
  /** The unit of `amount`: `BTCSAT`. */
  readonly amountCurrencyUnit: ExchangeCurrencyUnit;
  /** The unit of the price: `USDCENT`. */
  readonly priceCurrencyUnit: ExchangeCurrencyUnit;
};

/** An exact price: `base` divided by 10 to the power of `offset`. */
export type PriceInterface = {
  /** The price as an integer, scaled by `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** The unit of the price; `MINOR` is the minor unit of the currency. */
  readonly currencyUnit: Scalars['String']['output'];
  /** The number of decimal places of `base`. */
  readonly offset: Scalars['Int']['output'];
};

/** The price of one satoshi in the minor unit of a currency: `base` divided by 10 to the power of `offset`. */
export type PriceOfOneSatInMinorUnit = PriceInterface & {
  readonly __typename?: 'PriceOfOneSatInMinorUnit';
  /** The price as an integer, scaled by `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** Always `MINOR`: the minor unit of the currency. */
  readonly currencyUnit: Scalars['String']['output'];
  /** The number of decimal places of `base`: 12. */
  readonly offset: Scalars['Int']['output'];
};

/**
 * The price of one minor unit of the wallet's currency (satoshi or cent), in the minor unit of the display currency: `base` divided by 10 to
 * the power of `offset`.
 */
export type PriceOfOneSettlementMinorUnitInDisplayMinorUnit = PriceInterface & {
  readonly __typename?: 'PriceOfOneSettlementMinorUnitInDisplayMinorUnit';
  /** The price as an integer, scaled by `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** Always `MINOR`: the minor unit of the display currency. */
  readonly currencyUnit: Scalars['String']['output'];
  /** The price as a decimal number. */
  readonly formattedAmount: Scalars['String']['output'];
  /** The number of decimal places of `base`: 12 for satoshis, 6 for cents. */
  readonly offset: Scalars['Int']['output'];
};

/** The price of one US cent in the minor unit of a currency: `base` divided by 10 to the power of `offset`. */
export type PriceOfOneUsdCentInMinorUnit = PriceInterface & {
  readonly __typename?: 'PriceOfOneUsdCentInMinorUnit';
  /** The price as an integer, scaled by `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** Always `MINOR`: the minor unit of the currency. */
  readonly currencyUnit: Scalars['String']['output'];
  /** The number of decimal places of `base`: 6. */
  readonly offset: Scalars['Int']['output'];
};

/** An event of `price`. */
export type PricePayload = {
  readonly __typename?: 'PricePayload';
  /** Errors; empty when there is a price. */
  readonly errors: ReadonlyArray<Error>;
  /** The price; null if there are errors. */
  readonly price: Maybe<Price>;
};

/** The price of bitcoin at a time of the past. */
export type PricePoint = {
  readonly __typename?: 'PricePoint';
  /** The price of one satoshi in US cents. */
  readonly price: Price;
  /** The beginning of the ten minutes in which the price was stored. */
  readonly timestamp: Scalars['Timestamp']['output'];
};

/** Public wallet information: what a payer needs. */
export type PublicWallet = {
  readonly __typename?: 'PublicWallet';
  /** The wallet's currency. */
  readonly currency: WalletCurrency;
  /** The wallet's id, for use in mutations. */
  readonly id: Scalars['ID']['output'];
  /**
   * The wallet's currency.
   * @deprecated Use `currency`.
   */
  readonly walletCurrency: WalletCurrency;
};

/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type Query = {
  readonly __typename?: 'Query';
  /**
   * The default wallet of the user with this username: the destination when only the username is known. No credential required.
   * Errors (top level): `NOT_FOUND` (no such user, or no wallet in that currency).
   */
  readonly accountDefaultWallet: PublicWallet;
  /** The permissions of this request's credential. Any valid credential suffices, whatever its scopes. */
  readonly authorization: Authorization;
  /**
   * Prices of the past: of one satoshi in US cents, oldest first, the first price of each step. Steps in which this server had no price are
   * absent. No credential required. The answer may be a minute old.
   */
  readonly btcPriceList: Maybe<ReadonlyArray<Maybe<PricePoint>>>;
  /**
   * What an amount in a currency is worth now, in satoshis and in US cents, to the nearest. No credential required.
   * Errors (top level): `INVALID_INPUT` (no price in this currency, amount negative or too large), `PRICE_UNAVAILABLE` (no price now).
   */
  readonly currencyConversionEstimation: CurrencyConversionEstimation;
  /**
   * The currencies that have a price now: the US dollar first, then by code. No credential required.
   * Errors (top level): `PRICE_UNAVAILABLE` (no price now).
   */
  readonly currencyList: ReadonlyArray<Currency>;
  /** Server information, the same for every caller. No credential required. */
  readonly globals: Maybe<Globals>;
  /**
   * The payment status of an invoice. No credential required.
   * Errors: `INVOICE_DECODE_ERROR` (not a Lightning invoice), `NOT_FOUND` (not an invoice of this server).
   * @deprecated Use `lnInvoicePaymentStatusByPaymentRequest`.
   */
  readonly lnInvoicePaymentStatus: LnInvoicePaymentStatusPayload;
  /**
   * The payment status of the invoice with this payment hash. No credential required: the hash suffices.
   * Errors (top level): `NOT_FOUND` (not an invoice of this server).
   */
  readonly lnInvoicePaymentStatusByHash: LnInvoicePaymentStatus;
  /**
   * The payment status of an invoice. No credential required.
   * Errors (top level): `INVOICE_DECODE_ERROR` (not a Lightning invoice), `NOT_FOUND` (not an invoice of this server).
   */
  readonly lnInvoicePaymentStatusByPaymentRequest: LnInvoicePaymentStatus;
  /** The user that the credential belongs to, with account and wallets. Scope: `read`. */
  readonly me: Maybe<User>;
  /**
   * What a payment to a bitcoin address costs beside its amount, at most: the part of the miner's fee that is not needed returns when a block has
   * the payment. 0 for an address of this server. Scope: `read`.
   * Errors (top level): those of `onChainPaymentSend` that do not depend on the balance.
   */
  readonly onChainTxFee: OnChainTxFee;
  /**
   * The same for a US dollar wallet and an amount in cents, in cents. Scope: `read`.
   * Errors (top level): those of `onChainUsdPaymentSend` that do not depend on the balance.
   */
  readonly onChainUsdTxFee: OnChainUsdTxFee;
  /**
   * The same for a US dollar wallet and an amount in satoshis, in cents. Scope: `read`.
   * Errors (top level): those of `onChainUsdPaymentSendAsBtcDenominated` that do not depend on the balance.
   */
  readonly onChainUsdTxFeeAsBtcDenominated: OnChainUsdTxFee;
  /** How soon payments to bitcoin addresses can leave, the fastest first. No credential required. */
  readonly payoutSpeeds: ReadonlyArray<PayoutSpeeds>;
  /**
   * The current price of one satoshi and of one US cent, in the minor unit of a currency. No credential required.
   * Errors (top level): `INVALID_INPUT` (no price in this currency: `currencyList` has those with one), `PRICE_UNAVAILABLE` (no price now).
   */
  readonly realtimePrice: RealtimePrice;
  /**
   * The id of the default wallet of the user with this username, as `accountDefaultWallet` returns it. No credential required.
   * Errors (top level): `NOT_FOUND` (no such user).
   * @deprecated Use `accountDefaultWallet`, which returns the currency too.
   */
  readonly userDefaultWalletId: Scalars['WalletId']['output'];
  /**
   * Whether a new user can register with this name: true when it is free and not reserved. No credential required.
   * Errors (top level): `INVALID_INPUT` (not a valid username).
   */
  readonly usernameAvailable: Maybe<Scalars['Boolean']['output']>;
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryAccountDefaultWalletArgs = {
  username: Scalars['Username']['input'];
  walletCurrency?: InputMaybe<WalletCurrency>;
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryBtcPriceListArgs = {
  range: PriceGraphRange;
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryCurrencyConversionEstimationArgs = {
  amount: Scalars['Float']['input'];
  currency: Scalars['DisplayCurrency']['input'];
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryLnInvoicePaymentStatusArgs = {
  input: LnInvoicePaymentStatusInput;
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryLnInvoicePaymentStatusByHashArgs = {
  input: LnInvoicePaymentStatusByHashInput;
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryLnInvoicePaymentStatusByPaymentRequestArgs = {
  input: LnInvoicePaymentStatusByPaymentRequestInput;
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryOnChainTxFeeArgs = {
  address: Scalars['OnChainAddress']['input'];
  amount: Scalars['SatAmount']['input'];
  speed?: PayoutSpeed;
  walletId: Scalars['WalletId']['input'];
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryOnChainUsdTxFeeArgs = {
  address: Scalars['OnChainAddress']['input'];
  amount: Scalars['CentAmount']['input'];
  speed?: PayoutSpeed;
  walletId: Scalars['WalletId']['input'];
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryOnChainUsdTxFeeAsBtcDenominatedArgs = {
  address: Scalars['OnChainAddress']['input'];
  amount: Scalars['SatAmount']['input'];
  speed?: PayoutSpeed;
  walletId: Scalars['WalletId']['input'];
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryRealtimePriceArgs = {
  currency?: InputMaybe<Scalars['DisplayCurrency']['input']>;
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryUserDefaultWalletIdArgs = {
  username: Scalars['Username']['input'];
};


/**
 * Read operations. Queries run over HTTP, by POST or GET.
 * A query that requires a credential returns `null` and a top-level error when the credential is missing (`NOT_AUTHENTICATED`) or lacks the
 * scope (`INSUFFICIENT_SCOPE`; `extensions.scope` lists the scopes of which any one suffices).
 */
export type QueryUsernameAvailableArgs = {
  username: Scalars['Username']['input'];
};

/** The prices of bitcoin and the US dollar in a currency, at a point in time. */
export type RealtimePrice = {
  readonly __typename?: 'RealtimePrice';
  /** The price of one satoshi, in the currency's minor unit. */
  readonly btcSatPrice: PriceOfOneSatInMinorUnit;
  /**
   * The code of the currency.
   * @deprecated Use `denominatorCurrencyDetails.id`.
   */
  readonly denominatorCurrency: Scalars['DisplayCurrency']['output'];
  /** The currency. */
  readonly denominatorCurrencyDetails: Currency;
  /** The currency code; all prices in this currency have this id. */
  readonly id: Scalars['ID']['output'];
  /** When the price was determined. */
  readonly timestamp: Scalars['Timestamp']['output'];
  /** The price of one US cent, in the currency's minor unit. */
  readonly usdCentPrice: PriceOfOneUsdCentInMinorUnit;
};

/** Which prices to follow. */
export type RealtimePriceInput = {
  /** The currency of the prices. */
  readonly currency?: InputMaybe<Scalars['DisplayCurrency']['input']>;
};

/** An event of `realtimePrice`. */
export type RealtimePricePayload = {
  readonly __typename?: 'RealtimePricePayload';
  /** Errors; empty when there is a price. */
  readonly errors: ReadonlyArray<Error>;
  /** The prices; null if there are errors. */
  readonly realtimePrice: Maybe<RealtimePrice>;
};

/** An amount in satoshis, or the errors. */
export type SatAmountPayload = {
  readonly __typename?: 'SatAmountPayload';
  /** The amount in satoshis. Null if there are errors, except where the field says otherwise. */
  readonly amount: Maybe<Scalars['SatAmount']['output']>;
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
};

/** A permission of a credential. No scope includes another unless stated here. */
export type Scope =
  /** Read balances, history and personal details, by query or subscription. */
  | 'READ'
  /** Create and cancel invoices. */
  | 'RECEIVE'
  /** Send money. Includes `RECEIVE`, but not `READ`. */
  | 'WRITE';

/** How a payment was settled. */
export type SettlementVia = SettlementViaIntraLedger | SettlementViaLn | SettlementViaOnChain;

/** Settled internally between two wallets of this server: immediately and without a fee. */
export type SettlementViaIntraLedger = {
  readonly __typename?: 'SettlementViaIntraLedger';
  /** The counterparty's username; null if they have none. */
  readonly counterPartyUsername: Maybe<Scalars['Username']['output']>;
  /** The counterparty's wallet; null if unknown. */
  readonly counterPartyWalletId: Maybe<Scalars['WalletId']['output']>;
  /** The proof of payment, if the payment was initiated by an invoice; null otherwise. */
  readonly preImage: Maybe<Scalars['LnPaymentPreImage']['output']>;
};

/** Settled over the Lightning network. */
export type SettlementViaLn = {
  readonly __typename?: 'SettlementViaLn';
  /**
   * The same value as `preImage`, despite the name.
   * @deprecated Use `preImage`; the secret of an invoice is `Invoice.paymentSecret`.
   */
  readonly paymentSecret: Maybe<Scalars['LnPaymentSecret']['output']>;
  /** The proof of payment: its SHA-256 is the payment hash. Null until the payment succeeds. */
  readonly preImage: Maybe<Scalars['LnPaymentPreImage']['output']>;
};

/** Settled by a bitcoin transaction. */
export type SettlementViaOnChain = {
  readonly __typename?: 'SettlementViaOnChain';
  /** When the bitcoin transaction is expected to be broadcast; null after the broadcast and for receipts. */
  readonly arrivalInMempoolEstimatedAt: Maybe<Scalars['Timestamp']['output']>;
  /** The id of the bitcoin transaction; null until there is one. */
  readonly transactionHash: Maybe<Scalars['OnChainTxHash']['output']>;
  /** The index of the output in the bitcoin transaction; null until there is one. */
  readonly vout: Maybe<Scalars['Int']['output']>;
};

/**
 * Live updates over a WebSocket on the API's path, sub-protocol `graphql-transport-ws`. The credential is sent in the payload of
 * `connection_init`, under the name of its HTTP header.
 */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * The status of an invoice: the current one first, then each change until it is final. No credential required.
   * Errors: `INVOICE_DECODE_ERROR` (not a Lightning invoice), `NOT_FOUND` (not an invoice of this server).
   * @deprecated Use `lnInvoicePaymentStatusByPaymentRequest`.
   */
  readonly lnInvoicePaymentStatus: LnInvoicePaymentStatusPayload;
  /**
   * The status of an invoice: the current one first, then each change until it is final. No credential required.
   * Errors: `NOT_FOUND` (not an invoice of this server).
   */
  readonly lnInvoicePaymentStatusByHash: LnInvoicePaymentStatusPayload;
  /**
   * The status of an invoice: the current one first, then each change until it is final. No credential required.
   * Errors: `INVOICE_DECODE_ERROR` (not a Lightning invoice), `NOT_FOUND` (not an invoice of this server).
   */
  readonly lnInvoicePaymentStatusByPaymentRequest: LnInvoicePaymentStatusPayload;
  /**
   * Money received by the caller's wallets, and the final outcome of payments sent. There is no initial event. The server closes the socket
   * when the credential expires or is revoked. Scope: `read`.
   */
  readonly myUpdates: MyUpdatesPayload;
  /**
   * The price of an amount of satoshis in US cents: the current one first, then each change. No credential required.
   * Errors: `INVALID_INPUT` (amount zero, or a million satoshis or more; other units), `PRICE_UNAVAILABLE` (no price now: the next event has one).
   */
  readonly price: PricePayload;
  /**
   * The price of one satoshi and of one US cent in a currency: the current one first, then each change. No credential required.
   * Errors: `INVALID_INPUT` (no price in this currency), `PRICE_UNAVAILABLE` (no price now: the next event has one).
   */
  readonly realtimePrice: RealtimePricePayload;
};


/**
 * Live updates over a WebSocket on the API's path, sub-protocol `graphql-transport-ws`. The credential is sent in the payload of
 * `connection_init`, under the name of its HTTP header.
 */
export type SubscriptionLnInvoicePaymentStatusArgs = {
  input: LnInvoicePaymentStatusInput;
};


/**
 * Live updates over a WebSocket on the API's path, sub-protocol `graphql-transport-ws`. The credential is sent in the payload of
 * `connection_init`, under the name of its HTTP header.
 */
export type SubscriptionLnInvoicePaymentStatusByHashArgs = {
  input: LnInvoicePaymentStatusByHashInput;
};


/**
 * Live updates over a WebSocket on the API's path, sub-protocol `graphql-transport-ws`. The credential is sent in the payload of
 * `connection_init`, under the name of its HTTP header.
 */
export type SubscriptionLnInvoicePaymentStatusByPaymentRequestArgs = {
  input: LnInvoicePaymentStatusByPaymentRequestInput;
};


/**
 * Live updates over a WebSocket on the API's path, sub-protocol `graphql-transport-ws`. The credential is sent in the payload of
 * `connection_init`, under the name of its HTTP header.
 */
export type SubscriptionPriceArgs = {
  input: PriceInput;
};


/**
 * Live updates over a WebSocket on the API's path, sub-protocol `graphql-transport-ws`. The credential is sent in the payload of
 * `connection_init`, under the name of its HTTP header.
 */
export type SubscriptionRealtimePriceArgs = {
  input: RealtimePriceInput;
};

/** The result of an operation without further data. */
export type SuccessPayload = {
  readonly __typename?: 'SuccessPayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** Whether the operation succeeded; false or null if there are errors. */
  readonly success: Maybe<Scalars['Boolean']['output']>;
};

/**
 * One entry in a wallet's history: money received, sent or in flight. Its fields do not change after it is created, except `status` and what
 * depends on the outcome (amount and fee of a payment sent, preimage).
 */
export type Transaction = {
  readonly __typename?: 'Transaction';
  /** When it was created. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** Whether money was received or sent. */
  readonly direction: TxDirection;
  /** The external id of the invoice, on both sides; null for payments without an invoice of this server. */
  readonly externalId: Maybe<Scalars['TxExternalId']['output']>;
  /**
   * Whether the owner of this account chose `externalId`, for an invoice of their own. False if another caller chose it or there is none:
   * treat `externalId` as your own reference only if this is true.
   */
  readonly externalIdByOwner: Scalars['Boolean']['output'];
  /** The transaction's id; each side of a payment between two wallets has its own. */
  readonly id: Scalars['ID']['output'];
  /** How the payment was initiated. */
  readonly initiationVia: InitiationVia;
  /**
   * On the payer's side, the payer's memo; on the recipient's side, the invoice's memo, or the payer's for a payment without an invoice. Null
   * if there is none.
   */
  readonly memo: Maybe<Scalars['Memo']['output']>;
  /** The change of the wallet's balance, in `settlementCurrency`: negative for money sent, including the fee. */
  readonly settlementAmount: Scalars['SignedAmount']['output'];
  /** The currency of `settlementAmount` and `settlementFee`: the wallet's currency. */
  readonly settlementCurrency: WalletCurrency;
  /** `settlementAmount` in the display currency, at `settlementPrice`. */
  readonly settlementDisplayAmount: Scalars['SignedDisplayMajorAmount']['output'];
  /**
   * The currency of the display amounts: the account's display currency when the transaction was created. `USD` if that currency had no price
   * then, and `BTC` if bitcoin had none.
   */
  readonly settlementDisplayCurrency: Scalars['DisplayCurrency']['output'];
  /** `settlementFee` in the display currency, at `settlementPrice`. */
  readonly settlementDisplayFee: Scalars['SignedDisplayMajorAmount']['output'];
  /** The fee in `settlementCurrency`, zero or more; final only when `status` is final. */
  readonly settlementFee: Scalars['SignedAmount']['output'];
  /** The price used for the display amounts. */
  readonly settlementPrice: PriceOfOneSettlementMinorUnitInDisplayMinorUnit;
  /** How the payment was settled. */
  readonly settlementVia: SettlementVia;
  /** Whether the transaction is pending or final. */
  readonly status: TxStatus;
};

/** A page of transactions, following the Relay connection specification. */
export type TransactionConnection = {
  readonly __typename?: 'TransactionConnection';
  /** The transactions of this page, newest first. */
  readonly edges: Maybe<ReadonlyArray<TransactionEdge>>;
  /** Pagination info. */
  readonly pageInfo: PageInfo;
};

/** A transaction with its cursor. */
export type TransactionEdge = {
  readonly __typename?: 'TransactionEdge';
  /** The position of the transaction, for `after` or `before`. It stays valid when new transactions arrive. */
  readonly cursor: Scalars['String']['output'];
  /** The transaction. */
  readonly node: Transaction;
};

/** The direction of a transaction, seen from the wallet. */
export type TxDirection =
  /** Received by the wallet. */
  | 'RECEIVE'
  /** Sent from the wallet. */
  | 'SEND';

/** The kind of movement of an update. The spelling of each value is part of the API. */
export type TxNotificationType =
  /** A payment sent to another wallet of this server. This version sends `PaymentUpdate` instead. */
  | 'IntraLedgerPayment'
  /** A payment received from another wallet of this server. */
  | 'IntraLedgerReceipt'
  /** A payment received by Lightning invoice. This version sends `LnUpdate` instead. */
  | 'LigtningReceipt'
  /** An on-chain payment sent. Not returned in this version. */
  | 'OnchainPayment'
  /** An on-chain deposit that is credited. */
  | 'OnchainReceipt'
  /** An on-chain deposit that was seen and is not credited yet. */
  | 'OnchainReceiptPending';

/** The status of a transaction. */
export type TxStatus =
  /** Failed (final). The money was returned. */
  | 'FAILURE'
  /** In flight. The outcome is not known yet. */
  | 'PENDING'
  /** Completed (final). */
  | 'SUCCESS';

/** A US dollar wallet. Amounts are in cents. */
export type UsdWallet = Wallet & {
  readonly __typename?: 'UsdWallet';
  /** The id of the account that the wallet belongs to. */
  readonly accountId: Scalars['ID']['output'];
  /** The spendable amount in cents. Money held for payments in flight is not included. */
  readonly balance: Scalars['SignedAmount']['output'];
  /** The wallet's id. */
  readonly id: Scalars['ID']['output'];
  /** The invoice of this wallet with this payment hash. Errors (top level): `NOT_FOUND`. */
  readonly invoiceByPaymentHash: Invoice;
  /**
   * Invoices of the wallet, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** The total of all on-chain deposits that are not credited yet, in cents. */
  readonly pendingIncomingBalance: Scalars['SignedAmount']['output'];
  /** The latest 100 on-chain deposits that are not credited yet: those in the mempool or without their confirmations, and those below the deposit fee. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** Those of `pendingIncomingTransactions` to this address. */
  readonly pendingIncomingTransactionsByAddress: ReadonlyArray<Transaction>;
  /** The transaction of this wallet with this id. Errors (top level): `NOT_FOUND`. */
  readonly transactionById: Transaction;
  /**
   * Transactions of the wallet, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly transactions: Maybe<TransactionConnection>;
  /**
   * What this wallet has received at this address and what has ended otherwise, newest first; `pendingIncomingTransactionsByAddress` has the rest.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from `transactions`).
   */
  readonly transactionsByAddress: Maybe<TransactionConnection>;
  /** Transactions of this wallet with this payment hash, newest first: one for each attempt. Empty if there are none. */
  readonly transactionsByPaymentHash: ReadonlyArray<Transaction>;
  /**
   * Transactions of this wallet for one Lightning invoice, newest first: one for each attempt. Empty if there are none.
   * Errors (top level): `INVOICE_DECODE_ERROR` (not a Lightning invoice).
   */
  readonly transactionsByPaymentRequest: ReadonlyArray<Transaction>;
  /** Always `USD`. */
  readonly walletCurrency: WalletCurrency;
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletInvoiceByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletPendingIncomingTransactionsByAddressArgs = {
  address: Scalars['OnChainAddress']['input'];
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletTransactionByIdArgs = {
  transactionId: Scalars['ID']['input'];
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletTransactionsByAddressArgs = {
  address: Scalars['OnChainAddress']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletTransactionsByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A US dollar wallet. Amounts are in cents. */
export type UsdWalletTransactionsByPaymentRequestArgs = {
  paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** A registered user. Requires scope `read`. */
export type User = {
  readonly __typename?: 'User';
  /** The user's API keys, newest first: all active ones, and the latest 500 that are revoked or expired. Scope: `read`. */
  readonly apiKeys: ReadonlyArray<ApiKey>;
  /** When the user registered. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** The account that holds the user's wallets. Scope: `read`. */
  readonly defaultAccount: Account;
  /** The e-mail address for signing in; null if there is none. */
  readonly email: Maybe<Email>;
  /** The user's id; it never changes. */
  readonly id: Scalars['ID']['output'];
  /** The user's language; empty if none is chosen. */
  readonly language: Scalars['Language']['output'];
  /** The phone number for signing in. Always null in this version: users sign in by e-mail address. */
  readonly phone: Maybe<Scalars['Phone']['output']>;
  /** Whether signing in requires a code from an authenticator app (TOTP). */
  readonly totpEnabled: Scalars['Boolean']['output'];
  /** The public name by which others find the user; null until one is chosen. */
  readonly username: Maybe<Scalars['Username']['output']>;
};

/** The result of removing the e-mail address. */
export type UserEmailDeletePayload = {
  readonly __typename?: 'UserEmailDeletePayload';
  /** Errors; never empty, because the address is needed. */
  readonly errors: ReadonlyArray<Error>;
  /** Always null. */
  readonly me: Maybe<User>;
};

/** An address to confirm. */
export type UserEmailRegistrationInitiateInput = {
  /** The caller's address, or another one. */
  readonly email: Scalars['EmailAddress']['input'];
};

/** A code is on its way. */
export type UserEmailRegistrationInitiatePayload = {
  readonly __typename?: 'UserEmailRegistrationInitiatePayload';
  /** The registration, for `userEmailRegistrationValidate` within 15 minutes. A later one replaces it. */
  readonly emailRegistrationId: Maybe<Scalars['EmailRegistrationId']['output']>;
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The caller; null if there are errors. */
  readonly me: Maybe<User>;
};

/** A code that proves an address. */
export type UserEmailRegistrationValidateInput = {
  /** The code that was sent. */
  readonly code: Scalars['OneTimeAuthCode']['input'];
  /** From `userEmailRegistrationInitiate`. */
  readonly emailRegistrationId: Scalars['EmailRegistrationId']['input'];
};

/** The result of confirming an address. */
export type UserEmailRegistrationValidatePayload = {
  readonly __typename?: 'UserEmailRegistrationValidatePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The caller; null if there are errors. */
  readonly me: Maybe<User>;
};

/** Accepted for compatibility with other clients. */
export type UserLogoutInput = {
  /** Not used: this server sends no notifications to devices. */
  readonly deviceToken: Scalars['String']['input'];
};

/** The result of turning the authenticator app off. */
export type UserTotpDeletePayload = {
  readonly __typename?: 'UserTotpDeletePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The caller; null if there are errors. */
  readonly me: Maybe<User>;
};

/** A secret for an authenticator app. */
export type UserTotpRegistrationInitiatePayload = {
  readonly __typename?: 'UserTotpRegistrationInitiatePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The registration, for `userTotpRegistrationValidate` within an hour. */
  readonly totpRegistrationId: Maybe<Scalars['TotpRegistrationId']['output']>;
  /** The secret to enter into the app. It is returned only here. */
  readonly totpSecret: Maybe<Scalars['TotpSecret']['output']>;
};

/** A code that proves an authenticator app. */
export type UserTotpRegistrationValidateInput = {
  /** Accepted for compatibility; not used: the session of the request is the one that counts. */
  readonly authToken?: InputMaybe<Scalars['AuthToken']['input']>;
  /** The code that the app shows. */
  readonly totpCode: Scalars['TotpCode']['input'];
  /** From `userTotpRegistrationInitiate`. */
  readonly totpRegistrationId: Scalars['TotpRegistrationId']['input'];
};

/** The result of turning an authenticator app on. */
export type UserTotpRegistrationValidatePayload = {
  readonly __typename?: 'UserTotpRegistrationValidatePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The caller; null if there are errors. */
  readonly me: Maybe<User>;
};

/**
 * An update about a user's money. `Price` (of one satoshi) and `RealtimePrice` (in the account's display currency) come at each change of
 * the price, `BudgetUpdate` to the API key or app whose limit it is; each to subscriptions that select it.
 */
export type UserUpdate = BudgetUpdate | IntraLedgerUpdate | LnUpdate | OnChainUpdate | PaymentUpdate | Price | RealtimePrice;

/** The language to choose. */
export type UserUpdateLanguageInput = {
  /** A known language, for example `en` or `pt-BR`. An empty text or `DEFAULT` means no choice. */
  readonly language: Scalars['Language']['input'];
};

/** The result of choosing a language. */
export type UserUpdateLanguagePayload = {
  readonly __typename?: 'UserUpdateLanguagePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The user after the change; null if there are errors. Scope: `read`. */
  readonly user: Maybe<User>;
};

/** The username to set. */
export type UserUpdateUsernameInput = {
  /** The name; case-insensitive. */
  readonly username: Scalars['Username']['input'];
};

/** The result of setting a username. */
export type UserUpdateUsernamePayload = {
  readonly __typename?: 'UserUpdateUsernamePayload';
  /** Errors; empty on success. */
  readonly errors: ReadonlyArray<Error>;
  /** The user; null if there are errors. Scope: `read`. */
  readonly user: Maybe<User>;
};

/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type Wallet = {
  /** The id of the account that the wallet belongs to. */
  readonly accountId: Scalars['ID']['output'];
  /** The spendable amount. Money held for payments in flight is not included. */
  readonly balance: Scalars['SignedAmount']['output'];
  /** The wallet's id. */
  readonly id: Scalars['ID']['output'];
  /** The invoice of this wallet with this payment hash. Errors (top level): `NOT_FOUND`. */
  readonly invoiceByPaymentHash: Invoice;
  /**
   * Invoices of the wallet, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** The total of all on-chain deposits that are not credited yet. */
  readonly pendingIncomingBalance: Scalars['SignedAmount']['output'];
  /** The latest 100 on-chain deposits that are not credited yet: those in the mempool or without their confirmations, and those below the deposit fee. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** Those of `pendingIncomingTransactions` to this address. */
  readonly pendingIncomingTransactionsByAddress: ReadonlyArray<Transaction>;
  /** The transaction of this wallet with this id. Errors (top level): `NOT_FOUND`. */
  readonly transactionById: Transaction;
  /**
   * Transactions of the wallet, newest first. Set `first` or `last` to 1 to 100; the default is 100.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from this field).
   */
  readonly transactions: Maybe<TransactionConnection>;
  /**
   * What this wallet has received at this address and what has ended otherwise, newest first; `pendingIncomingTransactionsByAddress` has the rest.
   * Errors (top level): `INVALID_INPUT` (both `first` and `last`, a number out of range, a cursor not from `transactions`).
   */
  readonly transactionsByAddress: Maybe<TransactionConnection>;
  /** Transactions of this wallet with this payment hash, newest first: one for each attempt. Empty if there are none. */
  readonly transactionsByPaymentHash: ReadonlyArray<Transaction>;
  /**
   * Transactions of this wallet for one Lightning invoice, newest first: one for each attempt. Empty if there are none.
   * Errors (top level): `INVOICE_DECODE_ERROR` (not a Lightning invoice).
   */
  readonly transactionsByPaymentRequest: ReadonlyArray<Transaction>;
  /** The wallet's currency. */
  readonly walletCurrency: WalletCurrency;
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletInvoiceByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletPendingIncomingTransactionsByAddressArgs = {
  address: Scalars['OnChainAddress']['input'];
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletTransactionByIdArgs = {
  transactionId: Scalars['ID']['input'];
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletTransactionsByAddressArgs = {
  address: Scalars['OnChainAddress']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletTransactionsByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletTransactionsByPaymentRequestArgs = {
  paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** The currency of a wallet. */
export type WalletCurrency =
  /** Bitcoin; amounts are in satoshis. */
  | 'BTC'
  /** US dollar; amounts are in cents. */
  | 'USD';



export type ResolverTypeWrapper<T> = Promise<T> | T;

export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;



/** Mapping of union types */
export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = {
  InitiationVia:
    | ( InitiationViaIntraLedger & { __typename: 'InitiationViaIntraLedger' } )
    | ( InitiationViaLn & { __typename: 'InitiationViaLn' } )
    | ( InitiationViaOnChain & { __typename: 'InitiationViaOnChain' } )
  ;
  SettlementVia:
    | ( SettlementViaIntraLedger & { __typename: 'SettlementViaIntraLedger' } )
    | ( SettlementViaLn & { __typename: 'SettlementViaLn' } )
    | ( OnChainSettlementRow & { __typename: 'SettlementViaOnChain' } )
  ;
  UserUpdate:
    | ( BudgetUpdate & { __typename: 'BudgetUpdate' } )
    | ( Omit<IntraLedgerUpdate, 'transaction'> & { transaction: _RefType['Transaction'] } & { __typename: 'IntraLedgerUpdate' } )
    | ( Omit<LnUpdate, 'transaction'> & { transaction: _RefType['Transaction'] } & { __typename: 'LnUpdate' } )
    | ( Omit<OnChainUpdate, 'transaction'> & { transaction: _RefType['Transaction'] } & { __typename: 'OnChainUpdate' } )
    | ( Omit<PaymentUpdate, 'transaction'> & { transaction: _RefType['Transaction'] } & { __typename: 'PaymentUpdate' } )
    | ( Price & { __typename: 'Price' } )
    | ( RealtimePrice & { __typename: 'RealtimePrice' } )
  ;
};

/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Account: ( AccountRow );
  AccountLimit: ( AccountLimitRow );
  Error: ( GraphQlApplicationError );
  Invoice:
    | ( InvoiceRow )
    | ( InvoiceRow )
  ;
  PriceInterface:
    | ( PriceOfOneSatInMinorUnit )
    | ( PriceOfOneSettlementMinorUnitInDisplayMinorUnit )
    | ( PriceOfOneUsdCentInMinorUnit )
  ;
  Wallet:
    | ( WalletRow )
    | ( WalletRow )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Account: ResolverTypeWrapper<AccountRow>;
  AccountDeletePayload: ResolverTypeWrapper<Omit<AccountDeletePayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  AccountLevel: AccountLevel;
  AccountLevelLimits: ResolverTypeWrapper<AccountLevelLimits>;
  AccountLimit: ResolverTypeWrapper<AccountLimitRow>;
  AccountLimits: ResolverTypeWrapper<Omit<AccountLimits, 'convert' | 'internalSend' | 'withdrawal'> & { convert: ReadonlyArray<ResolversTypes['AccountLimit']>, internalSend: ReadonlyArray<ResolversTypes['AccountLimit']>, withdrawal: ReadonlyArray<ResolversTypes['AccountLimit']> }>;
  AccountUpdateDefaultWalletIdInput: AccountUpdateDefaultWalletIdInput;
  AccountUpdateDefaultWalletIdPayload: ResolverTypeWrapper<Omit<AccountUpdateDefaultWalletIdPayload, 'account' | 'errors'> & { account: Maybe<ResolversTypes['ConsumerAccount']>, errors: ReadonlyArray<ResolversTypes['Error']> }>;
  AccountUpdateDisplayCurrencyInput: AccountUpdateDisplayCurrencyInput;
  AccountUpdateDisplayCurrencyPayload: ResolverTypeWrapper<Omit<AccountUpdateDisplayCurrencyPayload, 'account' | 'errors'> & { account: Maybe<ResolversTypes['ConsumerAccount']>, errors: ReadonlyArray<ResolversTypes['Error']> }>;
  ApiKey: ResolverTypeWrapper<ApiKeyRow>;
  ApiKeyCreateInput: ApiKeyCreateInput;
  ApiKeyCreatePayload: ResolverTypeWrapper<Omit<ApiKeyCreatePayload, 'apiKey'> & { apiKey: ResolversTypes['ApiKey'] }>;
  ApiKeyLimits: ResolverTypeWrapper<ApiKeyLimits>;
  ApiKeyRemoveLimitInput: ApiKeyRemoveLimitInput;
  ApiKeyRevokeInput: ApiKeyRevokeInput;
  ApiKeyRevokePayload: ResolverTypeWrapper<Omit<ApiKeyRevokePayload, 'apiKey'> & { apiKey: ResolversTypes['ApiKey'] }>;
  ApiKeySetLimitInput: ApiKeySetLimitInput;
  ApiKeySetLimitPayload: ResolverTypeWrapper<Omit<ApiKeySetLimitPayload, 'apiKey'> & { apiKey: ResolversTypes['ApiKey'] }>;
  AuthToken: ResolverTypeWrapper<Scalars['AuthToken']['output']>;
  Authorization: ResolverTypeWrapper<Principal>;
  AuthorizationBudget: ResolverTypeWrapper<AuthorizationBudget>;
  BTCWallet: ResolverTypeWrapper<WalletRow>;
  BlockInfo: ResolverTypeWrapper<BlockInfo>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BudgetCurrency: BudgetCurrency;
  BudgetUpdate: ResolverTypeWrapper<BudgetUpdate>;
  BuildInformation: ResolverTypeWrapper<BuildInformation>;
  CallbackDelivery: ResolverTypeWrapper<CallbackDelivery>;
  CallbackDeliveryReplayInput: CallbackDeliveryReplayInput;
  CallbackDeliveryState: CallbackDeliveryState;
  CallbackEndpoint: ResolverTypeWrapper<WebhookEndpointRow>;
  CallbackEndpointAddInput: CallbackEndpointAddInput;
  CallbackEndpointAddPayload: ResolverTypeWrapper<Omit<CallbackEndpointAddPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  CallbackEndpointDeleteInput: CallbackEndpointDeleteInput;
  CentAmount: ResolverTypeWrapper<Scalars['CentAmount']['output']>;
  CentAmountPayload: ResolverTypeWrapper<Omit<CentAmountPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  ConsumerAccount: ResolverTypeWrapper<AccountRow>;
  Country: ResolverTypeWrapper<Country>;
  CountryCode: ResolverTypeWrapper<Scalars['CountryCode']['output']>;
  Currency: ResolverTypeWrapper<Currency>;
  CurrencyConversionEstimation: ResolverTypeWrapper<CurrencyConversionEstimation>;
  DepositFeeTier: ResolverTypeWrapper<DepositFeeTier>;
  DepositFeesInformation: ResolverTypeWrapper<DepositFeesInformation>;
  DisplayCurrency: ResolverTypeWrapper<Scalars['DisplayCurrency']['output']>;
  Email: ResolverTypeWrapper<Email>;
  EmailAddress: ResolverTypeWrapper<Scalars['EmailAddress']['output']>;
  EmailRegistrationId: ResolverTypeWrapper<Scalars['EmailRegistrationId']['output']>;
  EndpointId: ResolverTypeWrapper<Scalars['EndpointId']['output']>;
  EndpointUrl: ResolverTypeWrapper<Scalars['EndpointUrl']['output']>;
  Error: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Error']>;
  ExchangeCurrencyUnit: ExchangeCurrencyUnit;
  FeesInformation: ResolverTypeWrapper<FeesInformation>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Globals: ResolverTypeWrapper<Globals>;
  GraphQLApplicationError: ResolverTypeWrapper<GraphQlApplicationError>;
  Hex32Bytes: ResolverTypeWrapper<Scalars['Hex32Bytes']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  InitiationVia: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['InitiationVia']>;
  InitiationViaIntraLedger: ResolverTypeWrapper<InitiationViaIntraLedger>;
  InitiationViaLn: ResolverTypeWrapper<InitiationViaLn>;
  InitiationViaOnChain: ResolverTypeWrapper<InitiationViaOnChain>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  IntraLedgerPaymentSendInput: IntraLedgerPaymentSendInput;
  IntraLedgerUpdate: ResolverTypeWrapper<Omit<IntraLedgerUpdate, 'transaction'> & { transaction: ResolversTypes['Transaction'] }>;
  IntraLedgerUsdPaymentSendInput: IntraLedgerUsdPaymentSendInput;
  Invoice: ResolverTypeWrapper<InvoiceRow>;
  InvoiceConnection: ResolverTypeWrapper<Omit<InvoiceConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversTypes['InvoiceEdge']>> }>;
  InvoiceEdge: ResolverTypeWrapper<Omit<InvoiceEdge, 'node'> & { node: ResolversTypes['Invoice'] }>;
  InvoicePaymentStatus: InvoicePaymentStatus;
  Language: ResolverTypeWrapper<Scalars['Language']['output']>;
  LimitTimeWindow: LimitTimeWindow;
  LnAddressPaymentSendInput: LnAddressPaymentSendInput;
  LnInvoice: ResolverTypeWrapper<InvoiceRow>;
  LnInvoiceCancelInput: LnInvoiceCancelInput;
  LnInvoiceCreateInput: LnInvoiceCreateInput;
  LnInvoiceCreateOnBehalfOfRecipientInput: LnInvoiceCreateOnBehalfOfRecipientInput;
  LnInvoiceFeeProbeInput: LnInvoiceFeeProbeInput;
  LnInvoicePayload: ResolverTypeWrapper<Omit<LnInvoicePayload, 'errors' | 'invoice'> & { errors: ReadonlyArray<ResolversTypes['Error']>, invoice: Maybe<ResolversTypes['LnInvoice']> }>;
  LnInvoicePaymentInput: LnInvoicePaymentInput;
  LnInvoicePaymentStatus: ResolverTypeWrapper<LnInvoicePaymentStatus>;
  LnInvoicePaymentStatusByHashInput: LnInvoicePaymentStatusByHashInput;
  LnInvoicePaymentStatusByPaymentRequestInput: LnInvoicePaymentStatusByPaymentRequestInput;
  LnInvoicePaymentStatusInput: LnInvoicePaymentStatusInput;
  LnInvoicePaymentStatusPayload: ResolverTypeWrapper<Omit<LnInvoicePaymentStatusPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  LnNoAmountInvoice: ResolverTypeWrapper<InvoiceRow>;
  LnNoAmountInvoiceCreateInput: LnNoAmountInvoiceCreateInput;
  LnNoAmountInvoiceCreateOnBehalfOfRecipientInput: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput;
  LnNoAmountInvoiceFeeProbeInput: LnNoAmountInvoiceFeeProbeInput;
  LnNoAmountInvoicePayload: ResolverTypeWrapper<Omit<LnNoAmountInvoicePayload, 'errors' | 'invoice'> & { errors: ReadonlyArray<ResolversTypes['Error']>, invoice: Maybe<ResolversTypes['LnNoAmountInvoice']> }>;
  LnNoAmountInvoicePaymentInput: LnNoAmountInvoicePaymentInput;
  LnNoAmountUsdInvoiceFeeProbeInput: LnNoAmountUsdInvoiceFeeProbeInput;
  LnNoAmountUsdInvoicePaymentInput: LnNoAmountUsdInvoicePaymentInput;
  LnPaymentPreImage: ResolverTypeWrapper<Scalars['LnPaymentPreImage']['output']>;
  LnPaymentRequest: ResolverTypeWrapper<Scalars['LnPaymentRequest']['output']>;
  LnPaymentSecret: ResolverTypeWrapper<Scalars['LnPaymentSecret']['output']>;
  LnUpdate: ResolverTypeWrapper<Omit<LnUpdate, 'transaction'> & { transaction: ResolversTypes['Transaction'] }>;
  LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput: LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput;
  LnUsdInvoiceCreateInput: LnUsdInvoiceCreateInput;
  LnUsdInvoiceCreateOnBehalfOfRecipientInput: LnUsdInvoiceCreateOnBehalfOfRecipientInput;
  LnUsdInvoiceFeeProbeInput: LnUsdInvoiceFeeProbeInput;
  LnurlPaymentSendInput: LnurlPaymentSendInput;
  Memo: ResolverTypeWrapper<Scalars['Memo']['output']>;
  Minutes: ResolverTypeWrapper<Scalars['Minutes']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  MyUpdatesPayload: ResolverTypeWrapper<Omit<MyUpdatesPayload, 'errors' | 'me' | 'update'> & { errors: ReadonlyArray<ResolversTypes['Error']>, me: Maybe<ResolversTypes['User']>, update: Maybe<ResolversTypes['UserUpdate']> }>;
  Network: Network;
  OnChainAddress: ResolverTypeWrapper<Scalars['OnChainAddress']['output']>;
  OnChainAddressCreateInput: OnChainAddressCreateInput;
  OnChainAddressCurrentInput: OnChainAddressCurrentInput;
  OnChainAddressPayload: ResolverTypeWrapper<Omit<OnChainAddressPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  OnChainPaymentSendAllInput: OnChainPaymentSendAllInput;
  OnChainPaymentSendInput: OnChainPaymentSendInput;
  OnChainTxFee: ResolverTypeWrapper<OnChainTxFee>;
  OnChainTxHash: ResolverTypeWrapper<Scalars['OnChainTxHash']['output']>;
  OnChainUpdate: ResolverTypeWrapper<Omit<OnChainUpdate, 'transaction'> & { transaction: ResolversTypes['Transaction'] }>;
  OnChainUsdPaymentSendAsBtcDenominatedInput: OnChainUsdPaymentSendAsBtcDenominatedInput;
  OnChainUsdPaymentSendInput: OnChainUsdPaymentSendInput;
  OnChainUsdTxFee: ResolverTypeWrapper<OnChainUsdTxFee>;
  OneDayAccountLimit: ResolverTypeWrapper<AccountLimitRow>;
  OneTimeAuthCode: ResolverTypeWrapper<Scalars['OneTimeAuthCode']['output']>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PaymentApproval: ResolverTypeWrapper<PaymentApproval>;
  PaymentHash: ResolverTypeWrapper<Scalars['PaymentHash']['output']>;
  PaymentSendPayload: ResolverTypeWrapper<PaymentSendRow>;
  PaymentSendResult: PaymentSendResult;
  PaymentUpdate: ResolverTypeWrapper<Omit<PaymentUpdate, 'transaction'> & { transaction: ResolversTypes['Transaction'] }>;
  PayoutSpeed: PayoutSpeed;
  PayoutSpeeds: ResolverTypeWrapper<PayoutSpeeds>;
  Phone: ResolverTypeWrapper<Scalars['Phone']['output']>;
  PhoneCodeChannelType: PhoneCodeChannelType;
  Price: ResolverTypeWrapper<Price>;
  PriceGraphRange: PriceGraphRange;
  PriceInput: PriceInput;
  PriceInterface: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['PriceInterface']>;
  PriceOfOneSatInMinorUnit: ResolverTypeWrapper<PriceOfOneSatInMinorUnit>;
  PriceOfOneSettlementMinorUnitInDisplayMinorUnit: ResolverTypeWrapper<PriceOfOneSettlementMinorUnitInDisplayMinorUnit>;
  PriceOfOneUsdCentInMinorUnit: ResolverTypeWrapper<PriceOfOneUsdCentInMinorUnit>;
  PricePayload: ResolverTypeWrapper<Omit<PricePayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  PricePoint: ResolverTypeWrapper<PricePoint>;
  PublicWallet: ResolverTypeWrapper<PublicWallet>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RealtimePrice: ResolverTypeWrapper<RealtimePrice>;
  RealtimePriceInput: RealtimePriceInput;
  RealtimePricePayload: ResolverTypeWrapper<Omit<RealtimePricePayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  SafeInt: ResolverTypeWrapper<Scalars['SafeInt']['output']>;
  SatAmount: ResolverTypeWrapper<Scalars['SatAmount']['output']>;
  SatAmountPayload: ResolverTypeWrapper<Omit<SatAmountPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  Scope: Scope;
  Seconds: ResolverTypeWrapper<Scalars['Seconds']['output']>;
  SettlementVia: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SettlementVia']>;
  SettlementViaIntraLedger: ResolverTypeWrapper<SettlementViaIntraLedger>;
  SettlementViaLn: ResolverTypeWrapper<SettlementViaLn>;
  SettlementViaOnChain: ResolverTypeWrapper<OnChainSettlementRow>;
  SignedAmount: ResolverTypeWrapper<Scalars['SignedAmount']['output']>;
  SignedDisplayMajorAmount: ResolverTypeWrapper<Scalars['SignedDisplayMajorAmount']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SuccessPayload: ResolverTypeWrapper<Omit<SuccessPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  Timestamp: ResolverTypeWrapper<Scalars['Timestamp']['output']>;
  TotpCode: ResolverTypeWrapper<Scalars['TotpCode']['output']>;
  TotpRegistrationId: ResolverTypeWrapper<Scalars['TotpRegistrationId']['output']>;
  TotpSecret: ResolverTypeWrapper<Scalars['TotpSecret']['output']>;
  Transaction: ResolverTypeWrapper<TransactionRow>;
  TransactionConnection: ResolverTypeWrapper<Omit<TransactionConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversTypes['TransactionEdge']>> }>;
  TransactionEdge: ResolverTypeWrapper<Omit<TransactionEdge, 'node'> & { node: ResolversTypes['Transaction'] }>;
  TxDirection: TxDirection;
  TxExternalId: ResolverTypeWrapper<Scalars['TxExternalId']['output']>;
  TxNotificationType: TxNotificationType;
  TxStatus: TxStatus;
  UsdWallet: ResolverTypeWrapper<WalletRow>;
  User: ResolverTypeWrapper<UserRow>;
  UserEmailDeletePayload: ResolverTypeWrapper<Omit<UserEmailDeletePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversTypes['Error']>, me: Maybe<ResolversTypes['User']> }>;
  UserEmailRegistrationInitiateInput: UserEmailRegistrationInitiateInput;
  UserEmailRegistrationInitiatePayload: ResolverTypeWrapper<Omit<UserEmailRegistrationInitiatePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversTypes['Error']>, me: Maybe<ResolversTypes['User']> }>;
  UserEmailRegistrationValidateInput: UserEmailRegistrationValidateInput;
  UserEmailRegistrationValidatePayload: ResolverTypeWrapper<Omit<UserEmailRegistrationValidatePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversTypes['Error']>, me: Maybe<ResolversTypes['User']> }>;
  UserLogoutInput: UserLogoutInput;
  UserTotpDeletePayload: ResolverTypeWrapper<Omit<UserTotpDeletePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversTypes['Error']>, me: Maybe<ResolversTypes['User']> }>;
  UserTotpRegistrationInitiatePayload: ResolverTypeWrapper<Omit<UserTotpRegistrationInitiatePayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  UserTotpRegistrationValidateInput: UserTotpRegistrationValidateInput;
  UserTotpRegistrationValidatePayload: ResolverTypeWrapper<Omit<UserTotpRegistrationValidatePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversTypes['Error']>, me: Maybe<ResolversTypes['User']> }>;
  UserUpdate: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UserUpdate']>;
  UserUpdateLanguageInput: UserUpdateLanguageInput;
  UserUpdateLanguagePayload: ResolverTypeWrapper<Omit<UserUpdateLanguagePayload, 'errors' | 'user'> & { errors: ReadonlyArray<ResolversTypes['Error']>, user: Maybe<ResolversTypes['User']> }>;
  UserUpdateUsernameInput: UserUpdateUsernameInput;
  UserUpdateUsernamePayload: ResolverTypeWrapper<Omit<UserUpdateUsernamePayload, 'errors' | 'user'> & { errors: ReadonlyArray<ResolversTypes['Error']>, user: Maybe<ResolversTypes['User']> }>;
  Username: ResolverTypeWrapper<Scalars['Username']['output']>;
  Wallet: ResolverTypeWrapper<WalletRow>;
  WalletCurrency: WalletCurrency;
  WalletId: ResolverTypeWrapper<Scalars['WalletId']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Account: AccountRow;
  AccountDeletePayload: Omit<AccountDeletePayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  AccountLevelLimits: AccountLevelLimits;
  AccountLimit: AccountLimitRow;
  AccountLimits: Omit<AccountLimits, 'convert' | 'internalSend' | 'withdrawal'> & { convert: ReadonlyArray<ResolversParentTypes['AccountLimit']>, internalSend: ReadonlyArray<ResolversParentTypes['AccountLimit']>, withdrawal: ReadonlyArray<ResolversParentTypes['AccountLimit']> };
  AccountUpdateDefaultWalletIdInput: AccountUpdateDefaultWalletIdInput;
  AccountUpdateDefaultWalletIdPayload: Omit<AccountUpdateDefaultWalletIdPayload, 'account' | 'errors'> & { account: Maybe<ResolversParentTypes['ConsumerAccount']>, errors: ReadonlyArray<ResolversParentTypes['Error']> };
  AccountUpdateDisplayCurrencyInput: AccountUpdateDisplayCurrencyInput;
  AccountUpdateDisplayCurrencyPayload: Omit<AccountUpdateDisplayCurrencyPayload, 'account' | 'errors'> & { account: Maybe<ResolversParentTypes['ConsumerAccount']>, errors: ReadonlyArray<ResolversParentTypes['Error']> };
  ApiKey: ApiKeyRow;
  ApiKeyCreateInput: ApiKeyCreateInput;
  ApiKeyCreatePayload: Omit<ApiKeyCreatePayload, 'apiKey'> & { apiKey: ResolversParentTypes['ApiKey'] };
  ApiKeyLimits: ApiKeyLimits;
  ApiKeyRemoveLimitInput: ApiKeyRemoveLimitInput;
  ApiKeyRevokeInput: ApiKeyRevokeInput;
  ApiKeyRevokePayload: Omit<ApiKeyRevokePayload, 'apiKey'> & { apiKey: ResolversParentTypes['ApiKey'] };
  ApiKeySetLimitInput: ApiKeySetLimitInput;
  ApiKeySetLimitPayload: Omit<ApiKeySetLimitPayload, 'apiKey'> & { apiKey: ResolversParentTypes['ApiKey'] };
  AuthToken: Scalars['AuthToken']['output'];
  Authorization: Principal;
  AuthorizationBudget: AuthorizationBudget;
  BTCWallet: WalletRow;
  BlockInfo: BlockInfo;
  Boolean: Scalars['Boolean']['output'];
  BudgetUpdate: BudgetUpdate;
  BuildInformation: BuildInformation;
  CallbackDelivery: CallbackDelivery;
  CallbackDeliveryReplayInput: CallbackDeliveryReplayInput;
  CallbackEndpoint: WebhookEndpointRow;
  CallbackEndpointAddInput: CallbackEndpointAddInput;
  CallbackEndpointAddPayload: Omit<CallbackEndpointAddPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  CallbackEndpointDeleteInput: CallbackEndpointDeleteInput;
  CentAmount: Scalars['CentAmount']['output'];
  CentAmountPayload: Omit<CentAmountPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  ConsumerAccount: AccountRow;
  Country: Country;
  CountryCode: Scalars['CountryCode']['output'];
  Currency: Currency;
  CurrencyConversionEstimation: CurrencyConversionEstimation;
  DepositFeeTier: DepositFeeTier;
  DepositFeesInformation: DepositFeesInformation;
  DisplayCurrency: Scalars['DisplayCurrency']['output'];
  Email: Email;
  EmailAddress: Scalars['EmailAddress']['output'];
  EmailRegistrationId: Scalars['EmailRegistrationId']['output'];
  EndpointId: Scalars['EndpointId']['output'];
  EndpointUrl: Scalars['EndpointUrl']['output'];
  Error: ResolversInterfaceTypes<ResolversParentTypes>['Error'];
  FeesInformation: FeesInformation;
  Float: Scalars['Float']['output'];
  Globals: Globals;
  GraphQLApplicationError: GraphQlApplicationError;
  Hex32Bytes: Scalars['Hex32Bytes']['output'];
  ID: Scalars['ID']['output'];
  InitiationVia: ResolversUnionTypes<ResolversParentTypes>['InitiationVia'];
  InitiationViaIntraLedger: InitiationViaIntraLedger;
  InitiationViaLn: InitiationViaLn;
  InitiationViaOnChain: InitiationViaOnChain;
  Int: Scalars['Int']['output'];
  IntraLedgerPaymentSendInput: IntraLedgerPaymentSendInput;
  IntraLedgerUpdate: Omit<IntraLedgerUpdate, 'transaction'> & { transaction: ResolversParentTypes['Transaction'] };
  IntraLedgerUsdPaymentSendInput: IntraLedgerUsdPaymentSendInput;
  Invoice: InvoiceRow;
  InvoiceConnection: Omit<InvoiceConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversParentTypes['InvoiceEdge']>> };
  InvoiceEdge: Omit<InvoiceEdge, 'node'> & { node: ResolversParentTypes['Invoice'] };
  Language: Scalars['Language']['output'];
  LnAddressPaymentSendInput: LnAddressPaymentSendInput;
  LnInvoice: InvoiceRow;
  LnInvoiceCancelInput: LnInvoiceCancelInput;
  LnInvoiceCreateInput: LnInvoiceCreateInput;
  LnInvoiceCreateOnBehalfOfRecipientInput: LnInvoiceCreateOnBehalfOfRecipientInput;
  LnInvoiceFeeProbeInput: LnInvoiceFeeProbeInput;
  LnInvoicePayload: Omit<LnInvoicePayload, 'errors' | 'invoice'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, invoice: Maybe<ResolversParentTypes['LnInvoice']> };
  LnInvoicePaymentInput: LnInvoicePaymentInput;
  LnInvoicePaymentStatus: LnInvoicePaymentStatus;
  LnInvoicePaymentStatusByHashInput: LnInvoicePaymentStatusByHashInput;
  LnInvoicePaymentStatusByPaymentRequestInput: LnInvoicePaymentStatusByPaymentRequestInput;
  LnInvoicePaymentStatusInput: LnInvoicePaymentStatusInput;
  LnInvoicePaymentStatusPayload: Omit<LnInvoicePaymentStatusPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  LnNoAmountInvoice: InvoiceRow;
  LnNoAmountInvoiceCreateInput: LnNoAmountInvoiceCreateInput;
  LnNoAmountInvoiceCreateOnBehalfOfRecipientInput: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput;
  LnNoAmountInvoiceFeeProbeInput: LnNoAmountInvoiceFeeProbeInput;
  LnNoAmountInvoicePayload: Omit<LnNoAmountInvoicePayload, 'errors' | 'invoice'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, invoice: Maybe<ResolversParentTypes['LnNoAmountInvoice']> };
  LnNoAmountInvoicePaymentInput: LnNoAmountInvoicePaymentInput;
  LnNoAmountUsdInvoiceFeeProbeInput: LnNoAmountUsdInvoiceFeeProbeInput;
  LnNoAmountUsdInvoicePaymentInput: LnNoAmountUsdInvoicePaymentInput;
  LnPaymentPreImage: Scalars['LnPaymentPreImage']['output'];
  LnPaymentRequest: Scalars['LnPaymentRequest']['output'];
  LnPaymentSecret: Scalars['LnPaymentSecret']['output'];
  LnUpdate: Omit<LnUpdate, 'transaction'> & { transaction: ResolversParentTypes['Transaction'] };
  LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput: LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput;
  LnUsdInvoiceCreateInput: LnUsdInvoiceCreateInput;
  LnUsdInvoiceCreateOnBehalfOfRecipientInput: LnUsdInvoiceCreateOnBehalfOfRecipientInput;
  LnUsdInvoiceFeeProbeInput: LnUsdInvoiceFeeProbeInput;
  LnurlPaymentSendInput: LnurlPaymentSendInput;
  Memo: Scalars['Memo']['output'];
  Minutes: Scalars['Minutes']['output'];
  Mutation: Record<PropertyKey, never>;
  MyUpdatesPayload: Omit<MyUpdatesPayload, 'errors' | 'me' | 'update'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, me: Maybe<ResolversParentTypes['User']>, update: Maybe<ResolversParentTypes['UserUpdate']> };
  OnChainAddress: Scalars['OnChainAddress']['output'];
  OnChainAddressCreateInput: OnChainAddressCreateInput;
  OnChainAddressCurrentInput: OnChainAddressCurrentInput;
  OnChainAddressPayload: Omit<OnChainAddressPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  OnChainPaymentSendAllInput: OnChainPaymentSendAllInput;
  OnChainPaymentSendInput: OnChainPaymentSendInput;
  OnChainTxFee: OnChainTxFee;
  OnChainTxHash: Scalars['OnChainTxHash']['output'];
  OnChainUpdate: Omit<OnChainUpdate, 'transaction'> & { transaction: ResolversParentTypes['Transaction'] };
  OnChainUsdPaymentSendAsBtcDenominatedInput: OnChainUsdPaymentSendAsBtcDenominatedInput;
  OnChainUsdPaymentSendInput: OnChainUsdPaymentSendInput;
  OnChainUsdTxFee: OnChainUsdTxFee;
  OneDayAccountLimit: AccountLimitRow;
  OneTimeAuthCode: Scalars['OneTimeAuthCode']['output'];
  PageInfo: PageInfo;
  PaymentApproval: PaymentApproval;
  PaymentHash: Scalars['PaymentHash']['output'];
  PaymentSendPayload: PaymentSendRow;
  PaymentUpdate: Omit<PaymentUpdate, 'transaction'> & { transaction: ResolversParentTypes['Transaction'] };
  PayoutSpeeds: PayoutSpeeds;
  Phone: Scalars['Phone']['output'];
  Price: Price;
  PriceInput: PriceInput;
  PriceInterface: ResolversInterfaceTypes<ResolversParentTypes>['PriceInterface'];
  PriceOfOneSatInMinorUnit: PriceOfOneSatInMinorUnit;
  PriceOfOneSettlementMinorUnitInDisplayMinorUnit: PriceOfOneSettlementMinorUnitInDisplayMinorUnit;
  PriceOfOneUsdCentInMinorUnit: PriceOfOneUsdCentInMinorUnit;
  PricePayload: Omit<PricePayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  PricePoint: PricePoint;
  PublicWallet: PublicWallet;
  Query: Record<PropertyKey, never>;
  RealtimePrice: RealtimePrice;
  RealtimePriceInput: RealtimePriceInput;
  RealtimePricePayload: Omit<RealtimePricePayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  SafeInt: Scalars['SafeInt']['output'];
  SatAmount: Scalars['SatAmount']['output'];
  SatAmountPayload: Omit<SatAmountPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  Seconds: Scalars['Seconds']['output'];
  SettlementVia: ResolversUnionTypes<ResolversParentTypes>['SettlementVia'];
  SettlementViaIntraLedger: SettlementViaIntraLedger;
  SettlementViaLn: SettlementViaLn;
  SettlementViaOnChain: OnChainSettlementRow;
  SignedAmount: Scalars['SignedAmount']['output'];
  SignedDisplayMajorAmount: Scalars['SignedDisplayMajorAmount']['output'];
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  SuccessPayload: Omit<SuccessPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  Timestamp: Scalars['Timestamp']['output'];
  TotpCode: Scalars['TotpCode']['output'];
  TotpRegistrationId: Scalars['TotpRegistrationId']['output'];
  TotpSecret: Scalars['TotpSecret']['output'];
  Transaction: TransactionRow;
  TransactionConnection: Omit<TransactionConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversParentTypes['TransactionEdge']>> };
  TransactionEdge: Omit<TransactionEdge, 'node'> & { node: ResolversParentTypes['Transaction'] };
  TxExternalId: Scalars['TxExternalId']['output'];
  UsdWallet: WalletRow;
  User: UserRow;
  UserEmailDeletePayload: Omit<UserEmailDeletePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, me: Maybe<ResolversParentTypes['User']> };
  UserEmailRegistrationInitiateInput: UserEmailRegistrationInitiateInput;
  UserEmailRegistrationInitiatePayload: Omit<UserEmailRegistrationInitiatePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, me: Maybe<ResolversParentTypes['User']> };
  UserEmailRegistrationValidateInput: UserEmailRegistrationValidateInput;
  UserEmailRegistrationValidatePayload: Omit<UserEmailRegistrationValidatePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, me: Maybe<ResolversParentTypes['User']> };
  UserLogoutInput: UserLogoutInput;
  UserTotpDeletePayload: Omit<UserTotpDeletePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, me: Maybe<ResolversParentTypes['User']> };
  UserTotpRegistrationInitiatePayload: Omit<UserTotpRegistrationInitiatePayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  UserTotpRegistrationValidateInput: UserTotpRegistrationValidateInput;
  UserTotpRegistrationValidatePayload: Omit<UserTotpRegistrationValidatePayload, 'errors' | 'me'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, me: Maybe<ResolversParentTypes['User']> };
  UserUpdate: ResolversUnionTypes<ResolversParentTypes>['UserUpdate'];
  UserUpdateLanguageInput: UserUpdateLanguageInput;
  UserUpdateLanguagePayload: Omit<UserUpdateLanguagePayload, 'errors' | 'user'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, user: Maybe<ResolversParentTypes['User']> };
  UserUpdateUsernameInput: UserUpdateUsernameInput;
  UserUpdateUsernamePayload: Omit<UserUpdateUsernamePayload, 'errors' | 'user'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, user: Maybe<ResolversParentTypes['User']> };
  Username: Scalars['Username']['output'];
  Wallet: WalletRow;
  WalletId: Scalars['WalletId']['output'];
};

export type AccountResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Account'] = ResolversParentTypes['Account']> = {
  __resolveType: TypeResolveFn<'ConsumerAccount', ParentType, ContextType>;
};

export type AccountDeletePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['AccountDeletePayload'] = ResolversParentTypes['AccountDeletePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  success: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type AccountLevelLimitsResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['AccountLevelLimits'] = ResolversParentTypes['AccountLevelLimits']> = {
  convert: Resolver<ResolversTypes['CentAmount'], ParentType, ContextType>;
  internalSend: Resolver<ResolversTypes['CentAmount'], ParentType, ContextType>;
  interval: Resolver<ResolversTypes['Seconds'], ParentType, ContextType>;
  level: Resolver<ResolversTypes['AccountLevel'], ParentType, ContextType>;
  withdrawal: Resolver<ResolversTypes['CentAmount'], ParentType, ContextType>;
};

export type AccountLimitResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['AccountLimit'] = ResolversParentTypes['AccountLimit']> = {
  __resolveType: TypeResolveFn<'OneDayAccountLimit', ParentType, ContextType>;
};

export type AccountLimitsResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['AccountLimits'] = ResolversParentTypes['AccountLimits']> = {
  convert: Resolver<ReadonlyArray<ResolversTypes['AccountLimit']>, ParentType, ContextType>;
  internalSend: Resolver<ReadonlyArray<ResolversTypes['AccountLimit']>, ParentType, ContextType>;
  withdrawal: Resolver<ReadonlyArray<ResolversTypes['AccountLimit']>, ParentType, ContextType>;
};

export type AccountUpdateDefaultWalletIdPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['AccountUpdateDefaultWalletIdPayload'] = ResolversParentTypes['AccountUpdateDefaultWalletIdPayload']> = {
  account: Resolver<Maybe<ResolversTypes['ConsumerAccount']>, ParentType, ContextType>;
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
};

export type AccountUpdateDisplayCurrencyPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['AccountUpdateDisplayCurrencyPayload'] = ResolversParentTypes['AccountUpdateDisplayCurrencyPayload']> = {
  account: Resolver<Maybe<ResolversTypes['ConsumerAccount']>, ParentType, ContextType>;
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
};

export type ApiKeyResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ApiKey'] = ResolversParentTypes['ApiKey']> = {
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  expired: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  expiresAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastUsedAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  limits: Resolver<ResolversTypes['ApiKeyLimits'], ParentType, ContextType>;
  manageCallbacks: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  name: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  readOnly: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  revoked: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  scopes: Resolver<ReadonlyArray<ResolversTypes['Scope']>, ParentType, ContextType>;
};

export type ApiKeyCreatePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ApiKeyCreatePayload'] = ResolversParentTypes['ApiKeyCreatePayload']> = {
  apiKey: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
  apiKeySecret: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ApiKeyLimitsResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ApiKeyLimits'] = ResolversParentTypes['ApiKeyLimits']> = {
  annualLimitSats: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  annualSpentSats: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  askAboveDaySats: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  askAbovePaymentSats: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  dailyLimitSats: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  dailySpentSats: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  monthlyLimitSats: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  monthlySpentSats: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  weeklyLimitSats: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  weeklySpentSats: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ApiKeyRevokePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ApiKeyRevokePayload'] = ResolversParentTypes['ApiKeyRevokePayload']> = {
  apiKey: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
};

export type ApiKeySetLimitPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ApiKeySetLimitPayload'] = ResolversParentTypes['ApiKeySetLimitPayload']> = {
  apiKey: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
};

export interface AuthTokenScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['AuthToken'], any> {
  name: 'AuthToken';
}

export type AuthorizationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Authorization'] = ResolversParentTypes['Authorization']> = {
  budget: Resolver<ReadonlyArray<ResolversTypes['AuthorizationBudget']>, ParentType, ContextType>;
  scopes: Resolver<ReadonlyArray<ResolversTypes['Scope']>, ParentType, ContextType>;
};

export type AuthorizationBudgetResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['AuthorizationBudget'] = ResolversParentTypes['AuthorizationBudget']> = {
  currency: Resolver<ResolversTypes['BudgetCurrency'], ParentType, ContextType>;
  freeAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  left: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
  limit: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
  spent: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
  window: Resolver<ResolversTypes['LimitTimeWindow'], ParentType, ContextType>;
};

export type BtcWalletResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['BTCWallet'] = ResolversParentTypes['BTCWallet']> = {
  accountId: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  balance: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invoiceByPaymentHash: Resolver<ResolversTypes['Invoice'], ParentType, ContextType, RequireFields<BtcWalletInvoiceByPaymentHashArgs, 'paymentHash'>>;
  invoices: Resolver<Maybe<ResolversTypes['InvoiceConnection']>, ParentType, ContextType, RequireFields<BtcWalletInvoicesArgs, 'includeExpiredByOthers'>>;
  pendingIncomingBalance: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  pendingIncomingTransactions: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType>;
  pendingIncomingTransactionsByAddress: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<BtcWalletPendingIncomingTransactionsByAddressArgs, 'address'>>;
  transactionById: Resolver<ResolversTypes['Transaction'], ParentType, ContextType, RequireFields<BtcWalletTransactionByIdArgs, 'transactionId'>>;
  transactions: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, Partial<BtcWalletTransactionsArgs>>;
  transactionsByAddress: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, RequireFields<BtcWalletTransactionsByAddressArgs, 'address'>>;
  transactionsByPaymentHash: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<BtcWalletTransactionsByPaymentHashArgs, 'paymentHash'>>;
  transactionsByPaymentRequest: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<BtcWalletTransactionsByPaymentRequestArgs, 'paymentRequest'>>;
  walletCurrency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BlockInfoResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['BlockInfo'] = ResolversParentTypes['BlockInfo']> = {
  blockHash: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  blockHeight: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type BudgetUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['BudgetUpdate'] = ResolversParentTypes['BudgetUpdate']> = {
  budget: Resolver<ResolversTypes['AuthorizationBudget'], ParentType, ContextType>;
  percent: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BuildInformationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['BuildInformation'] = ResolversParentTypes['BuildInformation']> = {
  commitHash: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  helmRevision: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CallbackDeliveryResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['CallbackDelivery'] = ResolversParentTypes['CallbackDelivery']> = {
  attempts: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  endedAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  eventType: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastAttemptAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  lastError: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastStatus: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  nextAttemptAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  state: Resolver<ResolversTypes['CallbackDeliveryState'], ParentType, ContextType>;
};

export type CallbackEndpointResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['CallbackEndpoint'] = ResolversParentTypes['CallbackEndpoint']> = {
  deliveries: Resolver<ReadonlyArray<ResolversTypes['CallbackDelivery']>, ParentType, ContextType>;
  disabledAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  failingSince: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  id: Resolver<ResolversTypes['EndpointId'], ParentType, ContextType>;
  lastAttemptAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  lastError: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  lastStatus: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  url: Resolver<ResolversTypes['EndpointUrl'], ParentType, ContextType>;
  waiting: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CallbackEndpointAddPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['CallbackEndpointAddPayload'] = ResolversParentTypes['CallbackEndpointAddPayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  id: Resolver<Maybe<ResolversTypes['EndpointId']>, ParentType, ContextType>;
  signingSecret: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface CentAmountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['CentAmount'], any> {
  name: 'CentAmount';
}

export type CentAmountPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['CentAmountPayload'] = ResolversParentTypes['CentAmountPayload']> = {
  amount: Resolver<Maybe<ResolversTypes['CentAmount']>, ParentType, ContextType>;
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
};

export type ConsumerAccountResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ConsumerAccount'] = ResolversParentTypes['ConsumerAccount']> = {
  callbackEndpoints: Resolver<ReadonlyArray<ResolversTypes['CallbackEndpoint']>, ParentType, ContextType>;
  callbackPortalUrl: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  csvTransactions: Resolver<ResolversTypes['String'], ParentType, ContextType, RequireFields<ConsumerAccountCsvTransactionsArgs, 'walletIds'>>;
  defaultWallet: Resolver<ResolversTypes['PublicWallet'], ParentType, ContextType>;
  defaultWalletId: Resolver<ResolversTypes['WalletId'], ParentType, ContextType>;
  displayCurrency: Resolver<ResolversTypes['DisplayCurrency'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invoices: Resolver<Maybe<ResolversTypes['InvoiceConnection']>, ParentType, ContextType, RequireFields<ConsumerAccountInvoicesArgs, 'includeExpiredByOthers'>>;
  level: Resolver<ResolversTypes['AccountLevel'], ParentType, ContextType>;
  limits: Resolver<ResolversTypes['AccountLimits'], ParentType, ContextType>;
  pendingIncomingTransactions: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, Partial<ConsumerAccountPendingIncomingTransactionsArgs>>;
  realtimePrice: Resolver<ResolversTypes['RealtimePrice'], ParentType, ContextType>;
  transactions: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, Partial<ConsumerAccountTransactionsArgs>>;
  walletById: Resolver<ResolversTypes['Wallet'], ParentType, ContextType, RequireFields<ConsumerAccountWalletByIdArgs, 'walletId'>>;
  wallets: Resolver<ReadonlyArray<ResolversTypes['Wallet']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CountryResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Country'] = ResolversParentTypes['Country']> = {
  id: Resolver<ResolversTypes['CountryCode'], ParentType, ContextType>;
  supportedAuthChannels: Resolver<ReadonlyArray<ResolversTypes['PhoneCodeChannelType']>, ParentType, ContextType>;
};

export interface CountryCodeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['CountryCode'], any> {
  name: 'CountryCode';
}

export type CurrencyResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Currency'] = ResolversParentTypes['Currency']> = {
  flag: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  fractionDigits: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  symbol: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CurrencyConversionEstimationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['CurrencyConversionEstimation'] = ResolversParentTypes['CurrencyConversionEstimation']> = {
  btcSatAmount: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  timestamp: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  usdCentAmount: Resolver<ResolversTypes['CentAmount'], ParentType, ContextType>;
};

export type DepositFeeTierResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['DepositFeeTier'] = ResolversParentTypes['DepositFeeTier']> = {
  amount: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  maxAmount: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DepositFeesInformationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['DepositFeesInformation'] = ResolversParentTypes['DepositFeesInformation']> = {
  minBankFee: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  minBankFeeThreshold: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ratio: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tiers: Resolver<ReadonlyArray<ResolversTypes['DepositFeeTier']>, ParentType, ContextType>;
};

export interface DisplayCurrencyScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DisplayCurrency'], any> {
  name: 'DisplayCurrency';
}

export type EmailResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Email'] = ResolversParentTypes['Email']> = {
  address: Resolver<Maybe<ResolversTypes['EmailAddress']>, ParentType, ContextType>;
  verified: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export interface EmailAddressScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['EmailAddress'], any> {
  name: 'EmailAddress';
}

export interface EmailRegistrationIdScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['EmailRegistrationId'], any> {
  name: 'EmailRegistrationId';
}

export interface EndpointIdScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['EndpointId'], any> {
  name: 'EndpointId';
}

export interface EndpointUrlScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['EndpointUrl'], any> {
  name: 'EndpointUrl';
}

export type ErrorResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Error'] = ResolversParentTypes['Error']> = {
  __resolveType: TypeResolveFn<'GraphQLApplicationError', ParentType, ContextType>;
};

export type FeesInformationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['FeesInformation'] = ResolversParentTypes['FeesInformation']> = {
  deposit: Resolver<ResolversTypes['DepositFeesInformation'], ParentType, ContextType>;
};

export type GlobalsResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Globals'] = ResolversParentTypes['Globals']> = {
  accountLimitsByLevel: Resolver<ReadonlyArray<ResolversTypes['AccountLevelLimits']>, ParentType, ContextType>;
  blockInfo: Resolver<Maybe<ResolversTypes['BlockInfo']>, ParentType, ContextType>;
  buildInformation: Resolver<ResolversTypes['BuildInformation'], ParentType, ContextType>;
  feesInformation: Resolver<ResolversTypes['FeesInformation'], ParentType, ContextType>;
  lightningAddressDomain: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lightningAddressDomainAliases: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  network: Resolver<ResolversTypes['Network'], ParentType, ContextType>;
  nodesIds: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  supportedCountries: Resolver<ReadonlyArray<ResolversTypes['Country']>, ParentType, ContextType>;
};

export type GraphQlApplicationErrorResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['GraphQLApplicationError'] = ResolversParentTypes['GraphQLApplicationError']> = {
  code: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['String']>>>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface Hex32BytesScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Hex32Bytes'], any> {
  name: 'Hex32Bytes';
}

export type InitiationViaResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['InitiationVia'] = ResolversParentTypes['InitiationVia']> = {
  __resolveType: TypeResolveFn<'InitiationViaIntraLedger' | 'InitiationViaLn' | 'InitiationViaOnChain', ParentType, ContextType>;
};

export type InitiationViaIntraLedgerResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['InitiationViaIntraLedger'] = ResolversParentTypes['InitiationViaIntraLedger']> = {
  counterPartyUsername: Resolver<Maybe<ResolversTypes['Username']>, ParentType, ContextType>;
  counterPartyWalletId: Resolver<Maybe<ResolversTypes['WalletId']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InitiationViaLnResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['InitiationViaLn'] = ResolversParentTypes['InitiationViaLn']> = {
  paymentHash: Resolver<ResolversTypes['PaymentHash'], ParentType, ContextType>;
  paymentRequest: Resolver<ResolversTypes['LnPaymentRequest'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InitiationViaOnChainResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['InitiationViaOnChain'] = ResolversParentTypes['InitiationViaOnChain']> = {
  address: Resolver<ResolversTypes['OnChainAddress'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type IntraLedgerUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['IntraLedgerUpdate'] = ResolversParentTypes['IntraLedgerUpdate']> = {
  amount: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
  displayCurrencyPerSat: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  transaction: Resolver<ResolversTypes['Transaction'], ParentType, ContextType>;
  txNotificationType: Resolver<ResolversTypes['TxNotificationType'], ParentType, ContextType>;
  usdPerSat: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  walletId: Resolver<ResolversTypes['WalletId'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InvoiceResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Invoice'] = ResolversParentTypes['Invoice']> = {
  __resolveType: TypeResolveFn<'LnInvoice' | 'LnNoAmountInvoice', ParentType, ContextType>;
};

export type InvoiceConnectionResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['InvoiceConnection'] = ResolversParentTypes['InvoiceConnection']> = {
  edges: Resolver<Maybe<ReadonlyArray<ResolversTypes['InvoiceEdge']>>, ParentType, ContextType>;
  pageInfo: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type InvoiceEdgeResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['InvoiceEdge'] = ResolversParentTypes['InvoiceEdge']> = {
  cursor: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node: Resolver<ResolversTypes['Invoice'], ParentType, ContextType>;
};

export interface LanguageScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Language'], any> {
  name: 'Language';
}

export type LnInvoiceResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['LnInvoice'] = ResolversParentTypes['LnInvoice']> = {
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  externalId: Resolver<ResolversTypes['TxExternalId'], ParentType, ContextType>;
  externalIdByOwner: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  paymentHash: Resolver<ResolversTypes['PaymentHash'], ParentType, ContextType>;
  paymentRequest: Resolver<ResolversTypes['LnPaymentRequest'], ParentType, ContextType>;
  paymentSecret: Resolver<ResolversTypes['LnPaymentSecret'], ParentType, ContextType>;
  paymentStatus: Resolver<ResolversTypes['InvoicePaymentStatus'], ParentType, ContextType>;
  satoshis: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LnInvoicePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['LnInvoicePayload'] = ResolversParentTypes['LnInvoicePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  invoice: Resolver<Maybe<ResolversTypes['LnInvoice']>, ParentType, ContextType>;
};

export type LnInvoicePaymentStatusResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['LnInvoicePaymentStatus'] = ResolversParentTypes['LnInvoicePaymentStatus']> = {
  paymentHash: Resolver<Maybe<ResolversTypes['PaymentHash']>, ParentType, ContextType>;
  paymentPreimage: Resolver<Maybe<ResolversTypes['LnPaymentPreImage']>, ParentType, ContextType>;
  paymentRequest: Resolver<Maybe<ResolversTypes['LnPaymentRequest']>, ParentType, ContextType>;
  status: Resolver<Maybe<ResolversTypes['InvoicePaymentStatus']>, ParentType, ContextType>;
};

export type LnInvoicePaymentStatusPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['LnInvoicePaymentStatusPayload'] = ResolversParentTypes['LnInvoicePaymentStatusPayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  paymentHash: Resolver<Maybe<ResolversTypes['PaymentHash']>, ParentType, ContextType>;
  paymentPreimage: Resolver<Maybe<ResolversTypes['LnPaymentPreImage']>, ParentType, ContextType>;
  paymentRequest: Resolver<Maybe<ResolversTypes['LnPaymentRequest']>, ParentType, ContextType>;
  status: Resolver<Maybe<ResolversTypes['InvoicePaymentStatus']>, ParentType, ContextType>;
};

export type LnNoAmountInvoiceResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['LnNoAmountInvoice'] = ResolversParentTypes['LnNoAmountInvoice']> = {
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  externalId: Resolver<ResolversTypes['TxExternalId'], ParentType, ContextType>;
  externalIdByOwner: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  paymentHash: Resolver<ResolversTypes['PaymentHash'], ParentType, ContextType>;
  paymentRequest: Resolver<ResolversTypes['LnPaymentRequest'], ParentType, ContextType>;
  paymentSecret: Resolver<ResolversTypes['LnPaymentSecret'], ParentType, ContextType>;
  paymentStatus: Resolver<ResolversTypes['InvoicePaymentStatus'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type LnNoAmountInvoicePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['LnNoAmountInvoicePayload'] = ResolversParentTypes['LnNoAmountInvoicePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  invoice: Resolver<Maybe<ResolversTypes['LnNoAmountInvoice']>, ParentType, ContextType>;
};

export interface LnPaymentPreImageScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['LnPaymentPreImage'], any> {
  name: 'LnPaymentPreImage';
}

export interface LnPaymentRequestScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['LnPaymentRequest'], any> {
  name: 'LnPaymentRequest';
}

export interface LnPaymentSecretScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['LnPaymentSecret'], any> {
  name: 'LnPaymentSecret';
}

export type LnUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['LnUpdate'] = ResolversParentTypes['LnUpdate']> = {
  paymentHash: Resolver<ResolversTypes['PaymentHash'], ParentType, ContextType>;
  status: Resolver<ResolversTypes['InvoicePaymentStatus'], ParentType, ContextType>;
  transaction: Resolver<ResolversTypes['Transaction'], ParentType, ContextType>;
  walletId: Resolver<ResolversTypes['WalletId'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface MemoScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Memo'], any> {
  name: 'Memo';
}

export interface MinutesScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Minutes'], any> {
  name: 'Minutes';
}

export type MutationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  accountDelete: Resolver<ResolversTypes['AccountDeletePayload'], ParentType, ContextType>;
  accountUpdateDefaultWalletId: Resolver<ResolversTypes['AccountUpdateDefaultWalletIdPayload'], ParentType, ContextType, RequireFields<MutationAccountUpdateDefaultWalletIdArgs, 'input'>>;
  accountUpdateDisplayCurrency: Resolver<ResolversTypes['AccountUpdateDisplayCurrencyPayload'], ParentType, ContextType, RequireFields<MutationAccountUpdateDisplayCurrencyArgs, 'input'>>;
  apiKeyCreate: Resolver<ResolversTypes['ApiKeyCreatePayload'], ParentType, ContextType, RequireFields<MutationApiKeyCreateArgs, 'input'>>;
  apiKeyRemoveLimit: Resolver<ResolversTypes['ApiKeySetLimitPayload'], ParentType, ContextType, RequireFields<MutationApiKeyRemoveLimitArgs, 'input'>>;
  apiKeyRevoke: Resolver<ResolversTypes['ApiKeyRevokePayload'], ParentType, ContextType, RequireFields<MutationApiKeyRevokeArgs, 'input'>>;
  apiKeySetLimit: Resolver<ResolversTypes['ApiKeySetLimitPayload'], ParentType, ContextType, RequireFields<MutationApiKeySetLimitArgs, 'input'>>;
  callbackDeliveryReplay: Resolver<ResolversTypes['SuccessPayload'], ParentType, ContextType, RequireFields<MutationCallbackDeliveryReplayArgs, 'input'>>;
  callbackEndpointAdd: Resolver<ResolversTypes['CallbackEndpointAddPayload'], ParentType, ContextType, RequireFields<MutationCallbackEndpointAddArgs, 'input'>>;
  callbackEndpointDelete: Resolver<ResolversTypes['SuccessPayload'], ParentType, ContextType, RequireFields<MutationCallbackEndpointDeleteArgs, 'input'>>;
  intraLedgerPaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationIntraLedgerPaymentSendArgs, 'input'>>;
  intraLedgerUsdPaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationIntraLedgerUsdPaymentSendArgs, 'input'>>;
  lnAddressPaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationLnAddressPaymentSendArgs, 'input'>>;
  lnInvoiceCancel: Resolver<ResolversTypes['SuccessPayload'], ParentType, ContextType, RequireFields<MutationLnInvoiceCancelArgs, 'input'>>;
  lnInvoiceCreate: Resolver<ResolversTypes['LnInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnInvoiceCreateArgs, 'input'>>;
  lnInvoiceCreateOnBehalfOfRecipient: Resolver<ResolversTypes['LnInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnInvoiceCreateOnBehalfOfRecipientArgs, 'input'>>;
  lnInvoiceFeeProbe: Resolver<ResolversTypes['SatAmountPayload'], ParentType, ContextType, RequireFields<MutationLnInvoiceFeeProbeArgs, 'input'>>;
  lnInvoicePaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationLnInvoicePaymentSendArgs, 'input'>>;
  lnNoAmountInvoiceCreate: Resolver<ResolversTypes['LnNoAmountInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnNoAmountInvoiceCreateArgs, 'input'>>;
  lnNoAmountInvoiceCreateOnBehalfOfRecipient: Resolver<ResolversTypes['LnNoAmountInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnNoAmountInvoiceCreateOnBehalfOfRecipientArgs, 'input'>>;
  lnNoAmountInvoiceFeeProbe: Resolver<ResolversTypes['SatAmountPayload'], ParentType, ContextType, RequireFields<MutationLnNoAmountInvoiceFeeProbeArgs, 'input'>>;
  lnNoAmountInvoicePaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationLnNoAmountInvoicePaymentSendArgs, 'input'>>;
  lnNoAmountUsdInvoiceFeeProbe: Resolver<ResolversTypes['CentAmountPayload'], ParentType, ContextType, RequireFields<MutationLnNoAmountUsdInvoiceFeeProbeArgs, 'input'>>;
  lnNoAmountUsdInvoicePaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationLnNoAmountUsdInvoicePaymentSendArgs, 'input'>>;
  lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient: Resolver<ResolversTypes['LnInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientArgs, 'input'>>;
  lnUsdInvoiceCreate: Resolver<ResolversTypes['LnInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnUsdInvoiceCreateArgs, 'input'>>;
  lnUsdInvoiceCreateOnBehalfOfRecipient: Resolver<ResolversTypes['LnInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnUsdInvoiceCreateOnBehalfOfRecipientArgs, 'input'>>;
  lnUsdInvoiceFeeProbe: Resolver<ResolversTypes['SatAmountPayload'], ParentType, ContextType, RequireFields<MutationLnUsdInvoiceFeeProbeArgs, 'input'>>;
  lnurlPaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationLnurlPaymentSendArgs, 'input'>>;
  onChainAddressCreate: Resolver<ResolversTypes['OnChainAddressPayload'], ParentType, ContextType, RequireFields<MutationOnChainAddressCreateArgs, 'input'>>;
  onChainAddressCurrent: Resolver<ResolversTypes['OnChainAddressPayload'], ParentType, ContextType, RequireFields<MutationOnChainAddressCurrentArgs, 'input'>>;
  onChainPaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationOnChainPaymentSendArgs, 'input'>>;
  onChainPaymentSendAll: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationOnChainPaymentSendAllArgs, 'input'>>;
  onChainUsdPaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationOnChainUsdPaymentSendArgs, 'input'>>;
  onChainUsdPaymentSendAsBtcDenominated: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationOnChainUsdPaymentSendAsBtcDenominatedArgs, 'input'>>;
  userEmailDelete: Resolver<ResolversTypes['UserEmailDeletePayload'], ParentType, ContextType>;
  userEmailRegistrationInitiate: Resolver<ResolversTypes['UserEmailRegistrationInitiatePayload'], ParentType, ContextType, RequireFields<MutationUserEmailRegistrationInitiateArgs, 'input'>>;
  userEmailRegistrationValidate: Resolver<ResolversTypes['UserEmailRegistrationValidatePayload'], ParentType, ContextType, RequireFields<MutationUserEmailRegistrationValidateArgs, 'input'>>;
  userLogout: Resolver<ResolversTypes['SuccessPayload'], ParentType, ContextType, Partial<MutationUserLogoutArgs>>;
  userTotpDelete: Resolver<ResolversTypes['UserTotpDeletePayload'], ParentType, ContextType>;
  userTotpRegistrationInitiate: Resolver<ResolversTypes['UserTotpRegistrationInitiatePayload'], ParentType, ContextType>;
  userTotpRegistrationValidate: Resolver<ResolversTypes['UserTotpRegistrationValidatePayload'], ParentType, ContextType, RequireFields<MutationUserTotpRegistrationValidateArgs, 'input'>>;
  userUpdateLanguage: Resolver<ResolversTypes['UserUpdateLanguagePayload'], ParentType, ContextType, RequireFields<MutationUserUpdateLanguageArgs, 'input'>>;
  userUpdateUsername: Resolver<ResolversTypes['UserUpdateUsernamePayload'], ParentType, ContextType, RequireFields<MutationUserUpdateUsernameArgs, 'input'>>;
};

export type MyUpdatesPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['MyUpdatesPayload'] = ResolversParentTypes['MyUpdatesPayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  update: Resolver<Maybe<ResolversTypes['UserUpdate']>, ParentType, ContextType>;
};

export interface OnChainAddressScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['OnChainAddress'], any> {
  name: 'OnChainAddress';
}

export type OnChainAddressPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['OnChainAddressPayload'] = ResolversParentTypes['OnChainAddressPayload']> = {
  address: Resolver<Maybe<ResolversTypes['OnChainAddress']>, ParentType, ContextType>;
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
};

export type OnChainTxFeeResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['OnChainTxFee'] = ResolversParentTypes['OnChainTxFee']> = {
  amount: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
};

export interface OnChainTxHashScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['OnChainTxHash'], any> {
  name: 'OnChainTxHash';
}

export type OnChainUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['OnChainUpdate'] = ResolversParentTypes['OnChainUpdate']> = {
  amount: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
  displayCurrencyPerSat: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  transaction: Resolver<ResolversTypes['Transaction'], ParentType, ContextType>;
  txHash: Resolver<ResolversTypes['OnChainTxHash'], ParentType, ContextType>;
  txNotificationType: Resolver<ResolversTypes['TxNotificationType'], ParentType, ContextType>;
  usdPerSat: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  walletId: Resolver<ResolversTypes['WalletId'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OnChainUsdTxFeeResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['OnChainUsdTxFee'] = ResolversParentTypes['OnChainUsdTxFee']> = {
  amount: Resolver<ResolversTypes['CentAmount'], ParentType, ContextType>;
};

export type OneDayAccountLimitResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['OneDayAccountLimit'] = ResolversParentTypes['OneDayAccountLimit']> = {
  interval: Resolver<Maybe<ResolversTypes['Seconds']>, ParentType, ContextType>;
  remainingLimit: Resolver<Maybe<ResolversTypes['CentAmount']>, ParentType, ContextType>;
  totalLimit: Resolver<ResolversTypes['CentAmount'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface OneTimeAuthCodeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['OneTimeAuthCode'], any> {
  name: 'OneTimeAuthCode';
}

export type PageInfoResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PaymentApprovalResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PaymentApproval'] = ResolversParentTypes['PaymentApproval']> = {
  expiresAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export interface PaymentHashScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['PaymentHash'], any> {
  name: 'PaymentHash';
}

export type PaymentSendPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PaymentSendPayload'] = ResolversParentTypes['PaymentSendPayload']> = {
  approval: Resolver<Maybe<ResolversTypes['PaymentApproval']>, ParentType, ContextType>;
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  status: Resolver<Maybe<ResolversTypes['PaymentSendResult']>, ParentType, ContextType>;
  transaction: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType>;
};

export type PaymentUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PaymentUpdate'] = ResolversParentTypes['PaymentUpdate']> = {
  status: Resolver<ResolversTypes['PaymentSendResult'], ParentType, ContextType>;
  transaction: Resolver<ResolversTypes['Transaction'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PayoutSpeedsResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PayoutSpeeds'] = ResolversParentTypes['PayoutSpeeds']> = {
  description: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  speed: Resolver<ResolversTypes['PayoutSpeed'], ParentType, ContextType>;
};

export interface PhoneScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Phone'], any> {
  name: 'Phone';
}

export type PriceResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Price'] = ResolversParentTypes['Price']> = {
  base: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  currencyUnit: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  formattedAmount: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  offset: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PriceInterfaceResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PriceInterface'] = ResolversParentTypes['PriceInterface']> = {
  __resolveType: TypeResolveFn<'PriceOfOneSatInMinorUnit' | 'PriceOfOneSettlementMinorUnitInDisplayMinorUnit' | 'PriceOfOneUsdCentInMinorUnit', ParentType, ContextType>;
};

export type PriceOfOneSatInMinorUnitResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PriceOfOneSatInMinorUnit'] = ResolversParentTypes['PriceOfOneSatInMinorUnit']> = {
  base: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  currencyUnit: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  offset: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PriceOfOneSettlementMinorUnitInDisplayMinorUnitResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PriceOfOneSettlementMinorUnitInDisplayMinorUnit'] = ResolversParentTypes['PriceOfOneSettlementMinorUnitInDisplayMinorUnit']> = {
  base: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  currencyUnit: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  formattedAmount: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  offset: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PriceOfOneUsdCentInMinorUnitResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PriceOfOneUsdCentInMinorUnit'] = ResolversParentTypes['PriceOfOneUsdCentInMinorUnit']> = {
  base: Resolver<ResolversTypes['SafeInt'], ParentType, ContextType>;
  currencyUnit: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  offset: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PricePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PricePayload'] = ResolversParentTypes['PricePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  price: Resolver<Maybe<ResolversTypes['Price']>, ParentType, ContextType>;
};

export type PricePointResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PricePoint'] = ResolversParentTypes['PricePoint']> = {
  price: Resolver<ResolversTypes['Price'], ParentType, ContextType>;
  timestamp: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
};

export type PublicWalletResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PublicWallet'] = ResolversParentTypes['PublicWallet']> = {
  currency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  walletCurrency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  accountDefaultWallet: Resolver<ResolversTypes['PublicWallet'], ParentType, ContextType, RequireFields<QueryAccountDefaultWalletArgs, 'username'>>;
  authorization: Resolver<ResolversTypes['Authorization'], ParentType, ContextType>;
  btcPriceList: Resolver<Maybe<ReadonlyArray<Maybe<ResolversTypes['PricePoint']>>>, ParentType, ContextType, RequireFields<QueryBtcPriceListArgs, 'range'>>;
  currencyConversionEstimation: Resolver<ResolversTypes['CurrencyConversionEstimation'], ParentType, ContextType, RequireFields<QueryCurrencyConversionEstimationArgs, 'amount' | 'currency'>>;
  currencyList: Resolver<ReadonlyArray<ResolversTypes['Currency']>, ParentType, ContextType>;
  globals: Resolver<Maybe<ResolversTypes['Globals']>, ParentType, ContextType>;
  lnInvoicePaymentStatus: Resolver<ResolversTypes['LnInvoicePaymentStatusPayload'], ParentType, ContextType, RequireFields<QueryLnInvoicePaymentStatusArgs, 'input'>>;
  lnInvoicePaymentStatusByHash: Resolver<ResolversTypes['LnInvoicePaymentStatus'], ParentType, ContextType, RequireFields<QueryLnInvoicePaymentStatusByHashArgs, 'input'>>;
  lnInvoicePaymentStatusByPaymentRequest: Resolver<ResolversTypes['LnInvoicePaymentStatus'], ParentType, ContextType, RequireFields<QueryLnInvoicePaymentStatusByPaymentRequestArgs, 'input'>>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  onChainTxFee: Resolver<ResolversTypes['OnChainTxFee'], ParentType, ContextType, RequireFields<QueryOnChainTxFeeArgs, 'address' | 'amount' | 'speed' | 'walletId'>>;
  onChainUsdTxFee: Resolver<ResolversTypes['OnChainUsdTxFee'], ParentType, ContextType, RequireFields<QueryOnChainUsdTxFeeArgs, 'address' | 'amount' | 'speed' | 'walletId'>>;
  onChainUsdTxFeeAsBtcDenominated: Resolver<ResolversTypes['OnChainUsdTxFee'], ParentType, ContextType, RequireFields<QueryOnChainUsdTxFeeAsBtcDenominatedArgs, 'address' | 'amount' | 'speed' | 'walletId'>>;
  payoutSpeeds: Resolver<ReadonlyArray<ResolversTypes['PayoutSpeeds']>, ParentType, ContextType>;
  realtimePrice: Resolver<ResolversTypes['RealtimePrice'], ParentType, ContextType, RequireFields<QueryRealtimePriceArgs, 'currency'>>;
  userDefaultWalletId: Resolver<ResolversTypes['WalletId'], ParentType, ContextType, RequireFields<QueryUserDefaultWalletIdArgs, 'username'>>;
  usernameAvailable: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType, RequireFields<QueryUsernameAvailableArgs, 'username'>>;
};

export type RealtimePriceResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['RealtimePrice'] = ResolversParentTypes['RealtimePrice']> = {
  btcSatPrice: Resolver<ResolversTypes['PriceOfOneSatInMinorUnit'], ParentType, ContextType>;
  denominatorCurrency: Resolver<ResolversTypes['DisplayCurrency'], ParentType, ContextType>;
  denominatorCurrencyDetails: Resolver<ResolversTypes['Currency'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  timestamp: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  usdCentPrice: Resolver<ResolversTypes['PriceOfOneUsdCentInMinorUnit'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RealtimePricePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['RealtimePricePayload'] = ResolversParentTypes['RealtimePricePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  realtimePrice: Resolver<Maybe<ResolversTypes['RealtimePrice']>, ParentType, ContextType>;
};

export interface SafeIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SafeInt'], any> {
  name: 'SafeInt';
}

export interface SatAmountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SatAmount'], any> {
  name: 'SatAmount';
}

export type SatAmountPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['SatAmountPayload'] = ResolversParentTypes['SatAmountPayload']> = {
  amount: Resolver<Maybe<ResolversTypes['SatAmount']>, ParentType, ContextType>;
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
};

export interface SecondsScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Seconds'], any> {
  name: 'Seconds';
}

export type SettlementViaResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['SettlementVia'] = ResolversParentTypes['SettlementVia']> = {
  __resolveType: TypeResolveFn<'SettlementViaIntraLedger' | 'SettlementViaLn' | 'SettlementViaOnChain', ParentType, ContextType>;
};

export type SettlementViaIntraLedgerResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['SettlementViaIntraLedger'] = ResolversParentTypes['SettlementViaIntraLedger']> = {
  counterPartyUsername: Resolver<Maybe<ResolversTypes['Username']>, ParentType, ContextType>;
  counterPartyWalletId: Resolver<Maybe<ResolversTypes['WalletId']>, ParentType, ContextType>;
  preImage: Resolver<Maybe<ResolversTypes['LnPaymentPreImage']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SettlementViaLnResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['SettlementViaLn'] = ResolversParentTypes['SettlementViaLn']> = {
  paymentSecret: Resolver<Maybe<ResolversTypes['LnPaymentSecret']>, ParentType, ContextType>;
  preImage: Resolver<Maybe<ResolversTypes['LnPaymentPreImage']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SettlementViaOnChainResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['SettlementViaOnChain'] = ResolversParentTypes['SettlementViaOnChain']> = {
  arrivalInMempoolEstimatedAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  transactionHash: Resolver<Maybe<ResolversTypes['OnChainTxHash']>, ParentType, ContextType>;
  vout: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface SignedAmountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SignedAmount'], any> {
  name: 'SignedAmount';
}

export interface SignedDisplayMajorAmountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SignedDisplayMajorAmount'], any> {
  name: 'SignedDisplayMajorAmount';
}

export type SubscriptionResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  lnInvoicePaymentStatus: SubscriptionResolver<ResolversTypes['LnInvoicePaymentStatusPayload'], "lnInvoicePaymentStatus", ParentType, ContextType, RequireFields<SubscriptionLnInvoicePaymentStatusArgs, 'input'>>;
  lnInvoicePaymentStatusByHash: SubscriptionResolver<ResolversTypes['LnInvoicePaymentStatusPayload'], "lnInvoicePaymentStatusByHash", ParentType, ContextType, RequireFields<SubscriptionLnInvoicePaymentStatusByHashArgs, 'input'>>;
  lnInvoicePaymentStatusByPaymentRequest: SubscriptionResolver<ResolversTypes['LnInvoicePaymentStatusPayload'], "lnInvoicePaymentStatusByPaymentRequest", ParentType, ContextType, RequireFields<SubscriptionLnInvoicePaymentStatusByPaymentRequestArgs, 'input'>>;
  myUpdates: SubscriptionResolver<ResolversTypes['MyUpdatesPayload'], "myUpdates", ParentType, ContextType>;
  price: SubscriptionResolver<ResolversTypes['PricePayload'], "price", ParentType, ContextType, RequireFields<SubscriptionPriceArgs, 'input'>>;
  realtimePrice: SubscriptionResolver<ResolversTypes['RealtimePricePayload'], "realtimePrice", ParentType, ContextType, RequireFields<SubscriptionRealtimePriceArgs, 'input'>>;
};

export type SuccessPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['SuccessPayload'] = ResolversParentTypes['SuccessPayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  success: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export interface TimestampScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Timestamp'], any> {
  name: 'Timestamp';
}

export interface TotpCodeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['TotpCode'], any> {
  name: 'TotpCode';
}

export interface TotpRegistrationIdScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['TotpRegistrationId'], any> {
  name: 'TotpRegistrationId';
}

export interface TotpSecretScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['TotpSecret'], any> {
  name: 'TotpSecret';
}

export type TransactionResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  direction: Resolver<ResolversTypes['TxDirection'], ParentType, ContextType>;
  externalId: Resolver<Maybe<ResolversTypes['TxExternalId']>, ParentType, ContextType>;
  externalIdByOwner: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  initiationVia: Resolver<ResolversTypes['InitiationVia'], ParentType, ContextType>;
  memo: Resolver<Maybe<ResolversTypes['Memo']>, ParentType, ContextType>;
  settlementAmount: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  settlementCurrency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
  settlementDisplayAmount: Resolver<ResolversTypes['SignedDisplayMajorAmount'], ParentType, ContextType>;
  settlementDisplayCurrency: Resolver<ResolversTypes['DisplayCurrency'], ParentType, ContextType>;
  settlementDisplayFee: Resolver<ResolversTypes['SignedDisplayMajorAmount'], ParentType, ContextType>;
  settlementFee: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  settlementPrice: Resolver<ResolversTypes['PriceOfOneSettlementMinorUnitInDisplayMinorUnit'], ParentType, ContextType>;
  settlementVia: Resolver<ResolversTypes['SettlementVia'], ParentType, ContextType>;
  status: Resolver<ResolversTypes['TxStatus'], ParentType, ContextType>;
};

export type TransactionConnectionResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['TransactionConnection'] = ResolversParentTypes['TransactionConnection']> = {
  edges: Resolver<Maybe<ReadonlyArray<ResolversTypes['TransactionEdge']>>, ParentType, ContextType>;
  pageInfo: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type TransactionEdgeResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['TransactionEdge'] = ResolversParentTypes['TransactionEdge']> = {
  cursor: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node: Resolver<ResolversTypes['Transaction'], ParentType, ContextType>;
};

export interface TxExternalIdScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['TxExternalId'], any> {
  name: 'TxExternalId';
}

export type UsdWalletResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UsdWallet'] = ResolversParentTypes['UsdWallet']> = {
  accountId: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  balance: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invoiceByPaymentHash: Resolver<ResolversTypes['Invoice'], ParentType, ContextType, RequireFields<UsdWalletInvoiceByPaymentHashArgs, 'paymentHash'>>;
  invoices: Resolver<Maybe<ResolversTypes['InvoiceConnection']>, ParentType, ContextType, RequireFields<UsdWalletInvoicesArgs, 'includeExpiredByOthers'>>;
  pendingIncomingBalance: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  pendingIncomingTransactions: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType>;
  pendingIncomingTransactionsByAddress: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<UsdWalletPendingIncomingTransactionsByAddressArgs, 'address'>>;
  transactionById: Resolver<ResolversTypes['Transaction'], ParentType, ContextType, RequireFields<UsdWalletTransactionByIdArgs, 'transactionId'>>;
  transactions: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, Partial<UsdWalletTransactionsArgs>>;
  transactionsByAddress: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, RequireFields<UsdWalletTransactionsByAddressArgs, 'address'>>;
  transactionsByPaymentHash: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<UsdWalletTransactionsByPaymentHashArgs, 'paymentHash'>>;
  transactionsByPaymentRequest: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<UsdWalletTransactionsByPaymentRequestArgs, 'paymentRequest'>>;
  walletCurrency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type UserResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  apiKeys: Resolver<ReadonlyArray<ResolversTypes['ApiKey']>, ParentType, ContextType>;
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  defaultAccount: Resolver<ResolversTypes['Account'], ParentType, ContextType>;
  email: Resolver<Maybe<ResolversTypes['Email']>, ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  language: Resolver<ResolversTypes['Language'], ParentType, ContextType>;
  phone: Resolver<Maybe<ResolversTypes['Phone']>, ParentType, ContextType>;
  totpEnabled: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  username: Resolver<Maybe<ResolversTypes['Username']>, ParentType, ContextType>;
};

export type UserEmailDeletePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserEmailDeletePayload'] = ResolversParentTypes['UserEmailDeletePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type UserEmailRegistrationInitiatePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserEmailRegistrationInitiatePayload'] = ResolversParentTypes['UserEmailRegistrationInitiatePayload']> = {
  emailRegistrationId: Resolver<Maybe<ResolversTypes['EmailRegistrationId']>, ParentType, ContextType>;
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type UserEmailRegistrationValidatePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserEmailRegistrationValidatePayload'] = ResolversParentTypes['UserEmailRegistrationValidatePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type UserTotpDeletePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserTotpDeletePayload'] = ResolversParentTypes['UserTotpDeletePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type UserTotpRegistrationInitiatePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserTotpRegistrationInitiatePayload'] = ResolversParentTypes['UserTotpRegistrationInitiatePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  totpRegistrationId: Resolver<Maybe<ResolversTypes['TotpRegistrationId']>, ParentType, ContextType>;
  totpSecret: Resolver<Maybe<ResolversTypes['TotpSecret']>, ParentType, ContextType>;
};

export type UserTotpRegistrationValidatePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserTotpRegistrationValidatePayload'] = ResolversParentTypes['UserTotpRegistrationValidatePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type UserUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserUpdate'] = ResolversParentTypes['UserUpdate']> = {
  __resolveType: TypeResolveFn<'BudgetUpdate' | 'IntraLedgerUpdate' | 'LnUpdate' | 'OnChainUpdate' | 'PaymentUpdate' | 'Price' | 'RealtimePrice', ParentType, ContextType>;
};

export type UserUpdateLanguagePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserUpdateLanguagePayload'] = ResolversParentTypes['UserUpdateLanguagePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  user: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export type UserUpdateUsernamePayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserUpdateUsernamePayload'] = ResolversParentTypes['UserUpdateUsernamePayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  user: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
};

export interface UsernameScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Username'], any> {
  name: 'Username';
}

export type WalletResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Wallet'] = ResolversParentTypes['Wallet']> = {
  __resolveType: TypeResolveFn<'BTCWallet' | 'UsdWallet', ParentType, ContextType>;
};

export interface WalletIdScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['WalletId'], any> {
  name: 'WalletId';
}

export type Resolvers<ContextType = GqlContext> = {
  Account: AccountResolvers<ContextType>;
  AccountDeletePayload: AccountDeletePayloadResolvers<ContextType>;
  AccountLevelLimits: AccountLevelLimitsResolvers<ContextType>;
  AccountLimit: AccountLimitResolvers<ContextType>;
  AccountLimits: AccountLimitsResolvers<ContextType>;
  AccountUpdateDefaultWalletIdPayload: AccountUpdateDefaultWalletIdPayloadResolvers<ContextType>;
  AccountUpdateDisplayCurrencyPayload: AccountUpdateDisplayCurrencyPayloadResolvers<ContextType>;
  ApiKey: ApiKeyResolvers<ContextType>;
  ApiKeyCreatePayload: ApiKeyCreatePayloadResolvers<ContextType>;
  ApiKeyLimits: ApiKeyLimitsResolvers<ContextType>;
  ApiKeyRevokePayload: ApiKeyRevokePayloadResolvers<ContextType>;
  ApiKeySetLimitPayload: ApiKeySetLimitPayloadResolvers<ContextType>;
  AuthToken: GraphQLScalarType;
  Authorization: AuthorizationResolvers<ContextType>;
  AuthorizationBudget: AuthorizationBudgetResolvers<ContextType>;
  BTCWallet: BtcWalletResolvers<ContextType>;
  BlockInfo: BlockInfoResolvers<ContextType>;
  BudgetUpdate: BudgetUpdateResolvers<ContextType>;
  BuildInformation: BuildInformationResolvers<ContextType>;
  CallbackDelivery: CallbackDeliveryResolvers<ContextType>;
  CallbackEndpoint: CallbackEndpointResolvers<ContextType>;
  CallbackEndpointAddPayload: CallbackEndpointAddPayloadResolvers<ContextType>;
  CentAmount: GraphQLScalarType;
  CentAmountPayload: CentAmountPayloadResolvers<ContextType>;
  ConsumerAccount: ConsumerAccountResolvers<ContextType>;
  Country: CountryResolvers<ContextType>;
  CountryCode: GraphQLScalarType;
  Currency: CurrencyResolvers<ContextType>;
  CurrencyConversionEstimation: CurrencyConversionEstimationResolvers<ContextType>;
  DepositFeeTier: DepositFeeTierResolvers<ContextType>;
  DepositFeesInformation: DepositFeesInformationResolvers<ContextType>;
  DisplayCurrency: GraphQLScalarType;
  Email: EmailResolvers<ContextType>;
  EmailAddress: GraphQLScalarType;
  EmailRegistrationId: GraphQLScalarType;
  EndpointId: GraphQLScalarType;
  EndpointUrl: GraphQLScalarType;
  Error: ErrorResolvers<ContextType>;
  FeesInformation: FeesInformationResolvers<ContextType>;
  Globals: GlobalsResolvers<ContextType>;
  GraphQLApplicationError: GraphQlApplicationErrorResolvers<ContextType>;
  Hex32Bytes: GraphQLScalarType;
  InitiationVia: InitiationViaResolvers<ContextType>;
  InitiationViaIntraLedger: InitiationViaIntraLedgerResolvers<ContextType>;
  InitiationViaLn: InitiationViaLnResolvers<ContextType>;
  InitiationViaOnChain: InitiationViaOnChainResolvers<ContextType>;
  IntraLedgerUpdate: IntraLedgerUpdateResolvers<ContextType>;
  Invoice: InvoiceResolvers<ContextType>;
  InvoiceConnection: InvoiceConnectionResolvers<ContextType>;
  InvoiceEdge: InvoiceEdgeResolvers<ContextType>;
  Language: GraphQLScalarType;
  LnInvoice: LnInvoiceResolvers<ContextType>;
  LnInvoicePayload: LnInvoicePayloadResolvers<ContextType>;
  LnInvoicePaymentStatus: LnInvoicePaymentStatusResolvers<ContextType>;
  LnInvoicePaymentStatusPayload: LnInvoicePaymentStatusPayloadResolvers<ContextType>;
  LnNoAmountInvoice: LnNoAmountInvoiceResolvers<ContextType>;
  LnNoAmountInvoicePayload: LnNoAmountInvoicePayloadResolvers<ContextType>;
  LnPaymentPreImage: GraphQLScalarType;
  LnPaymentRequest: GraphQLScalarType;
  LnPaymentSecret: GraphQLScalarType;
  LnUpdate: LnUpdateResolvers<ContextType>;
  Memo: GraphQLScalarType;
  Minutes: GraphQLScalarType;
  Mutation: MutationResolvers<ContextType>;
  MyUpdatesPayload: MyUpdatesPayloadResolvers<ContextType>;
  OnChainAddress: GraphQLScalarType;
  OnChainAddressPayload: OnChainAddressPayloadResolvers<ContextType>;
  OnChainTxFee: OnChainTxFeeResolvers<ContextType>;
  OnChainTxHash: GraphQLScalarType;
  OnChainUpdate: OnChainUpdateResolvers<ContextType>;
  OnChainUsdTxFee: OnChainUsdTxFeeResolvers<ContextType>;
  OneDayAccountLimit: OneDayAccountLimitResolvers<ContextType>;
  OneTimeAuthCode: GraphQLScalarType;
  PageInfo: PageInfoResolvers<ContextType>;
  PaymentApproval: PaymentApprovalResolvers<ContextType>;
  PaymentHash: GraphQLScalarType;
  PaymentSendPayload: PaymentSendPayloadResolvers<ContextType>;
  PaymentUpdate: PaymentUpdateResolvers<ContextType>;
  PayoutSpeeds: PayoutSpeedsResolvers<ContextType>;
  Phone: GraphQLScalarType;
  Price: PriceResolvers<ContextType>;
  PriceInterface: PriceInterfaceResolvers<ContextType>;
  PriceOfOneSatInMinorUnit: PriceOfOneSatInMinorUnitResolvers<ContextType>;
  PriceOfOneSettlementMinorUnitInDisplayMinorUnit: PriceOfOneSettlementMinorUnitInDisplayMinorUnitResolvers<ContextType>;
  PriceOfOneUsdCentInMinorUnit: PriceOfOneUsdCentInMinorUnitResolvers<ContextType>;
  PricePayload: PricePayloadResolvers<ContextType>;
  PricePoint: PricePointResolvers<ContextType>;
  PublicWallet: PublicWalletResolvers<ContextType>;
  Query: QueryResolvers<ContextType>;
  RealtimePrice: RealtimePriceResolvers<ContextType>;
  RealtimePricePayload: RealtimePricePayloadResolvers<ContextType>;
  SafeInt: GraphQLScalarType;
  SatAmount: GraphQLScalarType;
  SatAmountPayload: SatAmountPayloadResolvers<ContextType>;
  Seconds: GraphQLScalarType;
  SettlementVia: SettlementViaResolvers<ContextType>;
  SettlementViaIntraLedger: SettlementViaIntraLedgerResolvers<ContextType>;
  SettlementViaLn: SettlementViaLnResolvers<ContextType>;
  SettlementViaOnChain: SettlementViaOnChainResolvers<ContextType>;
  SignedAmount: GraphQLScalarType;
  SignedDisplayMajorAmount: GraphQLScalarType;
  Subscription: SubscriptionResolvers<ContextType>;
  SuccessPayload: SuccessPayloadResolvers<ContextType>;
  Timestamp: GraphQLScalarType;
  TotpCode: GraphQLScalarType;
  TotpRegistrationId: GraphQLScalarType;
  TotpSecret: GraphQLScalarType;
  Transaction: TransactionResolvers<ContextType>;
  TransactionConnection: TransactionConnectionResolvers<ContextType>;
  TransactionEdge: TransactionEdgeResolvers<ContextType>;
  TxExternalId: GraphQLScalarType;
  UsdWallet: UsdWalletResolvers<ContextType>;
  User: UserResolvers<ContextType>;
  UserEmailDeletePayload: UserEmailDeletePayloadResolvers<ContextType>;
  UserEmailRegistrationInitiatePayload: UserEmailRegistrationInitiatePayloadResolvers<ContextType>;
  UserEmailRegistrationValidatePayload: UserEmailRegistrationValidatePayloadResolvers<ContextType>;
  UserTotpDeletePayload: UserTotpDeletePayloadResolvers<ContextType>;
  UserTotpRegistrationInitiatePayload: UserTotpRegistrationInitiatePayloadResolvers<ContextType>;
  UserTotpRegistrationValidatePayload: UserTotpRegistrationValidatePayloadResolvers<ContextType>;
  UserUpdate: UserUpdateResolvers<ContextType>;
  UserUpdateLanguagePayload: UserUpdateLanguagePayloadResolvers<ContextType>;
  UserUpdateUsernamePayload: UserUpdateUsernamePayloadResolvers<ContextType>;
  Username: GraphQLScalarType;
  Wallet: WalletResolvers<ContextType>;
  WalletId: GraphQLScalarType;
};

