import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { AccountRow, ApiKeyRow, WalletRow, InvoiceRow, PaymentSendRow, TransactionRow, UserRow, GqlContext } from '../../../src/index.js';
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
  /** The code of a currency, in capitals: three or four letters as in ISO 4217, for example `USD`. Lower case is accepted. */
  DisplayCurrency: { input: string; output: string; }
  /** An e-mail address. */
  EmailAddress: { input: string; output: string; }
  /** The id of a callback endpoint. */
  EndpointId: { input: string; output: string; }
  /** The address of a callback endpoint: a URL of the scheme `https` or `http`. */
  EndpointUrl: { input: string; output: string; }
  /** 32 bytes as 64 hexadecimal digits in lower case. */
  Hex32Bytes: { input: string; output: string; }
  /** A language as BCP 47 names it, for example `en` or `pt-BR`; an empty text for no choice. */
  Language: { input: string; output: string; }
  /** A Lightning preimage: 64 hexadecimal digits. Its SHA-256 is the payment hash, and knowing it proves payment. */
  LnPaymentPreImage: { input: string; output: string; }
  /** A Lightning invoice in the encoding of BOLT 11, without `lightning:` before it. Upper and lower case are the same. */
  LnPaymentRequest: { input: string; output: string; }
  /** The payment secret of a Lightning invoice: 64 hexadecimal digits. */
  LnPaymentSecret: { input: string; output: string; }
  /** A note of at most 639 bytes in UTF-8. */
  Memo: { input: string; output: string; }
  /** A length of time in whole minutes, zero or more. Written as a number, or as a text of digits in variables. A fraction is refused. */
  Minutes: { input: number; output: number; }
  /** A bitcoin address, of the network in `globals`. */
  OnChainAddress: { input: string; output: string; }
  /** The id of a bitcoin transaction: 64 hexadecimal digits. */
  OnChainTxHash: { input: string; output: string; }
  /** The payment hash of a Lightning invoice: 64 hexadecimal digits. */
  PaymentHash: { input: string; output: string; }
  /** A phone number as E.164 writes it: a plus sign and 7 to 15 digits. */
  Phone: { input: string; output: string; }
  /** A whole number between -(2^53 - 1) and 2^53 - 1, which every JSON reader keeps exact. */
  SafeInt: { input: number; output: number; }
  /**
   * An amount in satoshis, from 0 to 10,000,000,000,000 (100,000 bitcoin). Written as a number, or as a text of digits in variables. A
   * fraction is refused.
   */
  SatAmount: { input: number; output: number; }
  /** An amount in the minor unit of a wallet's currency, satoshis or cents: a whole number that may be negative. */
  SignedAmount: { input: number; output: number; }
  /** An amount in the major unit of a display currency, as a text with as many decimals as the currency has, for example `-1.05`. */
  SignedDisplayMajorAmount: { input: string; output: string; }
  /** A moment, in whole seconds since 1 January 1970, UTC. */
  Timestamp: { input: number; output: Date | number; }
  /** A name that the maker of an invoice gives it: 1 to 100 of `a` to `z`, `0` to `9`, `_` and `-`. */
  TxExternalId: { input: string; output: string; }
  /**
   * The name of a user: 3 to 50 letters, digits and underscores, at least one of them a letter, not beginning with `1`, `3`, `_`, `bc1` or
   * `lnbc1`. Upper and lower case are the same.
   */
  Username: { input: string; output: string; }
  /** The id of a wallet: a UUID. */
  WalletId: { input: string; output: string; }
};

/** Holds wallets and their history. Shown to scope `read`. */
export type Account = {
  /** The addresses that are called when something happens to the account's money. Always empty in this version: none can be added yet. */
  readonly callbackEndpoints: ReadonlyArray<CallbackEndpoint>;
  /** Where a browser shows the calls made to `callbackEndpoints`; an empty text, as always in this version, where there is no such page. */
  readonly callbackPortalUrl: Scalars['String']['output'];
  /** The wallet that money goes to when the sender names the person only. */
  readonly defaultWallet: PublicWallet;
  /** The id of `defaultWallet`. */
  readonly defaultWalletId: Scalars['WalletId']['output'];
  /** The currency in which this account sees values displayed. */
  readonly displayCurrency: Scalars['DisplayCurrency']['output'];
  /** Identifies the account; not a wallet id. */
  readonly id: Scalars['ID']['output'];
  /**
   * Invoices of the account, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number outside,
   * is a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** How well the operator knows who owns the account. */
  readonly level: AccountLevel;
  /** Transactions that will raise a balance and have not yet. Empty in this version: what comes by Lightning can be spent at once. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** Prices right now, in the account's display currency. */
  readonly realtimePrice: RealtimePrice;
  /**
   * Transactions of the account, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number
   * outside, is a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly transactions: Maybe<TransactionConnection>;
  /** One wallet of this account. Any other id: top-level error `NOT_FOUND`. */
  readonly walletById: Wallet;
  /** Every wallet of the account, always in the same order: bitcoin first, then US dollar. */
  readonly wallets: ReadonlyArray<Wallet>;
};


/** Holds wallets and their history. Shown to scope `read`. */
export type AccountInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** Holds wallets and their history. Shown to scope `read`. */
export type AccountPendingIncomingTransactionsArgs = {
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** Holds wallets and their history. Shown to scope `read`. */
export type AccountTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** Holds wallets and their history. Shown to scope `read`. */
export type AccountWalletByIdArgs = {
  walletId: Scalars['WalletId']['input'];
};

/** How well the operator knows who owns an account. */
export type AccountLevel =
  /** The owner registered. Every new account starts here. */
  | 'ONE'
  /** The owner has a standing agreement with the operator. */
  | 'THREE'
  /** The operator has verified who the owner is. */
  | 'TWO'
  /** Nothing is known: an account without any means to sign in again. */
  | 'ZERO';

/** A key that a program uses in the place of the person, in the header `X-API-KEY`. The key itself is shown once, when it is made. */
export type ApiKey = {
  readonly __typename?: 'ApiKey';
  /** When it was made. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** Is it past `expiresAt`? */
  readonly expired: Scalars['Boolean']['output'];
  /** When it stops working by itself; null means never. */
  readonly expiresAt: Maybe<Scalars['Timestamp']['output']>;
  /** Identifies the key. It is not the key. */
  readonly id: Scalars['ID']['output'];
  /** When it was last used, at most a second late; null if never. */
  readonly lastUsedAt: Maybe<Scalars['Timestamp']['output']>;
  /** How much it may spend in a time, and how much of that it has spent. No key has a limit in this version. */
  readonly limits: ApiKeyLimits;
  /** The name that its owner gave it. */
  readonly name: Scalars['String']['output'];
  /** Is `READ` its only scope? */
  readonly readOnly: Scalars['Boolean']['output'];
  /** Has its owner revoked it? */
  readonly revoked: Scalars['Boolean']['output'];
  /** What it may do. */
  readonly scopes: ReadonlyArray<Scope>;
};

/** An API key to make. */
export type ApiKeyCreateInput = {
  /** For how many days of 24 hours it works, 1 to 3650; null means until it is revoked. */
  readonly expireInDays?: InputMaybe<Scalars['Int']['input']>;
  /** A name to know it by, of 1 to 64 characters; not necessarily unique. */
  readonly name: Scalars['String']['input'];
  /** What it may do; at least one. */
  readonly scopes?: ReadonlyArray<Scope>;
};

/** The API key made. */
export type ApiKeyCreatePayload = {
  readonly __typename?: 'ApiKeyCreatePayload';
  /** What the owner will see of it from now on. */
  readonly apiKey: ApiKey;
  /** The key itself. This is the only time it is shown. */
  readonly apiKeySecret: Scalars['String']['output'];
};

/** What an API key may spend, and has spent, in windows that roll on with the time. No key has a limit in this version, and nothing is counted. */
export type ApiKeyLimits = {
  readonly __typename?: 'ApiKeyLimits';
  /** The most that the key may spend in any 365 days, in satoshis; null means no limit. */
  readonly annualLimitSats: Maybe<Scalars['Int']['output']>;
  /** What the key has spent in the last 365 days, in satoshis. Counted for keys with limits; 0 in this version. */
  readonly annualSpentSats: Scalars['Int']['output'];
  /** The most that the key may spend in any 24 hours, in satoshis; null means no limit. */
  readonly dailyLimitSats: Maybe<Scalars['Int']['output']>;
  /** What the key has spent in the last 24 hours, in satoshis. Counted for keys with limits; 0 in this version. */
  readonly dailySpentSats: Scalars['Int']['output'];
  /** The most that the key may spend in any 30 days, in satoshis; null means no limit. */
  readonly monthlyLimitSats: Maybe<Scalars['Int']['output']>;
  /** What the key has spent in the last 30 days, in satoshis. Counted for keys with limits; 0 in this version. */
  readonly monthlySpentSats: Scalars['Int']['output'];
  /** The most that the key may spend in any 7 days, in satoshis; null means no limit. */
  readonly weeklyLimitSats: Maybe<Scalars['Int']['output']>;
  /** What the key has spent in the last 7 days, in satoshis. Counted for keys with limits; 0 in this version. */
  readonly weeklySpentSats: Scalars['Int']['output'];
};

/** Names an API key to revoke. */
export type ApiKeyRevokeInput = {
  /** The key's id. */
  readonly id: Scalars['ID']['input'];
};

/** The API key revoked. */
export type ApiKeyRevokePayload = {
  readonly __typename?: 'ApiKeyRevokePayload';
  /** The key as it is now. */
  readonly apiKey: ApiKey;
};

/** What a credential may do. */
export type Authorization = {
  readonly __typename?: 'Authorization';
  /** The scopes granted; none for a credential that permits nothing. A session has them all. */
  readonly scopes: ReadonlyArray<Scope>;
};

/** A wallet of bitcoin. Its amounts are in satoshis. */
export type BtcWallet = Wallet & {
  readonly __typename?: 'BTCWallet';
  /** The account that the wallet belongs to. */
  readonly accountId: Scalars['ID']['output'];
  /** The satoshis that can be spent now. What is held for payments on their way is not part of it. */
  readonly balance: Scalars['SignedAmount']['output'];
  /** Identifies the wallet. */
  readonly id: Scalars['ID']['output'];
  /** The invoice of this wallet with this payment hash. None: top-level error `NOT_FOUND`. */
  readonly invoiceByPaymentHash: Invoice;
  /**
   * Invoices of the wallet, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number outside, is
   * a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** The satoshis that `pendingIncomingTransactions` will add to the balance. */
  readonly pendingIncomingBalance: Scalars['SignedAmount']['output'];
  /** Transactions that will raise the balance and have not yet. Empty in this version: what comes by Lightning can be spent at once. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** One transaction of this wallet. Any other id: top-level error `NOT_FOUND`. */
  readonly transactionById: Transaction;
  /**
   * Transactions of the wallet, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number
   * outside, is a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly transactions: Maybe<TransactionConnection>;
  /** Transactions of this wallet for one Lightning payment, newest first: one for each attempt. None is an empty list, not an error. */
  readonly transactionsByPaymentHash: ReadonlyArray<Transaction>;
  /**
   * Transactions of this wallet for one Lightning invoice, newest first: one for each attempt. None is an empty list, not an error. Text that
   * is no invoice: top-level error `INVOICE_DECODE_ERROR`.
   */
  readonly transactionsByPaymentRequest: ReadonlyArray<Transaction>;
  /** Always `BTC`. */
  readonly walletCurrency: WalletCurrency;
};


/** A wallet of bitcoin. Its amounts are in satoshis. */
export type BtcWalletInvoiceByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A wallet of bitcoin. Its amounts are in satoshis. */
export type BtcWalletInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A wallet of bitcoin. Its amounts are in satoshis. */
export type BtcWalletTransactionByIdArgs = {
  transactionId: Scalars['ID']['input'];
};


/** A wallet of bitcoin. Its amounts are in satoshis. */
export type BtcWalletTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A wallet of bitcoin. Its amounts are in satoshis. */
export type BtcWalletTransactionsByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A wallet of bitcoin. Its amounts are in satoshis. */
export type BtcWalletTransactionsByPaymentRequestArgs = {
  paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** Which software a server runs. */
export type BuildInformation = {
  readonly __typename?: 'BuildInformation';
  /** The commit it was built from; null when the operator does not say. */
  readonly commitHash: Maybe<Scalars['String']['output']>;
  /** Always null: there is no Helm chart of this software. The field exists so that documents which select it are valid. */
  readonly helmRevision: Maybe<Scalars['Int']['output']>;
};

/** An address that is called when something happens to the money of an account. */
export type CallbackEndpoint = {
  readonly __typename?: 'CallbackEndpoint';
  /** Identifies the endpoint. */
  readonly id: Scalars['EndpointId']['output'];
  /** The address that is called. */
  readonly url: Scalars['EndpointUrl']['output'];
};

/** The account of a person; the only kind there is. Shown to scope `read`. */
export type ConsumerAccount = Account & {
  readonly __typename?: 'ConsumerAccount';
  /** The addresses that are called when something happens to the account's money. Always empty in this version: none can be added yet. */
  readonly callbackEndpoints: ReadonlyArray<CallbackEndpoint>;
  /** Where a browser shows the calls made to `callbackEndpoints`; an empty text, as always in this version, where there is no such page. */
  readonly callbackPortalUrl: Scalars['String']['output'];
  /** The wallet that money goes to when the sender names the person only. */
  readonly defaultWallet: PublicWallet;
  /** The id of `defaultWallet`. */
  readonly defaultWalletId: Scalars['WalletId']['output'];
  /** The currency in which this account sees values displayed. */
  readonly displayCurrency: Scalars['DisplayCurrency']['output'];
  /** Identifies the account; not a wallet id. */
  readonly id: Scalars['ID']['output'];
  /**
   * Invoices of the account, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number outside,
   * is a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** How well the operator knows who owns the account. */
  readonly level: AccountLevel;
  /** Transactions that will raise a balance and have not yet. Empty in this version: what comes by Lightning can be spent at once. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** Prices right now, in the account's display currency. */
  readonly realtimePrice: RealtimePrice;
  /**
   * Transactions of the account, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number
   * outside, is a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly transactions: Maybe<TransactionConnection>;
  /** One wallet of this account. Any other id: top-level error `NOT_FOUND`. */
  readonly walletById: Wallet;
  /** Every wallet of the account, always in the same order: bitcoin first, then US dollar. */
  readonly wallets: ReadonlyArray<Wallet>;
};


/** The account of a person; the only kind there is. Shown to scope `read`. */
export type ConsumerAccountInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** The account of a person; the only kind there is. Shown to scope `read`. */
export type ConsumerAccountPendingIncomingTransactionsArgs = {
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** The account of a person; the only kind there is. Shown to scope `read`. */
export type ConsumerAccountTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  walletIds?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['WalletId']['input']>>>;
};


/** The account of a person; the only kind there is. Shown to scope `read`. */
export type ConsumerAccountWalletByIdArgs = {
  walletId: Scalars['WalletId']['input'];
};

/** A currency that values can be displayed in. */
export type Currency = {
  readonly __typename?: 'Currency';
  /** The flag of the country it is best known for, as an emoji; an empty text when there is none. */
  readonly flag: Scalars['String']['output'];
  /** How many digits stand after the decimal point: 2 means that the minor unit is a hundredth. */
  readonly fractionDigits: Scalars['Int']['output'];
  /** The code of the currency, as in ISO 4217. */
  readonly id: Scalars['ID']['output'];
  /** The name of the currency in English. */
  readonly name: Scalars['String']['output'];
  /** The sign to write before an amount. */
  readonly symbol: Scalars['String']['output'];
};

/** An e-mail address and what is known about it. */
export type Email = {
  readonly __typename?: 'Email';
  /** The address as the person gave it. */
  readonly address: Maybe<Scalars['EmailAddress']['output']>;
  /** Has the person shown that mail to this address reaches them? */
  readonly verified: Maybe<Scalars['Boolean']['output']>;
};

/** Something that stands in the way of what was asked. `code` is for programs, `message` for people. */
export type Error = {
  /**
   * What kind of problem it is; the same for ever. Among them: `INVALID_INPUT`, `NOT_FOUND`, `TOO_MANY_REQUEST`, `INSUFFICIENT_BALANCE`,
   * `CANT_PAY_SELF`, `INVOICE_DECODE_ERROR`, `ROUTE_FINDING_ERROR`, `LIGHTNING_PAYMENT_ERROR`, `LND_OFFLINE`. Be ready for others.
   */
  readonly code: Maybe<Scalars['String']['output']>;
  /** What is wrong, in English, for people to read. */
  readonly message: Scalars['String']['output'];
  /** The way to the input that is wrong, for example `["input", "amount"]`; null when no single input is. */
  readonly path: Maybe<ReadonlyArray<Maybe<Scalars['String']['output']>>>;
};

/** Facts about this server. */
export type Globals = {
  readonly __typename?: 'Globals';
  /** Which software runs here. */
  readonly buildInformation: BuildInformation;
  /** What comes after the @ in the Lightning addresses of this server's users. */
  readonly lightningAddressDomain: Scalars['String']['output'];
  /** Further domains that work the same. */
  readonly lightningAddressDomainAliases: ReadonlyArray<Scalars['String']['output']>;
  /** The bitcoin network whose money this is. */
  readonly network: Network;
  /** The public keys of the Lightning nodes behind this server, in hexadecimal. */
  readonly nodesIds: ReadonlyArray<Scalars['String']['output']>;
};

/** The only kind of error there is. */
export type GraphQlApplicationError = Error & {
  readonly __typename?: 'GraphQLApplicationError';
  /**
   * What kind of problem it is; the same for ever. Among them: `INVALID_INPUT`, `NOT_FOUND`, `TOO_MANY_REQUEST`, `INSUFFICIENT_BALANCE`,
   * `CANT_PAY_SELF`, `INVOICE_DECODE_ERROR`, `ROUTE_FINDING_ERROR`, `LIGHTNING_PAYMENT_ERROR`, `LND_OFFLINE`. Be ready for others.
   */
  readonly code: Maybe<Scalars['String']['output']>;
  /** What is wrong, in English, for people to read. */
  readonly message: Scalars['String']['output'];
  /** The way to the input that is wrong, for example `["input", "amount"]`; null when no single input is. */
  readonly path: Maybe<ReadonlyArray<Maybe<Scalars['String']['output']>>>;
};

/** How a payment was asked for. `InitiationViaOnChain` is here for documents that name it: this version takes no on-chain payments. */
export type InitiationVia = InitiationViaIntraLedger | InitiationViaLn | InitiationViaOnChain;

/** Asked for by naming a wallet of this server. */
export type InitiationViaIntraLedger = {
  readonly __typename?: 'InitiationViaIntraLedger';
  /** The name of the other side's owner; null for an owner without one. */
  readonly counterPartyUsername: Maybe<Scalars['Username']['output']>;
  /** The wallet on the other side; null when it is not known any more. */
  readonly counterPartyWalletId: Maybe<Scalars['WalletId']['output']>;
};

/** Asked for by a Lightning invoice. */
export type InitiationViaLn = {
  readonly __typename?: 'InitiationViaLn';
  /** The invoice's payment hash. */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The invoice itself; an empty text when it is not known. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['output'];
};

/** Asked for by a bitcoin address. This version never sends it: the type exists so that documents which name it are valid. */
export type InitiationViaOnChain = {
  readonly __typename?: 'InitiationViaOnChain';
  /** The bitcoin address. */
  readonly address: Scalars['OnChainAddress']['output'];
};

/** A payment from wallet to wallet. */
export type IntraLedgerPaymentSendInput = {
  /** How much to send; more than zero. */
  readonly amount: Scalars['SatAmount']['input'];
  /** A note that both sides get to read. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The bitcoin wallet that is to receive the money, as `accountDefaultWallet` names it. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
  /** The caller's bitcoin wallet that is to pay. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** Money came in by a payment from another wallet of this server, not asked for by an invoice. */
export type IntraLedgerUpdate = {
  readonly __typename?: 'IntraLedgerUpdate';
  /**
   * The amount that moved.
   * @deprecated Use `transaction.settlementAmount`.
   */
  readonly amount: Scalars['SatAmount']['output'];
  /**
   * What one satoshi was worth, in the major unit of the display currency.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly displayCurrencyPerSat: Scalars['Float']['output'];
  /** The recipient's side of the payment. */
  readonly transaction: Transaction;
  /** Which kind of movement it was. */
  readonly txNotificationType: TxNotificationType;
  /**
   * What one satoshi was worth, in US dollars.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly usdPerSat: Scalars['Float']['output'];
  /**
   * The wallet that the money came to.
   * @deprecated Ask for the wallet's own transactions instead.
   */
  readonly walletId: Scalars['WalletId']['output'];
};

/** A request for a Lightning payment, made by this server. */
export type Invoice = {
  /** When it was made. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** The maker's own name for it; the payment hash when none was given. Unique among the invoices that the owner of the account made. */
  readonly externalId: Scalars['TxExternalId']['output'];
  /** Did the owner of the account make this invoice, and so give `externalId`? False: another caller asked for it on the owner's behalf. */
  readonly externalIdByOwner: Scalars['Boolean']['output'];
  /** Identifies the payment, everywhere in the Lightning network. */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The invoice itself, in the encoding of BOLT 11: what a payer scans or pastes. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['output'];
  /** The payment secret that BOLT 11 puts into the invoice. Not the preimage, and no proof of payment. */
  readonly paymentSecret: Scalars['LnPaymentSecret']['output'];
  /** Has it been paid? */
  readonly paymentStatus: InvoicePaymentStatus;
};

/** A page of invoices, after the Relay connection specification. */
export type InvoiceConnection = {
  readonly __typename?: 'InvoiceConnection';
  /** The invoices of this page, newest first. */
  readonly edges: Maybe<ReadonlyArray<InvoiceEdge>>;
  /** How to go on from here. */
  readonly pageInfo: PageInfo;
};

/** An invoice and its place in the list. */
export type InvoiceEdge = {
  readonly __typename?: 'InvoiceEdge';
  /** The invoice's place: give it to `after` or `before`. It stays good when newer invoices are made. */
  readonly cursor: Scalars['String']['output'];
  /** The invoice. */
  readonly node: Invoice;
};

/** How far an invoice has come. */
export type InvoicePaymentStatus =
  /** It can no longer be paid: its time ran out, or its maker cancelled it. */
  | 'EXPIRED'
  /** The money is in the wallet. */
  | 'PAID'
  /** It waits for its payer. */
  | 'PENDING';

/** A Lightning invoice for a fixed amount. */
export type LnInvoice = Invoice & {
  readonly __typename?: 'LnInvoice';
  /** When it was made. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** The maker's own name for it; the payment hash when none was given. Unique among the invoices that the owner of the account made. */
  readonly externalId: Scalars['TxExternalId']['output'];
  /** Did the owner of the account make this invoice, and so give `externalId`? False: another caller asked for it on the owner's behalf. */
  readonly externalIdByOwner: Scalars['Boolean']['output'];
  /** Identifies the payment, everywhere in the Lightning network. */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** The invoice itself, in the encoding of BOLT 11: what a payer scans or pastes. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['output'];
  /** The payment secret that BOLT 11 puts into the invoice. Not the preimage, and no proof of payment. */
  readonly paymentSecret: Scalars['LnPaymentSecret']['output'];
  /** Has it been paid? */
  readonly paymentStatus: InvoicePaymentStatus;
  /** The amount that it asks for. */
  readonly satoshis: Scalars['SatAmount']['output'];
};

/** Names an invoice to take back. */
export type LnInvoiceCancelInput = {
  /** The invoice's payment hash. */
  readonly paymentHash: Scalars['PaymentHash']['input'];
  /** The caller's wallet that the invoice was made for. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice for the caller's own wallet. */
export type LnInvoiceCreateInput = {
  /** How much it asks for; more than zero. */
  readonly amount: Scalars['SatAmount']['input'];
  /** How long it can be paid: 1 minute to 24 hours. Null or a value outside means the default of 4 hours. */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** The caller's own name for it, unique in the account; null makes it the payment hash. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** What the payer gets to read. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The caller's bitcoin wallet that is to receive the money. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** A Lightning invoice for somebody else's wallet. */
export type LnInvoiceCreateOnBehalfOfRecipientInput = {
  /** How much it asks for; more than zero. */
  readonly amount: Scalars['SatAmount']['input'];
  /**
   * The SHA-256 of a description that the payer gets by another way (LNURL). It takes the memo's place in the invoice; the memo then goes
   * to the recipient only.
   */
  readonly descriptionHash?: InputMaybe<Scalars['Hex32Bytes']['input']>;
  /** How long it can be paid: 1 minute to 24 hours. Null or a value outside means the default of 4 hours. */
  readonly expiresIn?: InputMaybe<Scalars['Minutes']['input']>;
  /** The caller's own name for it, which the recipient sees marked as another's (`externalIdByOwner: false`) and which need not be unique; null makes it the payment hash. */
  readonly externalId?: InputMaybe<Scalars['TxExternalId']['input']>;
  /** What the payer gets to read, unless there is a description hash. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The bitcoin wallet that is to receive the money, as `accountDefaultWallet` names it. */
  readonly recipientWalletId: Scalars['WalletId']['input'];
};

/** The invoice made, or why there is none. */
export type LnInvoicePayload = {
  readonly __typename?: 'LnInvoicePayload';
  /** What stood in the way; empty when nothing did. */
  readonly errors: ReadonlyArray<Error>;
  /** The invoice; null when there are errors. */
  readonly invoice: Maybe<LnInvoice>;
};

/** A Lightning invoice to pay. */
export type LnInvoicePaymentInput = {
  /** A note for the payer's own history; the recipient does not see it. Null keeps the invoice's text. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The invoice. It must state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's bitcoin wallet that is to pay. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** What anybody who knows an invoice may know about its payment. */
export type LnInvoicePaymentStatus = {
  readonly __typename?: 'LnInvoicePaymentStatus';
  /** The invoice's payment hash. */
  readonly paymentHash: Maybe<Scalars['PaymentHash']['output']>;
  /** The proof of payment, once the invoice is paid; null before. */
  readonly paymentPreimage: Maybe<Scalars['LnPaymentPreImage']['output']>;
  /** The invoice itself. Null some minutes after its time, where it was made on another's behalf and was not paid: such an invoice is deleted. */
  readonly paymentRequest: Maybe<Scalars['LnPaymentRequest']['output']>;
  /** Has the invoice been paid? */
  readonly status: Maybe<InvoicePaymentStatus>;
};

/** Names an invoice by its payment hash. */
export type LnInvoicePaymentStatusByHashInput = {
  /** The invoice's payment hash. */
  readonly paymentHash: Scalars['PaymentHash']['input'];
};

/** Names an invoice by its text. */
export type LnInvoicePaymentStatusByPaymentRequestInput = {
  /** The invoice itself. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** Names an invoice by its text. */
export type LnInvoicePaymentStatusInput = {
  /** The invoice itself. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** The state of an invoice, with what stood in the way of telling it. All fields but `errors` are null when there are errors. */
export type LnInvoicePaymentStatusPayload = {
  readonly __typename?: 'LnInvoicePaymentStatusPayload';
  /** What stood in the way; empty when nothing did. */
  readonly errors: ReadonlyArray<Error>;
  /** The invoice's payment hash. */
  readonly paymentHash: Maybe<Scalars['PaymentHash']['output']>;
  /** The proof of payment, once the invoice is paid; null before. */
  readonly paymentPreimage: Maybe<Scalars['LnPaymentPreImage']['output']>;
  /** The invoice itself. Null some minutes after its time, where it was made on another's behalf and was not paid: such an invoice is deleted. */
  readonly paymentRequest: Maybe<Scalars['LnPaymentRequest']['output']>;
  /** Has the invoice been paid? */
  readonly status: Maybe<InvoicePaymentStatus>;
};

/** An invoice was paid, over the Lightning network or from another wallet of this server. */
export type LnUpdate = {
  readonly __typename?: 'LnUpdate';
  /**
   * The payment hash of the invoice.
   * @deprecated Use `initiationVia` of `transaction`.
   */
  readonly paymentHash: Scalars['PaymentHash']['output'];
  /** How the invoice stands now. */
  readonly status: InvoicePaymentStatus;
  /** The recipient's side of the payment. */
  readonly transaction: Transaction;
  /**
   * The wallet that the money came to.
   * @deprecated Ask for the wallet's own transactions instead.
   */
  readonly walletId: Scalars['WalletId']['output'];
};

/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Make an API key for the signed-in person. Session only: neither an API key nor an ordinary app can do this (`NOT_AUTHORIZED`).
   * The operator may trust an app with it; that needs the scope `write`, and gives keys with no more than the app's own scopes.
   * Bad input, an empty list of scopes among it: top-level error `INVALID_INPUT`.
   */
  readonly apiKeyCreate: ApiKeyCreatePayload;
  /**
   * Make an API key useless for ever; open connections that use it are closed within a second. Revoking twice is no error. Session only
   * (`NOT_AUTHORIZED`), or an app that the operator trusts with keys (scope `write`). A key that is not the caller's: top-level error `NOT_FOUND`.
   */
  readonly apiKeyRevoke: ApiKeyRevokePayload;
  /**
   * Move satoshis from a wallet of the caller to any other wallet of this server, at once and without a fee. Scope: `write`.
   * Errors: `INVALID_INPUT` (amount of zero, wallet of the wrong currency), `NOT_FOUND` (either wallet), `CANT_PAY_SELF` (both wallets are
   * the same), `INSUFFICIENT_BALANCE`, `PAYMENT_BUSY` and `PAYMENT_NOT_SENT` (nothing was sent, try again). Asking twice pays twice.
   */
  readonly intraLedgerPaymentSend: PaymentSendPayload;
  /**
   * Take back an invoice of the caller that nobody has paid: it can no longer be paid afterwards. Scope: `receive` or `write`.
   * Errors: `NOT_FOUND` (wallet or invoice), `INVALID_INPUT` (a payment has arrived or is on its way), `LND_OFFLINE` (the Lightning node
   * cannot be reached; the invoice may still be paid).
   */
  readonly lnInvoiceCancel: SuccessPayload;
  /**
   * Make a Lightning invoice that pays into a bitcoin wallet of the caller. Scope: `receive` or `write`.
   * Errors: `INVALID_INPUT` (amount of zero, memo too long, external id taken, wallet of the wrong currency), `NOT_FOUND` (wallet),
   * `LND_OFFLINE` (the Lightning node cannot be reached).
   */
  readonly lnInvoiceCreate: LnInvoicePayload;
  /**
   * Make a Lightning invoice that pays into somebody else's bitcoin wallet: for shops, donation pages and Lightning addresses.
   * No credential needed; without one, calls are limited per caller (`TOO_MANY_REQUEST`).
   * Errors: those of `lnInvoiceCreate`, and `TOO_MANY_REQUEST`.
   */
  readonly lnInvoiceCreateOnBehalfOfRecipient: LnInvoicePayload;
  /**
   * Pay a Lightning invoice that states its amount. Scope: `write`.
   * The answer comes when the outcome is known, or as `PENDING` when that takes longer than this server's patience (30 seconds unless
   * configured otherwise); the rest is told by `myUpdates` and the transaction's status. An invoice of this server's own is settled inside,
   * without a fee. Trying again is safe: the invoice is paid once, and its payer is told `ALREADY_PAID` or, while the first try is on its
   * way, `PENDING` with the same transaction.
   * Errors: `INVOICE_DECODE_ERROR`, `INVALID_INPUT` (no amount in the invoice, wallet of the wrong currency), `NOT_FOUND` (wallet),
   * `INSUFFICIENT_BALANCE` (the balance does not cover amount and fee limit together), `CANT_PAY_SELF`, `ROUTE_FINDING_ERROR`,
   * `LIGHTNING_PAYMENT_ERROR` (expired, paid by another account, refused by the recipient), `INVOICE_BEING_PAID` (another account is paying
   * it), `INVOICE_TEXT_MISMATCH` (not the text of this server's invoice), `PAYMENT_BUSY` and `PAYMENT_NOT_SENT` (nothing was sent, try
   * again). A Lightning node that cannot be reached is no error: the payment is `PENDING`.
   */
  readonly lnInvoicePaymentSend: PaymentSendPayload;
};


/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type MutationApiKeyCreateArgs = {
  input: ApiKeyCreateInput;
};


/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type MutationApiKeyRevokeArgs = {
  input: ApiKeyRevokeInput;
};


/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type MutationIntraLedgerPaymentSendArgs = {
  input: IntraLedgerPaymentSendInput;
};


/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type MutationLnInvoiceCancelArgs = {
  input: LnInvoiceCancelInput;
};


/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type MutationLnInvoiceCreateArgs = {
  input: LnInvoiceCreateInput;
};


/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type MutationLnInvoiceCreateOnBehalfOfRecipientArgs = {
  input: LnInvoiceCreateOnBehalfOfRecipientInput;
};


/**
 * Everything that changes something. Mutations work over HTTP POST only.
 * A missing or insufficient credential is a top-level error, as for queries; everything else that stands in the way is listed in the
 * `errors` of the payload, which is empty when all went well.
 */
export type MutationLnInvoicePaymentSendArgs = {
  input: LnInvoicePaymentInput;
};

/** Something that happened to the caller's money. One of `errors` and `update` says something. */
export type MyUpdatesPayload = {
  readonly __typename?: 'MyUpdatesPayload';
  /** What stood in the way; empty when nothing did. */
  readonly errors: ReadonlyArray<Error>;
  /** The person whose money it is. */
  readonly me: Maybe<User>;
  /** What happened; null when there are errors. */
  readonly update: Maybe<UserUpdate>;
};

/** A bitcoin network. */
export type Network =
  /** The one whose coins have a price. */
  | 'mainnet'
  /** A private chain for development and tests; what the demo runs on. */
  | 'regtest'
  /** The test network with signed blocks. */
  | 'signet'
  /** The public test network. */
  | 'testnet';

/** Money came in or went out on-chain. This version never sends it: the type exists so that documents which name it are valid. */
export type OnChainUpdate = {
  readonly __typename?: 'OnChainUpdate';
  /**
   * The amount that moved.
   * @deprecated Use `transaction.settlementAmount`.
   */
  readonly amount: Scalars['SatAmount']['output'];
  /**
   * What one satoshi was worth, in the major unit of the display currency.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly displayCurrencyPerSat: Scalars['Float']['output'];
  /** The caller's side of the payment. */
  readonly transaction: Transaction;
  /**
   * The bitcoin transaction.
   * @deprecated Use `settlementVia` of `transaction`.
   */
  readonly txHash: Scalars['OnChainTxHash']['output'];
  /** Which kind of movement it was. */
  readonly txNotificationType: TxNotificationType;
  /**
   * What one satoshi was worth, in US dollars.
   * @deprecated Use `transaction.settlementPrice`.
   */
  readonly usdPerSat: Scalars['Float']['output'];
  /**
   * The wallet whose money moved.
   * @deprecated Ask for the wallet's own transactions instead.
   */
  readonly walletId: Scalars['WalletId']['output'];
};

/** Where a page lies in its list. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** The `cursor` of the last edge; null on an empty page. */
  readonly endCursor: Maybe<Scalars['String']['output']>;
  /** Is there more after the last edge? False when paging backwards. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Is there more before the first edge? False when paging forwards. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The `cursor` of the first edge; null on an empty page. */
  readonly startCursor: Maybe<Scalars['String']['output']>;
};

/** What became of a payment. */
export type PaymentSendPayload = {
  readonly __typename?: 'PaymentSendPayload';
  /** What stood in the way; empty when nothing did. */
  readonly errors: ReadonlyArray<Error>;
  /** The outcome as far as it is known; null when the input was malformed. */
  readonly status: Maybe<PaymentSendResult>;
  /**
   * The payer's side of the payment, whatever scopes the caller has; null when nothing was booked. `PENDING` without a transaction: it is not
   * known whether the payment has begun; its id is in the response's `extensions.unconfirmedTransactionIds`, by the path of the field.
   */
  readonly transaction: Maybe<Transaction>;
};

/** The outcome of a payment, as far as it is known. */
export type PaymentSendResult =
  /** The caller had paid this invoice before; nothing was paid again. */
  | 'ALREADY_PAID'
  /** It came to nothing, for good. No money left the wallet. */
  | 'FAILURE'
  /** Not known yet. The money is held until it is; do not pay another way in the meantime. */
  | 'PENDING'
  /** Paid, for good. */
  | 'SUCCESS';

/**
 * The outcome of a payment that the caller sent, as soon as it is final. A document that asks `status` of `LnUpdate` too has to rename one
 * of them, for the two are of different types.
 */
export type PaymentUpdate = {
  readonly __typename?: 'PaymentUpdate';
  /** `SUCCESS` or `FAILURE`. */
  readonly status: PaymentSendResult;
  /** The payer's side of the payment. */
  readonly transaction: Transaction;
};

/** What one satoshi is worth in US cents. This version never sends it: the type exists so that documents which name it are valid. */
export type Price = {
  readonly __typename?: 'Price';
  /** The price, as a whole number; see `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** What the price is in: `USDCENT`. */
  readonly currencyUnit: Scalars['String']['output'];
  /** The price written out, as a decimal number. */
  readonly formattedAmount: Scalars['String']['output'];
  /** How many decimal places `base` has to be moved to the right. */
  readonly offset: Scalars['Int']['output'];
};

/** A price without rounding: `base` divided by ten to the power of `offset`. */
export type PriceInterface = {
  /** The price, as a whole number; see `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** What the price is in; `MINOR` is the minor unit of the currency in question. */
  readonly currencyUnit: Scalars['String']['output'];
  /** How many decimal places `base` has to be moved to the right. */
  readonly offset: Scalars['Int']['output'];
};

/** The price of one satoshi, in the minor unit of a currency: `base` divided by ten to the power of `offset`. */
export type PriceOfOneSatInMinorUnit = PriceInterface & {
  readonly __typename?: 'PriceOfOneSatInMinorUnit';
  /** The price, as a whole number; see `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** Always `MINOR`: the minor unit of the currency in question. */
  readonly currencyUnit: Scalars['String']['output'];
  /** How many decimal places `base` has to be moved to the right: 12. */
  readonly offset: Scalars['Int']['output'];
};

/**
 * The price of one satoshi or one cent, whatever the wallet holds, in the minor unit of the display currency: `base` divided by ten to the
 * power of `offset`.
 */
export type PriceOfOneSettlementMinorUnitInDisplayMinorUnit = PriceInterface & {
  readonly __typename?: 'PriceOfOneSettlementMinorUnitInDisplayMinorUnit';
  /** The price, as a whole number; see `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** Always `MINOR`: the minor unit of the display currency. */
  readonly currencyUnit: Scalars['String']['output'];
  /** The price written out, as a decimal number. */
  readonly formattedAmount: Scalars['String']['output'];
  /** How many decimal places `base` has to be moved to the right: 12 for satoshis, 6 for cents. */
  readonly offset: Scalars['Int']['output'];
};

/** The price of one US cent, in the minor unit of a currency: `base` divided by ten to the power of `offset`. */
export type PriceOfOneUsdCentInMinorUnit = PriceInterface & {
  readonly __typename?: 'PriceOfOneUsdCentInMinorUnit';
  /** The price, as a whole number; see `offset`. */
  readonly base: Scalars['SafeInt']['output'];
  /** Always `MINOR`: the minor unit of the currency in question. */
  readonly currencyUnit: Scalars['String']['output'];
  /** How many decimal places `base` has to be moved to the right: 6. */
  readonly offset: Scalars['Int']['output'];
};

/** What anybody may know about a wallet: enough to pay into it. */
export type PublicWallet = {
  readonly __typename?: 'PublicWallet';
  /** What the wallet holds. */
  readonly currency: WalletCurrency;
  /** The wallet's id, as mutations take it. */
  readonly id: Scalars['ID']['output'];
  /**
   * What the wallet holds.
   * @deprecated The same as `currency`.
   */
  readonly walletCurrency: WalletCurrency;
};

/**
 * Everything that can be asked without changing anything. Queries work over HTTP, by POST or GET.
 * A query that needs a credential answers `null` plus a top-level error when there is none (`NOT_AUTHENTICATED`) or when its scopes do not
 * suffice (`INSUFFICIENT_SCOPE`, with the scopes that would in `extensions.scope`).
 */
export type Query = {
  readonly __typename?: 'Query';
  /**
   * The default wallet of the user with this name: where to send money when only a name is known.
   * No credential needed. Nobody with that name, or no wallet in that currency: top-level error `NOT_FOUND`.
   */
  readonly accountDefaultWallet: PublicWallet;
  /** What the credential of this call may do. Any valid credential may ask, whatever its scopes. */
  readonly authorization: Authorization;
  /** Facts about this server that are the same for every caller. No credential needed. */
  readonly globals: Maybe<Globals>;
  /**
   * Has this invoice been paid? No credential needed. Text that is no invoice, and an invoice that this server did not make, are told in
   * `errors` (`INVOICE_DECODE_ERROR`, `NOT_FOUND`).
   * @deprecated An older name of `lnInvoicePaymentStatusByPaymentRequest`.
   */
  readonly lnInvoicePaymentStatus: LnInvoicePaymentStatusPayload;
  /**
   * Has the invoice with this payment hash been paid? No credential needed: whoever knows the hash may ask.
   * A hash that belongs to no invoice of this server: top-level error `NOT_FOUND`.
   */
  readonly lnInvoicePaymentStatusByHash: LnInvoicePaymentStatus;
  /**
   * Has this invoice been paid? No credential needed.
   * Text that is no invoice: top-level error `INVOICE_DECODE_ERROR`; an invoice that this server did not make: `NOT_FOUND`.
   */
  readonly lnInvoicePaymentStatusByPaymentRequest: LnInvoicePaymentStatus;
  /** The person behind the credential, with accounts and wallets. Scope: `read`. */
  readonly me: Maybe<User>;
  /**
   * What bitcoin and the US dollar are worth right now, in the minor unit of a currency. No credential needed.
   * A currency without a known price: top-level error `INVALID_INPUT`.
   */
  readonly realtimePrice: RealtimePrice;
  /** The tips that the caller has received so far. */
  readonly tipsReceived: TipSummary;
  /**
   * Could somebody register with this name: true when it is well-formed and free. No credential needed.
   * A text that can never be a username: top-level error `INVALID_INPUT`.
   */
  readonly usernameAvailable: Maybe<Scalars['Boolean']['output']>;
};


/**
 * Everything that can be asked without changing anything. Queries work over HTTP, by POST or GET.
 * A query that needs a credential answers `null` plus a top-level error when there is none (`NOT_AUTHENTICATED`) or when its scopes do not
 * suffice (`INSUFFICIENT_SCOPE`, with the scopes that would in `extensions.scope`).
 */
export type QueryAccountDefaultWalletArgs = {
  username: Scalars['Username']['input'];
  walletCurrency?: InputMaybe<WalletCurrency>;
};


/**
 * Everything that can be asked without changing anything. Queries work over HTTP, by POST or GET.
 * A query that needs a credential answers `null` plus a top-level error when there is none (`NOT_AUTHENTICATED`) or when its scopes do not
 * suffice (`INSUFFICIENT_SCOPE`, with the scopes that would in `extensions.scope`).
 */
export type QueryLnInvoicePaymentStatusArgs = {
  input: LnInvoicePaymentStatusInput;
};


/**
 * Everything that can be asked without changing anything. Queries work over HTTP, by POST or GET.
 * A query that needs a credential answers `null` plus a top-level error when there is none (`NOT_AUTHENTICATED`) or when its scopes do not
 * suffice (`INSUFFICIENT_SCOPE`, with the scopes that would in `extensions.scope`).
 */
export type QueryLnInvoicePaymentStatusByHashArgs = {
  input: LnInvoicePaymentStatusByHashInput;
};


/**
 * Everything that can be asked without changing anything. Queries work over HTTP, by POST or GET.
 * A query that needs a credential answers `null` plus a top-level error when there is none (`NOT_AUTHENTICATED`) or when its scopes do not
 * suffice (`INSUFFICIENT_SCOPE`, with the scopes that would in `extensions.scope`).
 */
export type QueryLnInvoicePaymentStatusByPaymentRequestArgs = {
  input: LnInvoicePaymentStatusByPaymentRequestInput;
};


/**
 * Everything that can be asked without changing anything. Queries work over HTTP, by POST or GET.
 * A query that needs a credential answers `null` plus a top-level error when there is none (`NOT_AUTHENTICATED`) or when its scopes do not
 * suffice (`INSUFFICIENT_SCOPE`, with the scopes that would in `extensions.scope`).
 */
export type QueryRealtimePriceArgs = {
  currency?: InputMaybe<Scalars['DisplayCurrency']['input']>;
};


/**
 * Everything that can be asked without changing anything. Queries work over HTTP, by POST or GET.
 * A query that needs a credential answers `null` plus a top-level error when there is none (`NOT_AUTHENTICATED`) or when its scopes do not
 * suffice (`INSUFFICIENT_SCOPE`, with the scopes that would in `extensions.scope`).
 */
export type QueryUsernameAvailableArgs = {
  username: Scalars['Username']['input'];
};

/** What bitcoin and the US dollar are worth in some currency, at one moment. */
export type RealtimePrice = {
  readonly __typename?: 'RealtimePrice';
  /** What one satoshi is worth, in the currency's minor unit. */
  readonly btcSatPrice: PriceOfOneSatInMinorUnit;
  /**
   * The code of the currency.
   * @deprecated Use `denominatorCurrencyDetails.id`.
   */
  readonly denominatorCurrency: Scalars['DisplayCurrency']['output'];
  /** The currency. */
  readonly denominatorCurrencyDetails: Currency;
  /** The code of the currency: every price in it has this id. */
  readonly id: Scalars['ID']['output'];
  /** When the price was made. */
  readonly timestamp: Scalars['Timestamp']['output'];
  /** What one US cent is worth, in the currency's minor unit. */
  readonly usdCentPrice: PriceOfOneUsdCentInMinorUnit;
};

/** What a credential may be allowed to do. No scope contains another, unless it is said here. */
export type Scope =
  /** See balances, history and personal details, by query or subscription. */
  | 'READ'
  /** Make and cancel invoices. */
  | 'RECEIVE'
  /** Send money; also whatever `RECEIVE` permits. Does not permit reading. */
  | 'WRITE';

/** How a payment was carried out. `SettlementViaOnChain` is here for documents that name it: this version makes no on-chain payments. */
export type SettlementVia = SettlementViaIntraLedger | SettlementViaLn | SettlementViaOnChain;

/** Carried out inside this server, from wallet to wallet: at once and without a fee. */
export type SettlementViaIntraLedger = {
  readonly __typename?: 'SettlementViaIntraLedger';
  /** The name of the other side's owner; null for an owner without one. */
  readonly counterPartyUsername: Maybe<Scalars['Username']['output']>;
  /** The wallet on the other side; null when it is not known any more. */
  readonly counterPartyWalletId: Maybe<Scalars['WalletId']['output']>;
  /** The proof of payment, when the payment was asked for by an invoice; null otherwise. */
  readonly preImage: Maybe<Scalars['LnPaymentPreImage']['output']>;
};

/** Carried out over the Lightning network. */
export type SettlementViaLn = {
  readonly __typename?: 'SettlementViaLn';
  /**
   * The same as `preImage`, in spite of its name.
   * @deprecated Use `preImage`; the secret of an invoice is `Invoice.paymentSecret`.
   */
  readonly paymentSecret: Maybe<Scalars['LnPaymentSecret']['output']>;
  /** The proof of payment: its SHA-256 is the payment hash. Null until the payment has succeeded. */
  readonly preImage: Maybe<Scalars['LnPaymentPreImage']['output']>;
};

/** Carried out in a bitcoin transaction. This version never sends it: the type exists so that documents which name it are valid. */
export type SettlementViaOnChain = {
  readonly __typename?: 'SettlementViaOnChain';
  /** When the bitcoin transaction is expected to be broadcast; null when it was, or for receipts. */
  readonly arrivalInMempoolEstimatedAt: Maybe<Scalars['Timestamp']['output']>;
  /** The bitcoin transaction; null until there is one. */
  readonly transactionHash: Maybe<Scalars['OnChainTxHash']['output']>;
  /** Which output of the bitcoin transaction; null until there is one. */
  readonly vout: Maybe<Scalars['Int']['output']>;
};

/**
 * Everything that is told as it happens, over a WebSocket on the path of the API, protocol `graphql-transport-ws`. Credentials travel in the
 * payload of `connection_init`, under the names of the HTTP headers.
 */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * The state of an invoice: first as it is, then each change, until nothing more can happen. No credential needed.
   * Text that is no invoice of this server is told in `errors`.
   * @deprecated An older name of `lnInvoicePaymentStatusByPaymentRequest`.
   */
  readonly lnInvoicePaymentStatus: LnInvoicePaymentStatusPayload;
  /**
   * The state of an invoice: first as it is, then each change, until nothing more can happen. No credential needed.
   * A hash that belongs to no invoice of this server is told in `errors`.
   */
  readonly lnInvoicePaymentStatusByHash: LnInvoicePaymentStatusPayload;
  /**
   * The state of an invoice: first as it is, then each change, until nothing more can happen. No credential needed.
   * Text that is no invoice of this server is told in `errors`.
   */
  readonly lnInvoicePaymentStatusByPaymentRequest: LnInvoicePaymentStatusPayload;
  /**
   * What happens to the money of the caller, in every wallet: receipts, and the outcome of payments sent. Nothing is sent at the start.
   * The socket closes when the credential ends. Scope: `read`.
   */
  readonly myUpdates: MyUpdatesPayload;
  /** Each tip, as it arrives. */
  readonly tipReceived: Tip;
};


/**
 * Everything that is told as it happens, over a WebSocket on the path of the API, protocol `graphql-transport-ws`. Credentials travel in the
 * payload of `connection_init`, under the names of the HTTP headers.
 */
export type SubscriptionLnInvoicePaymentStatusArgs = {
  input: LnInvoicePaymentStatusInput;
};


/**
 * Everything that is told as it happens, over a WebSocket on the path of the API, protocol `graphql-transport-ws`. Credentials travel in the
 * payload of `connection_init`, under the names of the HTTP headers.
 */
export type SubscriptionLnInvoicePaymentStatusByHashArgs = {
  input: LnInvoicePaymentStatusByHashInput;
};


/**
 * Everything that is told as it happens, over a WebSocket on the path of the API, protocol `graphql-transport-ws`. Credentials travel in the
 * payload of `connection_init`, under the names of the HTTP headers.
 */
export type SubscriptionLnInvoicePaymentStatusByPaymentRequestArgs = {
  input: LnInvoicePaymentStatusByPaymentRequestInput;
};

/** Did it work? */
export type SuccessPayload = {
  readonly __typename?: 'SuccessPayload';
  /** What stood in the way; empty when nothing did. */
  readonly errors: ReadonlyArray<Error>;
  /** True when it is done, false or null when there are errors. */
  readonly success: Maybe<Scalars['Boolean']['output']>;
};

/** A tip that arrived. */
export type Tip = {
  readonly __typename?: 'Tip';
  /** What came with it. */
  readonly memo: Maybe<Scalars['String']['output']>;
  /** How much it was, in whole satoshis. */
  readonly sats: Scalars['SatAmount']['output'];
};

/** Tips, added up. */
export type TipSummary = {
  readonly __typename?: 'TipSummary';
  /** How many there are. */
  readonly count: Scalars['Int']['output'];
  /** What they come to, in whole satoshis. */
  readonly sats: Scalars['SatAmount']['output'];
};

/**
 * One change of a wallet: money that came, went, or is on its way. What it shows is fixed when it is made, apart from `status` and what only
 * the outcome can tell (fee, preimage).
 */
export type Transaction = {
  readonly __typename?: 'Transaction';
  /** When it was made. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** Did money come in or go out? */
  readonly direction: TxDirection;
  /** The external id of the invoice, on both sides; null for what no invoice of this server began. */
  readonly externalId: Maybe<Scalars['TxExternalId']['output']>;
  /**
   * Did the owner of this account give `externalId`, to an invoice of their own? False: another caller did, or there is none.
   * Only where it is true does `externalId` stand for an order of the owner's.
   */
  readonly externalIdByOwner: Scalars['Boolean']['output'];
  /** Identifies the transaction; each side of a payment between two wallets has its own. */
  readonly id: Scalars['ID']['output'];
  /** How the payment was asked for. */
  readonly initiationVia: InitiationVia;
  /** Was it a tip: received in bitcoin, with a memo that begins with the word tip? */
  readonly isTip: Scalars['Boolean']['output'];
  /** What the payer wrote, on the payer's side; what the invoice says, on the recipient's. Null when there is nothing. */
  readonly memo: Maybe<Scalars['Memo']['output']>;
  /** How much the wallet's balance changes, in `settlementCurrency`: negative for what is sent, and then with the fee in it. */
  readonly settlementAmount: Scalars['SignedAmount']['output'];
  /** The currency of `settlementAmount` and `settlementFee`: the wallet's. */
  readonly settlementCurrency: WalletCurrency;
  /** `settlementAmount` in the display currency, at the price of its time. */
  readonly settlementDisplayAmount: Scalars['SignedDisplayMajorAmount']['output'];
  /** The currency of the display amounts: the account's choice when the transaction was made. */
  readonly settlementDisplayCurrency: Scalars['DisplayCurrency']['output'];
  /** `settlementFee` in the display currency, at the price of its time. */
  readonly settlementDisplayFee: Scalars['SignedDisplayMajorAmount']['output'];
  /** What the payment cost beyond its amount, in `settlementCurrency`: zero or more, and final only when `status` is. */
  readonly settlementFee: Scalars['SignedAmount']['output'];
  /** The price at which the display amounts were worked out. */
  readonly settlementPrice: PriceOfOneSettlementMinorUnitInDisplayMinorUnit;
  /** How the payment was carried out. */
  readonly settlementVia: SettlementVia;
  /** Is it final? */
  readonly status: TxStatus;
};

/** A page of transactions, after the Relay connection specification. */
export type TransactionConnection = {
  readonly __typename?: 'TransactionConnection';
  /** The transactions of this page, newest first. */
  readonly edges: Maybe<ReadonlyArray<TransactionEdge>>;
  /** How to go on from here. */
  readonly pageInfo: PageInfo;
};

/** A transaction and its place in the list. */
export type TransactionEdge = {
  readonly __typename?: 'TransactionEdge';
  /** The transaction's place: give it to `after` or `before`. It stays good when newer transactions arrive. */
  readonly cursor: Scalars['String']['output'];
  /** The transaction. */
  readonly node: Transaction;
};

/** Which way money moved, seen from the wallet. */
export type TxDirection =
  /** Into the wallet. */
  | 'RECEIVE'
  /** Out of the wallet. */
  | 'SEND';

/** Which kind of movement an update is about. The spelling of each value is part of the interface. */
export type TxNotificationType =
  /** A payment sent to another wallet of this server. This version tells it by `PaymentUpdate` instead. */
  | 'IntraLedgerPayment'
  /** A payment received from another wallet of this server. */
  | 'IntraLedgerReceipt'
  /** A payment received by Lightning invoice. This version tells it by `LnUpdate` instead. */
  | 'LigtningReceipt'
  /** An on-chain payment sent. Not sent by this version. */
  | 'OnchainPayment'
  /** An on-chain payment received and confirmed. Not sent by this version. */
  | 'OnchainReceipt'
  /** An on-chain payment seen, to be confirmed. Not sent by this version. */
  | 'OnchainReceiptPending';

/** How far a transaction has come. */
export type TxStatus =
  /** It came to nothing, for good; the money is back where it was. */
  | 'FAILURE'
  /** On its way. The outcome is not known yet. */
  | 'PENDING'
  /** Done, for good. */
  | 'SUCCESS';

/** A wallet of US dollars. Its amounts are in cents. */
export type UsdWallet = Wallet & {
  readonly __typename?: 'UsdWallet';
  /** The account that the wallet belongs to. */
  readonly accountId: Scalars['ID']['output'];
  /** The cents that can be spent now. What is held for payments on their way is not part of it. */
  readonly balance: Scalars['SignedAmount']['output'];
  /** Identifies the wallet. */
  readonly id: Scalars['ID']['output'];
  /** The invoice of this wallet with this payment hash. None: top-level error `NOT_FOUND`. */
  readonly invoiceByPaymentHash: Invoice;
  /**
   * Invoices of the wallet, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number outside, is
   * a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** The cents that `pendingIncomingTransactions` will add to the balance. */
  readonly pendingIncomingBalance: Scalars['SignedAmount']['output'];
  /** Transactions that will raise the balance and have not yet. Empty in this version: what comes by Lightning can be spent at once. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** One transaction of this wallet. Any other id: top-level error `NOT_FOUND`. */
  readonly transactionById: Transaction;
  /**
   * Transactions of the wallet, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number
   * outside, is a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly transactions: Maybe<TransactionConnection>;
  /** Transactions of this wallet for one Lightning payment, newest first: one for each attempt. None is an empty list, not an error. */
  readonly transactionsByPaymentHash: ReadonlyArray<Transaction>;
  /**
   * Transactions of this wallet for one Lightning invoice, newest first: one for each attempt. None is an empty list, not an error. Text that
   * is no invoice: top-level error `INVOICE_DECODE_ERROR`.
   */
  readonly transactionsByPaymentRequest: ReadonlyArray<Transaction>;
  /** Always `USD`. */
  readonly walletCurrency: WalletCurrency;
};


/** A wallet of US dollars. Its amounts are in cents. */
export type UsdWalletInvoiceByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A wallet of US dollars. Its amounts are in cents. */
export type UsdWalletInvoicesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  includeExpiredByOthers?: InputMaybe<Scalars['Boolean']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A wallet of US dollars. Its amounts are in cents. */
export type UsdWalletTransactionByIdArgs = {
  transactionId: Scalars['ID']['input'];
};


/** A wallet of US dollars. Its amounts are in cents. */
export type UsdWalletTransactionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A wallet of US dollars. Its amounts are in cents. */
export type UsdWalletTransactionsByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** A wallet of US dollars. Its amounts are in cents. */
export type UsdWalletTransactionsByPaymentRequestArgs = {
  paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** A person who registered with this server. Shown to scope `read`. */
export type User = {
  readonly __typename?: 'User';
  /**
   * The API keys of the person, newest first: every one that works, and of those that were revoked or have expired the latest 500.
   * Scope: `read`.
   */
  readonly apiKeys: ReadonlyArray<ApiKey>;
  /** When the person registered. */
  readonly createdAt: Scalars['Timestamp']['output'];
  /** The account that holds the person's wallets. Scope: `read`. */
  readonly defaultAccount: Account;
  /** The e-mail address the person signs in with; null if there is none. */
  readonly email: Maybe<Email>;
  /** Identifies the person, for good. */
  readonly id: Scalars['ID']['output'];
  /** The language the person chose; an empty text means no choice. */
  readonly language: Scalars['Language']['output'];
  /** The phone number the person signs in with. Always null in this version: sign-in is by e-mail address. */
  readonly phone: Maybe<Scalars['Phone']['output']>;
  /** Does signing in take a second factor, a code from an authenticator app? Always false in this version. */
  readonly totpEnabled: Scalars['Boolean']['output'];
  /** The name by which others find the person; null until one is chosen. */
  readonly username: Maybe<Scalars['Username']['output']>;
};

/**
 * Something that happened to a person's money. `OnChainUpdate`, `Price` and `RealtimePrice` are here for documents that name them: this
 * version sends none of the three.
 */
export type UserUpdate = IntraLedgerUpdate | LnUpdate | OnChainUpdate | PaymentUpdate | Price | RealtimePrice;

/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type Wallet = {
  /** The account that the wallet belongs to. */
  readonly accountId: Scalars['ID']['output'];
  /** What can be spent now. Money held for payments on their way is not part of it. */
  readonly balance: Scalars['SignedAmount']['output'];
  /** Identifies the wallet. */
  readonly id: Scalars['ID']['output'];
  /** The invoice of this wallet with this payment hash. None: top-level error `NOT_FOUND`. */
  readonly invoiceByPaymentHash: Invoice;
  /**
   * Invoices of the wallet, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number outside, is
   * a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly invoices: Maybe<InvoiceConnection>;
  /** What `pendingIncomingTransactions` will add to the balance. */
  readonly pendingIncomingBalance: Scalars['SignedAmount']['output'];
  /** Transactions that will raise the balance and have not yet. Empty in this version: what comes by Lightning can be spent at once. */
  readonly pendingIncomingTransactions: ReadonlyArray<Transaction>;
  /** One transaction of this wallet. Any other id: top-level error `NOT_FOUND`. */
  readonly transactionById: Transaction;
  /**
   * Transactions of the wallet, newest first. `first` or `last` may be 1 to 100, 100 when both are absent; both at once, or a number
   * outside, is a top-level error `INVALID_INPUT`, as is a cursor that this field never gave.
   */
  readonly transactions: Maybe<TransactionConnection>;
  /** Transactions of this wallet for one Lightning payment, newest first: one for each attempt. None is an empty list, not an error. */
  readonly transactionsByPaymentHash: ReadonlyArray<Transaction>;
  /**
   * Transactions of this wallet for one Lightning invoice, newest first: one for each attempt. None is an empty list, not an error. Text that
   * is no invoice: top-level error `INVOICE_DECODE_ERROR`.
   */
  readonly transactionsByPaymentRequest: ReadonlyArray<Transaction>;
  /** What the wallet holds. */
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
export type WalletTransactionsByPaymentHashArgs = {
  paymentHash: Scalars['PaymentHash']['input'];
};


/** Money in one currency. All amounts of a wallet are in the minor unit of its currency: satoshis or cents. */
export type WalletTransactionsByPaymentRequestArgs = {
  paymentRequest: Scalars['LnPaymentRequest']['input'];
};

/** What money is counted in, inside this server. */
export type WalletCurrency =
  /** Bitcoin, counted in satoshis. */
  | 'BTC'
  /** US dollar, counted in cents. */
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
    | ( SettlementViaOnChain & { __typename: 'SettlementViaOnChain' } )
  ;
  UserUpdate:
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
  Error: ( GraphQlApplicationError );
  Invoice: ( InvoiceRow );
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
  AccountLevel: AccountLevel;
  ApiKey: ResolverTypeWrapper<ApiKeyRow>;
  ApiKeyCreateInput: ApiKeyCreateInput;
  ApiKeyCreatePayload: ResolverTypeWrapper<Omit<ApiKeyCreatePayload, 'apiKey'> & { apiKey: ResolversTypes['ApiKey'] }>;
  ApiKeyLimits: ResolverTypeWrapper<ApiKeyLimits>;
  ApiKeyRevokeInput: ApiKeyRevokeInput;
  ApiKeyRevokePayload: ResolverTypeWrapper<Omit<ApiKeyRevokePayload, 'apiKey'> & { apiKey: ResolversTypes['ApiKey'] }>;
  Authorization: ResolverTypeWrapper<Authorization>;
  BTCWallet: ResolverTypeWrapper<WalletRow>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  BuildInformation: ResolverTypeWrapper<BuildInformation>;
  CallbackEndpoint: ResolverTypeWrapper<CallbackEndpoint>;
  ConsumerAccount: ResolverTypeWrapper<AccountRow>;
  Currency: ResolverTypeWrapper<Currency>;
  DisplayCurrency: ResolverTypeWrapper<Scalars['DisplayCurrency']['output']>;
  Email: ResolverTypeWrapper<Email>;
  EmailAddress: ResolverTypeWrapper<Scalars['EmailAddress']['output']>;
  EndpointId: ResolverTypeWrapper<Scalars['EndpointId']['output']>;
  EndpointUrl: ResolverTypeWrapper<Scalars['EndpointUrl']['output']>;
  Error: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Error']>;
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
  Invoice: ResolverTypeWrapper<InvoiceRow>;
  InvoiceConnection: ResolverTypeWrapper<Omit<InvoiceConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversTypes['InvoiceEdge']>> }>;
  InvoiceEdge: ResolverTypeWrapper<Omit<InvoiceEdge, 'node'> & { node: ResolversTypes['Invoice'] }>;
  InvoicePaymentStatus: InvoicePaymentStatus;
  Language: ResolverTypeWrapper<Scalars['Language']['output']>;
  LnInvoice: ResolverTypeWrapper<InvoiceRow>;
  LnInvoiceCancelInput: LnInvoiceCancelInput;
  LnInvoiceCreateInput: LnInvoiceCreateInput;
  LnInvoiceCreateOnBehalfOfRecipientInput: LnInvoiceCreateOnBehalfOfRecipientInput;
  LnInvoicePayload: ResolverTypeWrapper<Omit<LnInvoicePayload, 'errors' | 'invoice'> & { errors: ReadonlyArray<ResolversTypes['Error']>, invoice: Maybe<ResolversTypes['LnInvoice']> }>;
  LnInvoicePaymentInput: LnInvoicePaymentInput;
  LnInvoicePaymentStatus: ResolverTypeWrapper<LnInvoicePaymentStatus>;
  LnInvoicePaymentStatusByHashInput: LnInvoicePaymentStatusByHashInput;
  LnInvoicePaymentStatusByPaymentRequestInput: LnInvoicePaymentStatusByPaymentRequestInput;
  LnInvoicePaymentStatusInput: LnInvoicePaymentStatusInput;
  LnInvoicePaymentStatusPayload: ResolverTypeWrapper<Omit<LnInvoicePaymentStatusPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  LnPaymentPreImage: ResolverTypeWrapper<Scalars['LnPaymentPreImage']['output']>;
  LnPaymentRequest: ResolverTypeWrapper<Scalars['LnPaymentRequest']['output']>;
  LnPaymentSecret: ResolverTypeWrapper<Scalars['LnPaymentSecret']['output']>;
  LnUpdate: ResolverTypeWrapper<Omit<LnUpdate, 'transaction'> & { transaction: ResolversTypes['Transaction'] }>;
  Memo: ResolverTypeWrapper<Scalars['Memo']['output']>;
  Minutes: ResolverTypeWrapper<Scalars['Minutes']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  MyUpdatesPayload: ResolverTypeWrapper<Omit<MyUpdatesPayload, 'errors' | 'me' | 'update'> & { errors: ReadonlyArray<ResolversTypes['Error']>, me: Maybe<ResolversTypes['User']>, update: Maybe<ResolversTypes['UserUpdate']> }>;
  Network: Network;
  OnChainAddress: ResolverTypeWrapper<Scalars['OnChainAddress']['output']>;
  OnChainTxHash: ResolverTypeWrapper<Scalars['OnChainTxHash']['output']>;
  OnChainUpdate: ResolverTypeWrapper<Omit<OnChainUpdate, 'transaction'> & { transaction: ResolversTypes['Transaction'] }>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PaymentHash: ResolverTypeWrapper<Scalars['PaymentHash']['output']>;
  PaymentSendPayload: ResolverTypeWrapper<PaymentSendRow>;
  PaymentSendResult: PaymentSendResult;
  PaymentUpdate: ResolverTypeWrapper<Omit<PaymentUpdate, 'transaction'> & { transaction: ResolversTypes['Transaction'] }>;
  Phone: ResolverTypeWrapper<Scalars['Phone']['output']>;
  Price: ResolverTypeWrapper<Price>;
  PriceInterface: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['PriceInterface']>;
  PriceOfOneSatInMinorUnit: ResolverTypeWrapper<PriceOfOneSatInMinorUnit>;
  PriceOfOneSettlementMinorUnitInDisplayMinorUnit: ResolverTypeWrapper<PriceOfOneSettlementMinorUnitInDisplayMinorUnit>;
  PriceOfOneUsdCentInMinorUnit: ResolverTypeWrapper<PriceOfOneUsdCentInMinorUnit>;
  PublicWallet: ResolverTypeWrapper<PublicWallet>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RealtimePrice: ResolverTypeWrapper<RealtimePrice>;
  SafeInt: ResolverTypeWrapper<Scalars['SafeInt']['output']>;
  SatAmount: ResolverTypeWrapper<Scalars['SatAmount']['output']>;
  Scope: Scope;
  SettlementVia: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['SettlementVia']>;
  SettlementViaIntraLedger: ResolverTypeWrapper<SettlementViaIntraLedger>;
  SettlementViaLn: ResolverTypeWrapper<SettlementViaLn>;
  SettlementViaOnChain: ResolverTypeWrapper<SettlementViaOnChain>;
  SignedAmount: ResolverTypeWrapper<Scalars['SignedAmount']['output']>;
  SignedDisplayMajorAmount: ResolverTypeWrapper<Scalars['SignedDisplayMajorAmount']['output']>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SuccessPayload: ResolverTypeWrapper<Omit<SuccessPayload, 'errors'> & { errors: ReadonlyArray<ResolversTypes['Error']> }>;
  Timestamp: ResolverTypeWrapper<Scalars['Timestamp']['output']>;
  Tip: ResolverTypeWrapper<Tip>;
  TipSummary: ResolverTypeWrapper<TipSummary>;
  Transaction: ResolverTypeWrapper<TransactionRow>;
  TransactionConnection: ResolverTypeWrapper<Omit<TransactionConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversTypes['TransactionEdge']>> }>;
  TransactionEdge: ResolverTypeWrapper<Omit<TransactionEdge, 'node'> & { node: ResolversTypes['Transaction'] }>;
  TxDirection: TxDirection;
  TxExternalId: ResolverTypeWrapper<Scalars['TxExternalId']['output']>;
  TxNotificationType: TxNotificationType;
  TxStatus: TxStatus;
  UsdWallet: ResolverTypeWrapper<WalletRow>;
  User: ResolverTypeWrapper<UserRow>;
  UserUpdate: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>['UserUpdate']>;
  Username: ResolverTypeWrapper<Scalars['Username']['output']>;
  Wallet: ResolverTypeWrapper<WalletRow>;
  WalletCurrency: WalletCurrency;
  WalletId: ResolverTypeWrapper<Scalars['WalletId']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Account: AccountRow;
  ApiKey: ApiKeyRow;
  ApiKeyCreateInput: ApiKeyCreateInput;
  ApiKeyCreatePayload: Omit<ApiKeyCreatePayload, 'apiKey'> & { apiKey: ResolversParentTypes['ApiKey'] };
  ApiKeyLimits: ApiKeyLimits;
  ApiKeyRevokeInput: ApiKeyRevokeInput;
  ApiKeyRevokePayload: Omit<ApiKeyRevokePayload, 'apiKey'> & { apiKey: ResolversParentTypes['ApiKey'] };
  Authorization: Authorization;
  BTCWallet: WalletRow;
  Boolean: Scalars['Boolean']['output'];
  BuildInformation: BuildInformation;
  CallbackEndpoint: CallbackEndpoint;
  ConsumerAccount: AccountRow;
  Currency: Currency;
  DisplayCurrency: Scalars['DisplayCurrency']['output'];
  Email: Email;
  EmailAddress: Scalars['EmailAddress']['output'];
  EndpointId: Scalars['EndpointId']['output'];
  EndpointUrl: Scalars['EndpointUrl']['output'];
  Error: ResolversInterfaceTypes<ResolversParentTypes>['Error'];
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
  Invoice: InvoiceRow;
  InvoiceConnection: Omit<InvoiceConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversParentTypes['InvoiceEdge']>> };
  InvoiceEdge: Omit<InvoiceEdge, 'node'> & { node: ResolversParentTypes['Invoice'] };
  Language: Scalars['Language']['output'];
  LnInvoice: InvoiceRow;
  LnInvoiceCancelInput: LnInvoiceCancelInput;
  LnInvoiceCreateInput: LnInvoiceCreateInput;
  LnInvoiceCreateOnBehalfOfRecipientInput: LnInvoiceCreateOnBehalfOfRecipientInput;
  LnInvoicePayload: Omit<LnInvoicePayload, 'errors' | 'invoice'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, invoice: Maybe<ResolversParentTypes['LnInvoice']> };
  LnInvoicePaymentInput: LnInvoicePaymentInput;
  LnInvoicePaymentStatus: LnInvoicePaymentStatus;
  LnInvoicePaymentStatusByHashInput: LnInvoicePaymentStatusByHashInput;
  LnInvoicePaymentStatusByPaymentRequestInput: LnInvoicePaymentStatusByPaymentRequestInput;
  LnInvoicePaymentStatusInput: LnInvoicePaymentStatusInput;
  LnInvoicePaymentStatusPayload: Omit<LnInvoicePaymentStatusPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  LnPaymentPreImage: Scalars['LnPaymentPreImage']['output'];
  LnPaymentRequest: Scalars['LnPaymentRequest']['output'];
  LnPaymentSecret: Scalars['LnPaymentSecret']['output'];
  LnUpdate: Omit<LnUpdate, 'transaction'> & { transaction: ResolversParentTypes['Transaction'] };
  Memo: Scalars['Memo']['output'];
  Minutes: Scalars['Minutes']['output'];
  Mutation: Record<PropertyKey, never>;
  MyUpdatesPayload: Omit<MyUpdatesPayload, 'errors' | 'me' | 'update'> & { errors: ReadonlyArray<ResolversParentTypes['Error']>, me: Maybe<ResolversParentTypes['User']>, update: Maybe<ResolversParentTypes['UserUpdate']> };
  OnChainAddress: Scalars['OnChainAddress']['output'];
  OnChainTxHash: Scalars['OnChainTxHash']['output'];
  OnChainUpdate: Omit<OnChainUpdate, 'transaction'> & { transaction: ResolversParentTypes['Transaction'] };
  PageInfo: PageInfo;
  PaymentHash: Scalars['PaymentHash']['output'];
  PaymentSendPayload: PaymentSendRow;
  PaymentUpdate: Omit<PaymentUpdate, 'transaction'> & { transaction: ResolversParentTypes['Transaction'] };
  Phone: Scalars['Phone']['output'];
  Price: Price;
  PriceInterface: ResolversInterfaceTypes<ResolversParentTypes>['PriceInterface'];
  PriceOfOneSatInMinorUnit: PriceOfOneSatInMinorUnit;
  PriceOfOneSettlementMinorUnitInDisplayMinorUnit: PriceOfOneSettlementMinorUnitInDisplayMinorUnit;
  PriceOfOneUsdCentInMinorUnit: PriceOfOneUsdCentInMinorUnit;
  PublicWallet: PublicWallet;
  Query: Record<PropertyKey, never>;
  RealtimePrice: RealtimePrice;
  SafeInt: Scalars['SafeInt']['output'];
  SatAmount: Scalars['SatAmount']['output'];
  SettlementVia: ResolversUnionTypes<ResolversParentTypes>['SettlementVia'];
  SettlementViaIntraLedger: SettlementViaIntraLedger;
  SettlementViaLn: SettlementViaLn;
  SettlementViaOnChain: SettlementViaOnChain;
  SignedAmount: Scalars['SignedAmount']['output'];
  SignedDisplayMajorAmount: Scalars['SignedDisplayMajorAmount']['output'];
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  SuccessPayload: Omit<SuccessPayload, 'errors'> & { errors: ReadonlyArray<ResolversParentTypes['Error']> };
  Timestamp: Scalars['Timestamp']['output'];
  Tip: Tip;
  TipSummary: TipSummary;
  Transaction: TransactionRow;
  TransactionConnection: Omit<TransactionConnection, 'edges'> & { edges: Maybe<ReadonlyArray<ResolversParentTypes['TransactionEdge']>> };
  TransactionEdge: Omit<TransactionEdge, 'node'> & { node: ResolversParentTypes['Transaction'] };
  TxExternalId: Scalars['TxExternalId']['output'];
  UsdWallet: WalletRow;
  User: UserRow;
  UserUpdate: ResolversUnionTypes<ResolversParentTypes>['UserUpdate'];
  Username: Scalars['Username']['output'];
  Wallet: WalletRow;
  WalletId: Scalars['WalletId']['output'];
};

export type AccountResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Account'] = ResolversParentTypes['Account']> = {
  __resolveType: TypeResolveFn<'ConsumerAccount', ParentType, ContextType>;
};

export type ApiKeyResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ApiKey'] = ResolversParentTypes['ApiKey']> = {
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  expired: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  expiresAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  lastUsedAt: Resolver<Maybe<ResolversTypes['Timestamp']>, ParentType, ContextType>;
  limits: Resolver<ResolversTypes['ApiKeyLimits'], ParentType, ContextType>;
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

export type AuthorizationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Authorization'] = ResolversParentTypes['Authorization']> = {
  scopes: Resolver<ReadonlyArray<ResolversTypes['Scope']>, ParentType, ContextType>;
};

export type BtcWalletResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['BTCWallet'] = ResolversParentTypes['BTCWallet']> = {
  accountId: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  balance: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invoiceByPaymentHash: Resolver<ResolversTypes['Invoice'], ParentType, ContextType, RequireFields<BtcWalletInvoiceByPaymentHashArgs, 'paymentHash'>>;
  invoices: Resolver<Maybe<ResolversTypes['InvoiceConnection']>, ParentType, ContextType, RequireFields<BtcWalletInvoicesArgs, 'includeExpiredByOthers'>>;
  pendingIncomingBalance: Resolver<ResolversTypes['SignedAmount'], ParentType, ContextType>;
  pendingIncomingTransactions: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType>;
  transactionById: Resolver<ResolversTypes['Transaction'], ParentType, ContextType, RequireFields<BtcWalletTransactionByIdArgs, 'transactionId'>>;
  transactions: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, Partial<BtcWalletTransactionsArgs>>;
  transactionsByPaymentHash: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<BtcWalletTransactionsByPaymentHashArgs, 'paymentHash'>>;
  transactionsByPaymentRequest: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, RequireFields<BtcWalletTransactionsByPaymentRequestArgs, 'paymentRequest'>>;
  walletCurrency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BuildInformationResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['BuildInformation'] = ResolversParentTypes['BuildInformation']> = {
  commitHash: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  helmRevision: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type CallbackEndpointResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['CallbackEndpoint'] = ResolversParentTypes['CallbackEndpoint']> = {
  id: Resolver<ResolversTypes['EndpointId'], ParentType, ContextType>;
  url: Resolver<ResolversTypes['EndpointUrl'], ParentType, ContextType>;
};

export type ConsumerAccountResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['ConsumerAccount'] = ResolversParentTypes['ConsumerAccount']> = {
  callbackEndpoints: Resolver<ReadonlyArray<ResolversTypes['CallbackEndpoint']>, ParentType, ContextType>;
  callbackPortalUrl: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  defaultWallet: Resolver<ResolversTypes['PublicWallet'], ParentType, ContextType>;
  defaultWalletId: Resolver<ResolversTypes['WalletId'], ParentType, ContextType>;
  displayCurrency: Resolver<ResolversTypes['DisplayCurrency'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  invoices: Resolver<Maybe<ResolversTypes['InvoiceConnection']>, ParentType, ContextType, RequireFields<ConsumerAccountInvoicesArgs, 'includeExpiredByOthers'>>;
  level: Resolver<ResolversTypes['AccountLevel'], ParentType, ContextType>;
  pendingIncomingTransactions: Resolver<ReadonlyArray<ResolversTypes['Transaction']>, ParentType, ContextType, Partial<ConsumerAccountPendingIncomingTransactionsArgs>>;
  realtimePrice: Resolver<ResolversTypes['RealtimePrice'], ParentType, ContextType>;
  transactions: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, Partial<ConsumerAccountTransactionsArgs>>;
  walletById: Resolver<ResolversTypes['Wallet'], ParentType, ContextType, RequireFields<ConsumerAccountWalletByIdArgs, 'walletId'>>;
  wallets: Resolver<ReadonlyArray<ResolversTypes['Wallet']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CurrencyResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Currency'] = ResolversParentTypes['Currency']> = {
  flag: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  fractionDigits: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  symbol: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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

export interface EndpointIdScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['EndpointId'], any> {
  name: 'EndpointId';
}

export interface EndpointUrlScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['EndpointUrl'], any> {
  name: 'EndpointUrl';
}

export type ErrorResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Error'] = ResolversParentTypes['Error']> = {
  __resolveType: TypeResolveFn<'GraphQLApplicationError', ParentType, ContextType>;
};

export type GlobalsResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Globals'] = ResolversParentTypes['Globals']> = {
  buildInformation: Resolver<ResolversTypes['BuildInformation'], ParentType, ContextType>;
  lightningAddressDomain: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lightningAddressDomainAliases: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  network: Resolver<ResolversTypes['Network'], ParentType, ContextType>;
  nodesIds: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
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
  __resolveType: TypeResolveFn<'LnInvoice', ParentType, ContextType>;
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
  apiKeyCreate: Resolver<ResolversTypes['ApiKeyCreatePayload'], ParentType, ContextType, RequireFields<MutationApiKeyCreateArgs, 'input'>>;
  apiKeyRevoke: Resolver<ResolversTypes['ApiKeyRevokePayload'], ParentType, ContextType, RequireFields<MutationApiKeyRevokeArgs, 'input'>>;
  intraLedgerPaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationIntraLedgerPaymentSendArgs, 'input'>>;
  lnInvoiceCancel: Resolver<ResolversTypes['SuccessPayload'], ParentType, ContextType, RequireFields<MutationLnInvoiceCancelArgs, 'input'>>;
  lnInvoiceCreate: Resolver<ResolversTypes['LnInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnInvoiceCreateArgs, 'input'>>;
  lnInvoiceCreateOnBehalfOfRecipient: Resolver<ResolversTypes['LnInvoicePayload'], ParentType, ContextType, RequireFields<MutationLnInvoiceCreateOnBehalfOfRecipientArgs, 'input'>>;
  lnInvoicePaymentSend: Resolver<ResolversTypes['PaymentSendPayload'], ParentType, ContextType, RequireFields<MutationLnInvoicePaymentSendArgs, 'input'>>;
};

export type MyUpdatesPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['MyUpdatesPayload'] = ResolversParentTypes['MyUpdatesPayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  update: Resolver<Maybe<ResolversTypes['UserUpdate']>, ParentType, ContextType>;
};

export interface OnChainAddressScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['OnChainAddress'], any> {
  name: 'OnChainAddress';
}

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

export type PageInfoResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface PaymentHashScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['PaymentHash'], any> {
  name: 'PaymentHash';
}

export type PaymentSendPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PaymentSendPayload'] = ResolversParentTypes['PaymentSendPayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  status: Resolver<Maybe<ResolversTypes['PaymentSendResult']>, ParentType, ContextType>;
  transaction: Resolver<Maybe<ResolversTypes['Transaction']>, ParentType, ContextType>;
};

export type PaymentUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PaymentUpdate'] = ResolversParentTypes['PaymentUpdate']> = {
  status: Resolver<ResolversTypes['PaymentSendResult'], ParentType, ContextType>;
  transaction: Resolver<ResolversTypes['Transaction'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
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

export type PublicWalletResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['PublicWallet'] = ResolversParentTypes['PublicWallet']> = {
  currency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  walletCurrency: Resolver<ResolversTypes['WalletCurrency'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  accountDefaultWallet: Resolver<ResolversTypes['PublicWallet'], ParentType, ContextType, RequireFields<QueryAccountDefaultWalletArgs, 'username'>>;
  authorization: Resolver<ResolversTypes['Authorization'], ParentType, ContextType>;
  globals: Resolver<Maybe<ResolversTypes['Globals']>, ParentType, ContextType>;
  lnInvoicePaymentStatus: Resolver<ResolversTypes['LnInvoicePaymentStatusPayload'], ParentType, ContextType, RequireFields<QueryLnInvoicePaymentStatusArgs, 'input'>>;
  lnInvoicePaymentStatusByHash: Resolver<ResolversTypes['LnInvoicePaymentStatus'], ParentType, ContextType, RequireFields<QueryLnInvoicePaymentStatusByHashArgs, 'input'>>;
  lnInvoicePaymentStatusByPaymentRequest: Resolver<ResolversTypes['LnInvoicePaymentStatus'], ParentType, ContextType, RequireFields<QueryLnInvoicePaymentStatusByPaymentRequestArgs, 'input'>>;
  me: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  realtimePrice: Resolver<ResolversTypes['RealtimePrice'], ParentType, ContextType, RequireFields<QueryRealtimePriceArgs, 'currency'>>;
  tipsReceived: Resolver<ResolversTypes['TipSummary'], ParentType, ContextType>;
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

export interface SafeIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SafeInt'], any> {
  name: 'SafeInt';
}

export interface SatAmountScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['SatAmount'], any> {
  name: 'SatAmount';
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
  tipReceived: SubscriptionResolver<ResolversTypes['Tip'], "tipReceived", ParentType, ContextType>;
};

export type SuccessPayloadResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['SuccessPayload'] = ResolversParentTypes['SuccessPayload']> = {
  errors: Resolver<ReadonlyArray<ResolversTypes['Error']>, ParentType, ContextType>;
  success: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
};

export interface TimestampScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Timestamp'], any> {
  name: 'Timestamp';
}

export type TipResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Tip'] = ResolversParentTypes['Tip']> = {
  memo: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sats: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
};

export type TipSummaryResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['TipSummary'] = ResolversParentTypes['TipSummary']> = {
  count: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  sats: Resolver<ResolversTypes['SatAmount'], ParentType, ContextType>;
};

export type TransactionResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  createdAt: Resolver<ResolversTypes['Timestamp'], ParentType, ContextType>;
  direction: Resolver<ResolversTypes['TxDirection'], ParentType, ContextType>;
  externalId: Resolver<Maybe<ResolversTypes['TxExternalId']>, ParentType, ContextType>;
  externalIdByOwner: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  initiationVia: Resolver<ResolversTypes['InitiationVia'], ParentType, ContextType>;
  isTip: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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
  transactionById: Resolver<ResolversTypes['Transaction'], ParentType, ContextType, RequireFields<UsdWalletTransactionByIdArgs, 'transactionId'>>;
  transactions: Resolver<Maybe<ResolversTypes['TransactionConnection']>, ParentType, ContextType, Partial<UsdWalletTransactionsArgs>>;
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

export type UserUpdateResolvers<ContextType = GqlContext, ParentType extends ResolversParentTypes['UserUpdate'] = ResolversParentTypes['UserUpdate']> = {
  __resolveType: TypeResolveFn<'IntraLedgerUpdate' | 'LnUpdate' | 'OnChainUpdate' | 'PaymentUpdate' | 'Price' | 'RealtimePrice', ParentType, ContextType>;
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
  ApiKey: ApiKeyResolvers<ContextType>;
  ApiKeyCreatePayload: ApiKeyCreatePayloadResolvers<ContextType>;
  ApiKeyLimits: ApiKeyLimitsResolvers<ContextType>;
  ApiKeyRevokePayload: ApiKeyRevokePayloadResolvers<ContextType>;
  Authorization: AuthorizationResolvers<ContextType>;
  BTCWallet: BtcWalletResolvers<ContextType>;
  BuildInformation: BuildInformationResolvers<ContextType>;
  CallbackEndpoint: CallbackEndpointResolvers<ContextType>;
  ConsumerAccount: ConsumerAccountResolvers<ContextType>;
  Currency: CurrencyResolvers<ContextType>;
  DisplayCurrency: GraphQLScalarType;
  Email: EmailResolvers<ContextType>;
  EmailAddress: GraphQLScalarType;
  EndpointId: GraphQLScalarType;
  EndpointUrl: GraphQLScalarType;
  Error: ErrorResolvers<ContextType>;
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
  LnPaymentPreImage: GraphQLScalarType;
  LnPaymentRequest: GraphQLScalarType;
  LnPaymentSecret: GraphQLScalarType;
  LnUpdate: LnUpdateResolvers<ContextType>;
  Memo: GraphQLScalarType;
  Minutes: GraphQLScalarType;
  Mutation: MutationResolvers<ContextType>;
  MyUpdatesPayload: MyUpdatesPayloadResolvers<ContextType>;
  OnChainAddress: GraphQLScalarType;
  OnChainTxHash: GraphQLScalarType;
  OnChainUpdate: OnChainUpdateResolvers<ContextType>;
  PageInfo: PageInfoResolvers<ContextType>;
  PaymentHash: GraphQLScalarType;
  PaymentSendPayload: PaymentSendPayloadResolvers<ContextType>;
  PaymentUpdate: PaymentUpdateResolvers<ContextType>;
  Phone: GraphQLScalarType;
  Price: PriceResolvers<ContextType>;
  PriceInterface: PriceInterfaceResolvers<ContextType>;
  PriceOfOneSatInMinorUnit: PriceOfOneSatInMinorUnitResolvers<ContextType>;
  PriceOfOneSettlementMinorUnitInDisplayMinorUnit: PriceOfOneSettlementMinorUnitInDisplayMinorUnitResolvers<ContextType>;
  PriceOfOneUsdCentInMinorUnit: PriceOfOneUsdCentInMinorUnitResolvers<ContextType>;
  PublicWallet: PublicWalletResolvers<ContextType>;
  Query: QueryResolvers<ContextType>;
  RealtimePrice: RealtimePriceResolvers<ContextType>;
  SafeInt: GraphQLScalarType;
  SatAmount: GraphQLScalarType;
  SettlementVia: SettlementViaResolvers<ContextType>;
  SettlementViaIntraLedger: SettlementViaIntraLedgerResolvers<ContextType>;
  SettlementViaLn: SettlementViaLnResolvers<ContextType>;
  SettlementViaOnChain: SettlementViaOnChainResolvers<ContextType>;
  SignedAmount: GraphQLScalarType;
  SignedDisplayMajorAmount: GraphQLScalarType;
  Subscription: SubscriptionResolvers<ContextType>;
  SuccessPayload: SuccessPayloadResolvers<ContextType>;
  Timestamp: GraphQLScalarType;
  Tip: TipResolvers<ContextType>;
  TipSummary: TipSummaryResolvers<ContextType>;
  Transaction: TransactionResolvers<ContextType>;
  TransactionConnection: TransactionConnectionResolvers<ContextType>;
  TransactionEdge: TransactionEdgeResolvers<ContextType>;
  TxExternalId: GraphQLScalarType;
  UsdWallet: UsdWalletResolvers<ContextType>;
  User: UserResolvers<ContextType>;
  UserUpdate: UserUpdateResolvers<ContextType>;
  Username: GraphQLScalarType;
  Wallet: WalletResolvers<ContextType>;
  WalletId: GraphQLScalarType;
};

