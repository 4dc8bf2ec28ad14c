import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
export type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type MakeOptional<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]?: Maybe<T[SubKey]> };
export type MakeMaybe<T, K extends keyof T> = Omit<T, K> & { [SubKey in K]: Maybe<T[SubKey]> };
export type MakeEmpty<T extends { [key: string]: unknown }, K extends keyof T> = { [_ in K]?: never };
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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
  Timestamp: { input: number; output: number; }
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

/** The wallet that becomes the default wallet. */
export type AccountUpdateDefaultWalletIdInput = {
  /** A wallet of the caller. */
  readonly walletId: Scalars['WalletId']['input'];
};

/** The display currency to choose. */
export type AccountUpdateDisplayCurrencyInput = {
  /** A currency of `currencyList`. */
  readonly currency: Scalars['DisplayCurrency']['input'];
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

/** A spending limit of an API key. */
export type ApiKeySetLimitInput = {
  /** The key's id. */
  readonly id: Scalars['ID']['input'];
  /** The limit in satoshis; at least 1. */
  readonly limitSats: Scalars['Int']['input'];
  /** The window that the limit is for. */
  readonly limitTimeWindow: LimitTimeWindow;
};

/** The unit of a spending limit. */
export type BudgetCurrency =
  /** Satoshis. A payment from a US dollar wallet counts with what its cents are worth at the price of the payment. */
  | 'SAT';

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

/** The URL of a new webhook endpoint. */
export type CallbackEndpointAddInput = {
  /**
   * The URL to which events are posted: `https`, at most 2048 characters, on a public address, without a user name or password. Networks that
   * the operator allows may be without `https`. Its name is looked up; one that cannot be found is accepted.
   */
  readonly url: Scalars['EndpointUrl']['input'];
};

/** The webhook endpoint to delete. */
export type CallbackEndpointDeleteInput = {
  /** The endpoint's id. */
  readonly id: Scalars['EndpointId']['input'];
};

/** The units between which there is a price. */
export type ExchangeCurrencyUnit =
  /** One satoshi. */
  | 'BTCSAT'
  /** One US cent. */
  | 'USDCENT';

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

/** A Lightning invoice to pay. */
export type LnInvoicePaymentInput = {
  /** A memo for the payer's own history; the recipient does not see it. Null means the invoice's description. */
  readonly memo?: InputMaybe<Scalars['Memo']['input']>;
  /** The invoice. It must state an amount. */
  readonly paymentRequest: Scalars['LnPaymentRequest']['input'];
  /** The caller's wallet that pays. */
  readonly walletId: Scalars['WalletId']['input'];
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

/** How soon a payment to a bitcoin address leaves, in a transaction with others. A faster one pays more to the miner. */
export type PayoutSpeed =
  /** Within two minutes, for one of the next blocks. */
  | 'FAST'
  /** Within a quarter of an hour, for a block of the next hour. */
  | 'MEDIUM'
  /** Within an hour, for a block of the next day. */
  | 'SLOW';

/** How a code is sent to a phone. */
export type PhoneCodeChannelType =
  /** By text message. */
  | 'SMS'
  /** By Telegram. */
  | 'TELEGRAM'
  /** By WhatsApp. */
  | 'WHATSAPP';

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

/** Which prices to follow. */
export type RealtimePriceInput = {
  /** The currency of the prices. */
  readonly currency?: InputMaybe<Scalars['DisplayCurrency']['input']>;
};

/** A permission of a credential. No scope includes another unless stated here. */
export type Scope =
  /** Read balances, history and personal details, by query or subscription. */
  | 'READ'
  /** Create and cancel invoices. */
  | 'RECEIVE'
  /** Send money. Includes `RECEIVE`, but not `READ`. */
  | 'WRITE';

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

/** An address to confirm. */
export type UserEmailRegistrationInitiateInput = {
  /** The caller's address, or another one. */
  readonly email: Scalars['EmailAddress']['input'];
};

/** A code that proves an address. */
export type UserEmailRegistrationValidateInput = {
  /** The code that was sent. */
  readonly code: Scalars['OneTimeAuthCode']['input'];
  /** From `userEmailRegistrationInitiate`. */
  readonly emailRegistrationId: Scalars['EmailRegistrationId']['input'];
};

/** Accepted for compatibility with other clients. */
export type UserLogoutInput = {
  /** Not used: this server sends no notifications to devices. */
  readonly deviceToken: Scalars['String']['input'];
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

/** The language to choose. */
export type UserUpdateLanguageInput = {
  /** A known language, for example `en` or `pt-BR`. An empty text or `DEFAULT` means no choice. */
  readonly language: Scalars['Language']['input'];
};

/** The username to set. */
export type UserUpdateUsernameInput = {
  /** The name; case-insensitive. */
  readonly username: Scalars['Username']['input'];
};

/** The currency of a wallet. */
export type WalletCurrency =
  /** Bitcoin; amounts are in satoshis. */
  | 'BTC'
  /** US dollar; amounts are in cents. */
  | 'USD';

export type AccountDefaultWalletQueryVariables = Exact<{
  username: Scalars['Username']['input'];
  walletCurrency?: InputMaybe<WalletCurrency>;
}>;


export type AccountDefaultWalletQuery = { readonly accountDefaultWallet: { readonly id: string, readonly currency: WalletCurrency } };

export type AuthorizationQueryVariables = Exact<{ [key: string]: never; }>;


export type AuthorizationQuery = { readonly authorization: { readonly scopes: ReadonlyArray<Scope>, readonly budget: ReadonlyArray<{ readonly currency: BudgetCurrency, readonly freeAt: number | null, readonly left: number, readonly limit: number, readonly spent: number, readonly window: LimitTimeWindow }> } };

export type BtcPriceListQueryVariables = Exact<{
  range: PriceGraphRange;
}>;


export type BtcPriceListQuery = { readonly btcPriceList: ReadonlyArray<{ readonly timestamp: number, readonly price: { readonly base: number, readonly offset: number, readonly currencyUnit: string } } | null> | null };

export type CurrencyConversionEstimationQueryVariables = Exact<{
  amount: Scalars['Float']['input'];
  currency: Scalars['DisplayCurrency']['input'];
}>;


export type CurrencyConversionEstimationQuery = { readonly currencyConversionEstimation: { readonly id: string, readonly btcSatAmount: number, readonly usdCentAmount: number, readonly timestamp: number } };

export type CurrencyListQueryVariables = Exact<{ [key: string]: never; }>;


export type CurrencyListQuery = { readonly currencyList: ReadonlyArray<{ readonly id: string, readonly name: string, readonly symbol: string, readonly flag: string, readonly fractionDigits: number }> };

export type GlobalsQueryVariables = Exact<{ [key: string]: never; }>;


export type GlobalsQuery = { readonly globals: { readonly network: Network, readonly lightningAddressDomain: string, readonly nodesIds: ReadonlyArray<string>, readonly accountLimitsByLevel: ReadonlyArray<{ readonly level: AccountLevel, readonly interval: number, readonly withdrawal: number, readonly internalSend: number, readonly convert: number }>, readonly blockInfo: { readonly blockHash: string | null, readonly blockHeight: number | null } | null, readonly buildInformation: { readonly commitHash: string | null }, readonly feesInformation: { readonly deposit: { readonly minBankFee: string, readonly minBankFeeThreshold: string, readonly ratio: string, readonly tiers: ReadonlyArray<{ readonly amount: string, readonly maxAmount: string | null }> } } } | null };

export type LnInvoicePaymentStatusQueryVariables = Exact<{
  input: LnInvoicePaymentStatusInput;
}>;


export type LnInvoicePaymentStatusQuery = { readonly lnInvoicePaymentStatus: { readonly status: InvoicePaymentStatus | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type LnInvoicePaymentStatusByHashQueryVariables = Exact<{
  input: LnInvoicePaymentStatusByHashInput;
}>;


export type LnInvoicePaymentStatusByHashQuery = { readonly lnInvoicePaymentStatusByHash: { readonly status: InvoicePaymentStatus | null, readonly paymentHash: string | null, readonly paymentPreimage: string | null, readonly paymentRequest: string | null } };

export type LnInvoicePaymentStatusByPaymentRequestQueryVariables = Exact<{
  input: LnInvoicePaymentStatusByPaymentRequestInput;
}>;


export type LnInvoicePaymentStatusByPaymentRequestQuery = { readonly lnInvoicePaymentStatusByPaymentRequest: { readonly status: InvoicePaymentStatus | null, readonly paymentHash: string | null, readonly paymentPreimage: string | null } };

export type MeQueryVariables = Exact<{
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
}>;


export type MeQuery = { readonly me: { readonly id: string, readonly username: string | null, readonly language: string, readonly defaultAccount: { readonly id: string, readonly level: AccountLevel, readonly defaultWalletId: string, readonly limits: { readonly withdrawal: ReadonlyArray<{ readonly totalLimit: number, readonly remainingLimit: number | null, readonly interval: number | null }>, readonly internalSend: ReadonlyArray<{ readonly totalLimit: number, readonly remainingLimit: number | null, readonly interval: number | null }>, readonly convert: ReadonlyArray<{ readonly totalLimit: number, readonly remainingLimit: number | null, readonly interval: number | null }> }, readonly wallets: ReadonlyArray<
        | { readonly id: string, readonly walletCurrency: WalletCurrency, readonly balance: number }
        | { readonly id: string, readonly walletCurrency: WalletCurrency, readonly balance: number }
      >, readonly transactions: { readonly edges: ReadonlyArray<{ readonly node: TransactionFieldsFragment }> | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null } } | null };

export type RealtimePriceQueryVariables = Exact<{
  currency?: InputMaybe<Scalars['DisplayCurrency']['input']>;
}>;


export type RealtimePriceQuery = { readonly realtimePrice: RealtimePriceFieldsFragment };

export type UserDefaultWalletIdQueryVariables = Exact<{
  username: Scalars['Username']['input'];
}>;


export type UserDefaultWalletIdQuery = { readonly userDefaultWalletId: string };

export type UsernameAvailableQueryVariables = Exact<{
  username: Scalars['Username']['input'];
}>;


export type UsernameAvailableQuery = { readonly usernameAvailable: boolean | null };

export type OnChainTxFeeQueryVariables = Exact<{
  walletId: Scalars['WalletId']['input'];
  address: Scalars['OnChainAddress']['input'];
  amount: Scalars['SatAmount']['input'];
  speed?: PayoutSpeed;
}>;


export type OnChainTxFeeQuery = { readonly onChainTxFee: { readonly amount: number } };

export type OnChainUsdTxFeeQueryVariables = Exact<{
  walletId: Scalars['WalletId']['input'];
  address: Scalars['OnChainAddress']['input'];
  amount: Scalars['CentAmount']['input'];
  speed?: PayoutSpeed;
}>;


export type OnChainUsdTxFeeQuery = { readonly onChainUsdTxFee: { readonly amount: number } };

export type OnChainUsdTxFeeAsBtcDenominatedQueryVariables = Exact<{
  walletId: Scalars['WalletId']['input'];
  address: Scalars['OnChainAddress']['input'];
  amount: Scalars['SatAmount']['input'];
  speed?: PayoutSpeed;
}>;


export type OnChainUsdTxFeeAsBtcDenominatedQuery = { readonly onChainUsdTxFeeAsBtcDenominated: { readonly amount: number } };

export type PayoutSpeedsQueryVariables = Exact<{ [key: string]: never; }>;


export type PayoutSpeedsQuery = { readonly payoutSpeeds: ReadonlyArray<{ readonly speed: PayoutSpeed, readonly displayName: string, readonly description: string }> };

export type AccountUpdateDefaultWalletIdMutationVariables = Exact<{
  input: AccountUpdateDefaultWalletIdInput;
}>;


export type AccountUpdateDefaultWalletIdMutation = { readonly accountUpdateDefaultWalletId: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly account: { readonly defaultWalletId: string } | null } };

export type AccountUpdateDisplayCurrencyMutationVariables = Exact<{
  input: AccountUpdateDisplayCurrencyInput;
}>;


export type AccountUpdateDisplayCurrencyMutation = { readonly accountUpdateDisplayCurrency: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly account: { readonly displayCurrency: string } | null } };

export type ApiKeyCreateMutationVariables = Exact<{
  input: ApiKeyCreateInput;
}>;


export type ApiKeyCreateMutation = { readonly apiKeyCreate: { readonly apiKeySecret: string, readonly apiKey: { readonly id: string, readonly name: string, readonly scopes: ReadonlyArray<Scope>, readonly createdAt: number, readonly expiresAt: number | null } } };

export type ApiKeyRemoveLimitMutationVariables = Exact<{
  input: ApiKeyRemoveLimitInput;
}>;


export type ApiKeyRemoveLimitMutation = { readonly apiKeyRemoveLimit: { readonly apiKey: { readonly id: string, readonly limits: { readonly dailyLimitSats: number | null, readonly dailySpentSats: number, readonly weeklyLimitSats: number | null, readonly weeklySpentSats: number } } } };

export type ApiKeyRevokeMutationVariables = Exact<{
  input: ApiKeyRevokeInput;
}>;


export type ApiKeyRevokeMutation = { readonly apiKeyRevoke: { readonly apiKey: { readonly id: string, readonly revoked: boolean } } };

export type ApiKeySetLimitMutationVariables = Exact<{
  input: ApiKeySetLimitInput;
}>;


export type ApiKeySetLimitMutation = { readonly apiKeySetLimit: { readonly apiKey: { readonly id: string, readonly limits: { readonly dailyLimitSats: number | null, readonly dailySpentSats: number, readonly weeklyLimitSats: number | null, readonly weeklySpentSats: number } } } };

export type CallbackDeliveryReplayMutationVariables = Exact<{
  input: CallbackDeliveryReplayInput;
}>;


export type CallbackDeliveryReplayMutation = { readonly callbackDeliveryReplay: { readonly success: boolean | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type CallbackEndpointAddMutationVariables = Exact<{
  input: CallbackEndpointAddInput;
}>;


export type CallbackEndpointAddMutation = { readonly callbackEndpointAdd: { readonly id: string | null, readonly signingSecret: string | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type CallbackEndpointDeleteMutationVariables = Exact<{
  input: CallbackEndpointDeleteInput;
}>;


export type CallbackEndpointDeleteMutation = { readonly callbackEndpointDelete: { readonly success: boolean | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type IntraLedgerPaymentSendMutationVariables = Exact<{
  input: IntraLedgerPaymentSendInput;
}>;


export type IntraLedgerPaymentSendMutation = { readonly intraLedgerPaymentSend: PaymentSendFieldsFragment };

export type IntraLedgerUsdPaymentSendMutationVariables = Exact<{
  input: IntraLedgerUsdPaymentSendInput;
}>;


export type IntraLedgerUsdPaymentSendMutation = { readonly intraLedgerUsdPaymentSend: PaymentSendFieldsFragment };

export type LnAddressPaymentSendMutationVariables = Exact<{
  input: LnAddressPaymentSendInput;
}>;


export type LnAddressPaymentSendMutation = { readonly lnAddressPaymentSend: PaymentSendFieldsFragment };

export type LnInvoiceCancelMutationVariables = Exact<{
  input: LnInvoiceCancelInput;
}>;


export type LnInvoiceCancelMutation = { readonly lnInvoiceCancel: { readonly success: boolean | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type LnInvoiceCreateMutationVariables = Exact<{
  input: LnInvoiceCreateInput;
}>;


export type LnInvoiceCreateMutation = { readonly lnInvoiceCreate: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly invoice: { readonly paymentRequest: string, readonly paymentHash: string, readonly paymentStatus: InvoicePaymentStatus, readonly satoshis: number, readonly externalId: string } | null } };

export type LnInvoiceCreateOnBehalfOfRecipientMutationVariables = Exact<{
  input: LnInvoiceCreateOnBehalfOfRecipientInput;
}>;


export type LnInvoiceCreateOnBehalfOfRecipientMutation = { readonly lnInvoiceCreateOnBehalfOfRecipient: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly invoice: { readonly paymentRequest: string, readonly paymentHash: string, readonly satoshis: number } | null } };

export type LnInvoiceFeeProbeMutationVariables = Exact<{
  input: LnInvoiceFeeProbeInput;
}>;


export type LnInvoiceFeeProbeMutation = { readonly lnInvoiceFeeProbe: { readonly amount: number | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type LnInvoicePaymentSendMutationVariables = Exact<{
  input: LnInvoicePaymentInput;
}>;


export type LnInvoicePaymentSendMutation = { readonly lnInvoicePaymentSend: PaymentSendFieldsFragment };

export type LnNoAmountInvoiceCreateMutationVariables = Exact<{
  input: LnNoAmountInvoiceCreateInput;
}>;


export type LnNoAmountInvoiceCreateMutation = { readonly lnNoAmountInvoiceCreate: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly invoice: { readonly paymentRequest: string, readonly paymentHash: string, readonly paymentStatus: InvoicePaymentStatus } | null } };

export type LnNoAmountInvoiceCreateOnBehalfOfRecipientMutationVariables = Exact<{
  input: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput;
}>;


export type LnNoAmountInvoiceCreateOnBehalfOfRecipientMutation = { readonly lnNoAmountInvoiceCreateOnBehalfOfRecipient: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly invoice: { readonly paymentRequest: string, readonly paymentHash: string } | null } };

export type LnNoAmountInvoiceFeeProbeMutationVariables = Exact<{
  input: LnNoAmountInvoiceFeeProbeInput;
}>;


export type LnNoAmountInvoiceFeeProbeMutation = { readonly lnNoAmountInvoiceFeeProbe: { readonly amount: number | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type LnNoAmountInvoicePaymentSendMutationVariables = Exact<{
  input: LnNoAmountInvoicePaymentInput;
}>;


export type LnNoAmountInvoicePaymentSendMutation = { readonly lnNoAmountInvoicePaymentSend: PaymentSendFieldsFragment };

export type LnNoAmountUsdInvoiceFeeProbeMutationVariables = Exact<{
  input: LnNoAmountUsdInvoiceFeeProbeInput;
}>;


export type LnNoAmountUsdInvoiceFeeProbeMutation = { readonly lnNoAmountUsdInvoiceFeeProbe: { readonly amount: number | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type LnNoAmountUsdInvoicePaymentSendMutationVariables = Exact<{
  input: LnNoAmountUsdInvoicePaymentInput;
}>;


export type LnNoAmountUsdInvoicePaymentSendMutation = { readonly lnNoAmountUsdInvoicePaymentSend: PaymentSendFieldsFragment };

export type LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientMutationVariables = Exact<{
  input: LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput;
}>;


export type LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientMutation = { readonly lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly invoice: { readonly paymentRequest: string, readonly paymentHash: string, readonly satoshis: number } | null } };

export type LnUsdInvoiceCreateMutationVariables = Exact<{
  input: LnUsdInvoiceCreateInput;
}>;


export type LnUsdInvoiceCreateMutation = { readonly lnUsdInvoiceCreate: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly invoice: { readonly paymentRequest: string, readonly paymentHash: string, readonly paymentStatus: InvoicePaymentStatus, readonly satoshis: number } | null } };

export type LnUsdInvoiceCreateOnBehalfOfRecipientMutationVariables = Exact<{
  input: LnUsdInvoiceCreateOnBehalfOfRecipientInput;
}>;


export type LnUsdInvoiceCreateOnBehalfOfRecipientMutation = { readonly lnUsdInvoiceCreateOnBehalfOfRecipient: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly invoice: { readonly paymentRequest: string, readonly paymentHash: string, readonly satoshis: number } | null } };

export type LnUsdInvoiceFeeProbeMutationVariables = Exact<{
  input: LnUsdInvoiceFeeProbeInput;
}>;


export type LnUsdInvoiceFeeProbeMutation = { readonly lnUsdInvoiceFeeProbe: { readonly amount: number | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type LnurlPaymentSendMutationVariables = Exact<{
  input: LnurlPaymentSendInput;
}>;


export type LnurlPaymentSendMutation = { readonly lnurlPaymentSend: PaymentSendFieldsFragment };

export type OnChainPaymentSendMutationVariables = Exact<{
  input: OnChainPaymentSendInput;
}>;


export type OnChainPaymentSendMutation = { readonly onChainPaymentSend: PaymentSendFieldsFragment };

export type OnChainPaymentSendAllMutationVariables = Exact<{
  input: OnChainPaymentSendAllInput;
}>;


export type OnChainPaymentSendAllMutation = { readonly onChainPaymentSendAll: PaymentSendFieldsFragment };

export type OnChainUsdPaymentSendMutationVariables = Exact<{
  input: OnChainUsdPaymentSendInput;
}>;


export type OnChainUsdPaymentSendMutation = { readonly onChainUsdPaymentSend: PaymentSendFieldsFragment };

export type OnChainUsdPaymentSendAsBtcDenominatedMutationVariables = Exact<{
  input: OnChainUsdPaymentSendAsBtcDenominatedInput;
}>;


export type OnChainUsdPaymentSendAsBtcDenominatedMutation = { readonly onChainUsdPaymentSendAsBtcDenominated: PaymentSendFieldsFragment };

export type AccountDeleteMutationVariables = Exact<{ [key: string]: never; }>;


export type AccountDeleteMutation = { readonly accountDelete: { readonly success: boolean, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type OnChainAddressCreateMutationVariables = Exact<{
  input: OnChainAddressCreateInput;
}>;


export type OnChainAddressCreateMutation = { readonly onChainAddressCreate: { readonly address: string | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type OnChainAddressCurrentMutationVariables = Exact<{
  input: OnChainAddressCurrentInput;
}>;


export type OnChainAddressCurrentMutation = { readonly onChainAddressCurrent: { readonly address: string | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type UserEmailDeleteMutationVariables = Exact<{ [key: string]: never; }>;


export type UserEmailDeleteMutation = { readonly userEmailDelete: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly me: { readonly id: string } | null } };

export type UserEmailRegistrationInitiateMutationVariables = Exact<{
  input: UserEmailRegistrationInitiateInput;
}>;


export type UserEmailRegistrationInitiateMutation = { readonly userEmailRegistrationInitiate: { readonly emailRegistrationId: string | null, readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly me: { readonly id: string } | null } };

export type UserEmailRegistrationValidateMutationVariables = Exact<{
  input: UserEmailRegistrationValidateInput;
}>;


export type UserEmailRegistrationValidateMutation = { readonly userEmailRegistrationValidate: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly me: { readonly email: { readonly address: string | null, readonly verified: boolean | null } | null } | null } };

export type UserLogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type UserLogoutMutation = { readonly userLogout: { readonly success: boolean | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type UserTotpDeleteMutationVariables = Exact<{ [key: string]: never; }>;


export type UserTotpDeleteMutation = { readonly userTotpDelete: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly me: { readonly totpEnabled: boolean } | null } };

export type UserTotpRegistrationInitiateMutationVariables = Exact<{ [key: string]: never; }>;


export type UserTotpRegistrationInitiateMutation = { readonly userTotpRegistrationInitiate: { readonly totpRegistrationId: string | null, readonly totpSecret: string | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type UserTotpRegistrationValidateMutationVariables = Exact<{
  input: UserTotpRegistrationValidateInput;
}>;


export type UserTotpRegistrationValidateMutation = { readonly userTotpRegistrationValidate: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly me: { readonly totpEnabled: boolean } | null } };

export type UserUpdateLanguageMutationVariables = Exact<{
  input: UserUpdateLanguageInput;
}>;


export type UserUpdateLanguageMutation = { readonly userUpdateLanguage: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly user: { readonly language: string } | null } };

export type UserUpdateUsernameMutationVariables = Exact<{
  input: UserUpdateUsernameInput;
}>;


export type UserUpdateUsernameMutation = { readonly userUpdateUsername: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly user: { readonly username: string | null } | null } };

export type OnLnInvoicePaymentStatusSubscriptionVariables = Exact<{
  input: LnInvoicePaymentStatusInput;
}>;


export type OnLnInvoicePaymentStatusSubscription = { readonly lnInvoicePaymentStatus: { readonly status: InvoicePaymentStatus | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type OnLnInvoicePaymentStatusByHashSubscriptionVariables = Exact<{
  input: LnInvoicePaymentStatusByHashInput;
}>;


export type OnLnInvoicePaymentStatusByHashSubscription = { readonly lnInvoicePaymentStatusByHash: { readonly status: InvoicePaymentStatus | null, readonly paymentHash: string | null, readonly paymentPreimage: string | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type OnLnInvoicePaymentStatusByPaymentRequestSubscriptionVariables = Exact<{
  input: LnInvoicePaymentStatusByPaymentRequestInput;
}>;


export type OnLnInvoicePaymentStatusByPaymentRequestSubscription = { readonly lnInvoicePaymentStatusByPaymentRequest: { readonly status: InvoicePaymentStatus | null, readonly paymentHash: string | null, readonly paymentPreimage: string | null, readonly errors: ReadonlyArray<ErrorFieldsFragment> } };

export type OnMyUpdatesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type OnMyUpdatesSubscription = { readonly myUpdates: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly update:
      | { readonly __typename: 'BudgetUpdate' }
      | { readonly __typename: 'IntraLedgerUpdate', readonly transaction: TransactionFieldsFragment }
      | { readonly __typename: 'LnUpdate', readonly invoiceStatus: InvoicePaymentStatus, readonly transaction: TransactionFieldsFragment }
      | { readonly __typename: 'OnChainUpdate' }
      | { readonly __typename: 'PaymentUpdate', readonly outcome: PaymentSendResult, readonly transaction: TransactionFieldsFragment }
      | { readonly __typename: 'Price' }
      | { readonly __typename: 'RealtimePrice' }
     | null } };

export type OnPriceSubscriptionVariables = Exact<{
  input: PriceInput;
}>;


export type OnPriceSubscription = { readonly price: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly price: { readonly base: number, readonly offset: number, readonly currencyUnit: string, readonly formattedAmount: string } | null } };

export type OnRealtimePriceSubscriptionVariables = Exact<{
  input: RealtimePriceInput;
}>;


export type OnRealtimePriceSubscription = { readonly realtimePrice: { readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly realtimePrice: RealtimePriceFieldsFragment | null } };

export type ErrorFieldsFragment = { readonly code: string | null, readonly message: string, readonly path: ReadonlyArray<string | null> | null };

export type PaymentSendFieldsFragment = { readonly status: PaymentSendResult | null, readonly errors: ReadonlyArray<ErrorFieldsFragment>, readonly transaction: TransactionFieldsFragment | null };

export type TransactionFieldsFragment = { readonly id: string, readonly status: TxStatus, readonly direction: TxDirection, readonly settlementAmount: number, readonly settlementFee: number, readonly settlementCurrency: WalletCurrency, readonly memo: string | null, readonly externalId: string | null, readonly createdAt: number };

export type RealtimePriceFieldsFragment = { readonly timestamp: number, readonly denominatorCurrencyDetails: { readonly id: string, readonly fractionDigits: number }, readonly btcSatPrice: { readonly base: number, readonly offset: number }, readonly usdCentPrice: { readonly base: number, readonly offset: number } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const ErrorFieldsFragmentDoc = new TypedDocumentString(`
    fragment ErrorFields on Error {
  code
  message
  path
}
    `, {"fragmentName":"ErrorFields"}) as unknown as TypedDocumentString<ErrorFieldsFragment, unknown>;
export const TransactionFieldsFragmentDoc = new TypedDocumentString(`
    fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}
    `, {"fragmentName":"TransactionFields"}) as unknown as TypedDocumentString<TransactionFieldsFragment, unknown>;
export const PaymentSendFieldsFragmentDoc = new TypedDocumentString(`
    fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`, {"fragmentName":"PaymentSendFields"}) as unknown as TypedDocumentString<PaymentSendFieldsFragment, unknown>;
export const RealtimePriceFieldsFragmentDoc = new TypedDocumentString(`
    fragment RealtimePriceFields on RealtimePrice {
  denominatorCurrencyDetails {
    id
    fractionDigits
  }
  btcSatPrice {
    base
    offset
  }
  usdCentPrice {
    base
    offset
  }
  timestamp
}
    `, {"fragmentName":"RealtimePriceFields"}) as unknown as TypedDocumentString<RealtimePriceFieldsFragment, unknown>;
export const AccountDefaultWalletDocument = new TypedDocumentString(`
    query AccountDefaultWallet($username: Username!, $walletCurrency: WalletCurrency) {
  accountDefaultWallet(username: $username, walletCurrency: $walletCurrency) {
    id
    currency
  }
}
    `) as unknown as TypedDocumentString<AccountDefaultWalletQuery, AccountDefaultWalletQueryVariables>;
export const AuthorizationDocument = new TypedDocumentString(`
    query Authorization {
  authorization {
    budget {
      currency
      freeAt
      left
      limit
      spent
      window
    }
    scopes
  }
}
    `) as unknown as TypedDocumentString<AuthorizationQuery, AuthorizationQueryVariables>;
export const BtcPriceListDocument = new TypedDocumentString(`
    query BtcPriceList($range: PriceGraphRange!) {
  btcPriceList(range: $range) {
    price {
      base
      offset
      currencyUnit
    }
    timestamp
  }
}
    `) as unknown as TypedDocumentString<BtcPriceListQuery, BtcPriceListQueryVariables>;
export const CurrencyConversionEstimationDocument = new TypedDocumentString(`
    query CurrencyConversionEstimation($amount: Float!, $currency: DisplayCurrency!) {
  currencyConversionEstimation(amount: $amount, currency: $currency) {
    id
    btcSatAmount
    usdCentAmount
    timestamp
  }
}
    `) as unknown as TypedDocumentString<CurrencyConversionEstimationQuery, CurrencyConversionEstimationQueryVariables>;
export const CurrencyListDocument = new TypedDocumentString(`
    query CurrencyList {
  currencyList {
    id
    name
    symbol
    flag
    fractionDigits
  }
}
    `) as unknown as TypedDocumentString<CurrencyListQuery, CurrencyListQueryVariables>;
export const GlobalsDocument = new TypedDocumentString(`
    query Globals {
  globals {
    accountLimitsByLevel {
      level
      interval
      withdrawal
      internalSend
      convert
    }
    network
    lightningAddressDomain
    nodesIds
    blockInfo {
      blockHash
      blockHeight
    }
    buildInformation {
      commitHash
    }
    feesInformation {
      deposit {
        minBankFee
        minBankFeeThreshold
        ratio
        tiers {
          amount
          maxAmount
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<GlobalsQuery, GlobalsQueryVariables>;
export const LnInvoicePaymentStatusDocument = new TypedDocumentString(`
    query LnInvoicePaymentStatus($input: LnInvoicePaymentStatusInput!) {
  lnInvoicePaymentStatus(input: $input) {
    errors {
      ...ErrorFields
    }
    status
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnInvoicePaymentStatusQuery, LnInvoicePaymentStatusQueryVariables>;
export const LnInvoicePaymentStatusByHashDocument = new TypedDocumentString(`
    query LnInvoicePaymentStatusByHash($input: LnInvoicePaymentStatusByHashInput!) {
  lnInvoicePaymentStatusByHash(input: $input) {
    status
    paymentHash
    paymentPreimage
    paymentRequest
  }
}
    `) as unknown as TypedDocumentString<LnInvoicePaymentStatusByHashQuery, LnInvoicePaymentStatusByHashQueryVariables>;
export const LnInvoicePaymentStatusByPaymentRequestDocument = new TypedDocumentString(`
    query LnInvoicePaymentStatusByPaymentRequest($input: LnInvoicePaymentStatusByPaymentRequestInput!) {
  lnInvoicePaymentStatusByPaymentRequest(input: $input) {
    status
    paymentHash
    paymentPreimage
  }
}
    `) as unknown as TypedDocumentString<LnInvoicePaymentStatusByPaymentRequestQuery, LnInvoicePaymentStatusByPaymentRequestQueryVariables>;
export const MeDocument = new TypedDocumentString(`
    query Me($first: Int, $after: String) {
  me {
    id
    username
    language
    defaultAccount {
      id
      level
      limits {
        withdrawal {
          totalLimit
          remainingLimit
          interval
        }
        internalSend {
          totalLimit
          remainingLimit
          interval
        }
        convert {
          totalLimit
          remainingLimit
          interval
        }
      }
      defaultWalletId
      wallets {
        id
        walletCurrency
        balance
      }
      transactions(first: $first, after: $after) {
        edges {
          node {
            ...TransactionFields
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<MeQuery, MeQueryVariables>;
export const RealtimePriceDocument = new TypedDocumentString(`
    query RealtimePrice($currency: DisplayCurrency) {
  realtimePrice(currency: $currency) {
    ...RealtimePriceFields
  }
}
    fragment RealtimePriceFields on RealtimePrice {
  denominatorCurrencyDetails {
    id
    fractionDigits
  }
  btcSatPrice {
    base
    offset
  }
  usdCentPrice {
    base
    offset
  }
  timestamp
}`) as unknown as TypedDocumentString<RealtimePriceQuery, RealtimePriceQueryVariables>;
export const UserDefaultWalletIdDocument = new TypedDocumentString(`
    query UserDefaultWalletId($username: Username!) {
  userDefaultWalletId(username: $username)
}
    `) as unknown as TypedDocumentString<UserDefaultWalletIdQuery, UserDefaultWalletIdQueryVariables>;
export const UsernameAvailableDocument = new TypedDocumentString(`
    query UsernameAvailable($username: Username!) {
  usernameAvailable(username: $username)
}
    `) as unknown as TypedDocumentString<UsernameAvailableQuery, UsernameAvailableQueryVariables>;
export const OnChainTxFeeDocument = new TypedDocumentString(`
    query OnChainTxFee($walletId: WalletId!, $address: OnChainAddress!, $amount: SatAmount!, $speed: PayoutSpeed! = FAST) {
  onChainTxFee(
    walletId: $walletId
    address: $address
    amount: $amount
    speed: $speed
  ) {
    amount
  }
}
    `) as unknown as TypedDocumentString<OnChainTxFeeQuery, OnChainTxFeeQueryVariables>;
export const OnChainUsdTxFeeDocument = new TypedDocumentString(`
    query OnChainUsdTxFee($walletId: WalletId!, $address: OnChainAddress!, $amount: CentAmount!, $speed: PayoutSpeed! = FAST) {
  onChainUsdTxFee(
    walletId: $walletId
    address: $address
    amount: $amount
    speed: $speed
  ) {
    amount
  }
}
    `) as unknown as TypedDocumentString<OnChainUsdTxFeeQuery, OnChainUsdTxFeeQueryVariables>;
export const OnChainUsdTxFeeAsBtcDenominatedDocument = new TypedDocumentString(`
    query OnChainUsdTxFeeAsBtcDenominated($walletId: WalletId!, $address: OnChainAddress!, $amount: SatAmount!, $speed: PayoutSpeed! = FAST) {
  onChainUsdTxFeeAsBtcDenominated(
    walletId: $walletId
    address: $address
    amount: $amount
    speed: $speed
  ) {
    amount
  }
}
    `) as unknown as TypedDocumentString<OnChainUsdTxFeeAsBtcDenominatedQuery, OnChainUsdTxFeeAsBtcDenominatedQueryVariables>;
export const PayoutSpeedsDocument = new TypedDocumentString(`
    query PayoutSpeeds {
  payoutSpeeds {
    speed
    displayName
    description
  }
}
    `) as unknown as TypedDocumentString<PayoutSpeedsQuery, PayoutSpeedsQueryVariables>;
export const AccountUpdateDefaultWalletIdDocument = new TypedDocumentString(`
    mutation AccountUpdateDefaultWalletId($input: AccountUpdateDefaultWalletIdInput!) {
  accountUpdateDefaultWalletId(input: $input) {
    errors {
      ...ErrorFields
    }
    account {
      defaultWalletId
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<AccountUpdateDefaultWalletIdMutation, AccountUpdateDefaultWalletIdMutationVariables>;
export const AccountUpdateDisplayCurrencyDocument = new TypedDocumentString(`
    mutation AccountUpdateDisplayCurrency($input: AccountUpdateDisplayCurrencyInput!) {
  accountUpdateDisplayCurrency(input: $input) {
    errors {
      ...ErrorFields
    }
    account {
      displayCurrency
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<AccountUpdateDisplayCurrencyMutation, AccountUpdateDisplayCurrencyMutationVariables>;
export const ApiKeyCreateDocument = new TypedDocumentString(`
    mutation ApiKeyCreate($input: ApiKeyCreateInput!) {
  apiKeyCreate(input: $input) {
    apiKey {
      id
      name
      scopes
      createdAt
      expiresAt
    }
    apiKeySecret
  }
}
    `) as unknown as TypedDocumentString<ApiKeyCreateMutation, ApiKeyCreateMutationVariables>;
export const ApiKeyRemoveLimitDocument = new TypedDocumentString(`
    mutation ApiKeyRemoveLimit($input: ApiKeyRemoveLimitInput!) {
  apiKeyRemoveLimit(input: $input) {
    apiKey {
      id
      limits {
        dailyLimitSats
        dailySpentSats
        weeklyLimitSats
        weeklySpentSats
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ApiKeyRemoveLimitMutation, ApiKeyRemoveLimitMutationVariables>;
export const ApiKeyRevokeDocument = new TypedDocumentString(`
    mutation ApiKeyRevoke($input: ApiKeyRevokeInput!) {
  apiKeyRevoke(input: $input) {
    apiKey {
      id
      revoked
    }
  }
}
    `) as unknown as TypedDocumentString<ApiKeyRevokeMutation, ApiKeyRevokeMutationVariables>;
export const ApiKeySetLimitDocument = new TypedDocumentString(`
    mutation ApiKeySetLimit($input: ApiKeySetLimitInput!) {
  apiKeySetLimit(input: $input) {
    apiKey {
      id
      limits {
        dailyLimitSats
        dailySpentSats
        weeklyLimitSats
        weeklySpentSats
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ApiKeySetLimitMutation, ApiKeySetLimitMutationVariables>;
export const CallbackDeliveryReplayDocument = new TypedDocumentString(`
    mutation CallbackDeliveryReplay($input: CallbackDeliveryReplayInput!) {
  callbackDeliveryReplay(input: $input) {
    errors {
      ...ErrorFields
    }
    success
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<CallbackDeliveryReplayMutation, CallbackDeliveryReplayMutationVariables>;
export const CallbackEndpointAddDocument = new TypedDocumentString(`
    mutation CallbackEndpointAdd($input: CallbackEndpointAddInput!) {
  callbackEndpointAdd(input: $input) {
    errors {
      ...ErrorFields
    }
    id
    signingSecret
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<CallbackEndpointAddMutation, CallbackEndpointAddMutationVariables>;
export const CallbackEndpointDeleteDocument = new TypedDocumentString(`
    mutation CallbackEndpointDelete($input: CallbackEndpointDeleteInput!) {
  callbackEndpointDelete(input: $input) {
    errors {
      ...ErrorFields
    }
    success
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<CallbackEndpointDeleteMutation, CallbackEndpointDeleteMutationVariables>;
export const IntraLedgerPaymentSendDocument = new TypedDocumentString(`
    mutation IntraLedgerPaymentSend($input: IntraLedgerPaymentSendInput!) {
  intraLedgerPaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<IntraLedgerPaymentSendMutation, IntraLedgerPaymentSendMutationVariables>;
export const IntraLedgerUsdPaymentSendDocument = new TypedDocumentString(`
    mutation IntraLedgerUsdPaymentSend($input: IntraLedgerUsdPaymentSendInput!) {
  intraLedgerUsdPaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<IntraLedgerUsdPaymentSendMutation, IntraLedgerUsdPaymentSendMutationVariables>;
export const LnAddressPaymentSendDocument = new TypedDocumentString(`
    mutation LnAddressPaymentSend($input: LnAddressPaymentSendInput!) {
  lnAddressPaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<LnAddressPaymentSendMutation, LnAddressPaymentSendMutationVariables>;
export const LnInvoiceCancelDocument = new TypedDocumentString(`
    mutation LnInvoiceCancel($input: LnInvoiceCancelInput!) {
  lnInvoiceCancel(input: $input) {
    errors {
      ...ErrorFields
    }
    success
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnInvoiceCancelMutation, LnInvoiceCancelMutationVariables>;
export const LnInvoiceCreateDocument = new TypedDocumentString(`
    mutation LnInvoiceCreate($input: LnInvoiceCreateInput!) {
  lnInvoiceCreate(input: $input) {
    errors {
      ...ErrorFields
    }
    invoice {
      paymentRequest
      paymentHash
      paymentStatus
      satoshis
      externalId
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnInvoiceCreateMutation, LnInvoiceCreateMutationVariables>;
export const LnInvoiceCreateOnBehalfOfRecipientDocument = new TypedDocumentString(`
    mutation LnInvoiceCreateOnBehalfOfRecipient($input: LnInvoiceCreateOnBehalfOfRecipientInput!) {
  lnInvoiceCreateOnBehalfOfRecipient(input: $input) {
    errors {
      ...ErrorFields
    }
    invoice {
      paymentRequest
      paymentHash
      satoshis
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnInvoiceCreateOnBehalfOfRecipientMutation, LnInvoiceCreateOnBehalfOfRecipientMutationVariables>;
export const LnInvoiceFeeProbeDocument = new TypedDocumentString(`
    mutation LnInvoiceFeeProbe($input: LnInvoiceFeeProbeInput!) {
  lnInvoiceFeeProbe(input: $input) {
    errors {
      ...ErrorFields
    }
    amount
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnInvoiceFeeProbeMutation, LnInvoiceFeeProbeMutationVariables>;
export const LnInvoicePaymentSendDocument = new TypedDocumentString(`
    mutation LnInvoicePaymentSend($input: LnInvoicePaymentInput!) {
  lnInvoicePaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<LnInvoicePaymentSendMutation, LnInvoicePaymentSendMutationVariables>;
export const LnNoAmountInvoiceCreateDocument = new TypedDocumentString(`
    mutation LnNoAmountInvoiceCreate($input: LnNoAmountInvoiceCreateInput!) {
  lnNoAmountInvoiceCreate(input: $input) {
    errors {
      ...ErrorFields
    }
    invoice {
      paymentRequest
      paymentHash
      paymentStatus
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnNoAmountInvoiceCreateMutation, LnNoAmountInvoiceCreateMutationVariables>;
export const LnNoAmountInvoiceCreateOnBehalfOfRecipientDocument = new TypedDocumentString(`
    mutation LnNoAmountInvoiceCreateOnBehalfOfRecipient($input: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput!) {
  lnNoAmountInvoiceCreateOnBehalfOfRecipient(input: $input) {
    errors {
      ...ErrorFields
    }
    invoice {
      paymentRequest
      paymentHash
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnNoAmountInvoiceCreateOnBehalfOfRecipientMutation, LnNoAmountInvoiceCreateOnBehalfOfRecipientMutationVariables>;
export const LnNoAmountInvoiceFeeProbeDocument = new TypedDocumentString(`
    mutation LnNoAmountInvoiceFeeProbe($input: LnNoAmountInvoiceFeeProbeInput!) {
  lnNoAmountInvoiceFeeProbe(input: $input) {
    errors {
      ...ErrorFields
    }
    amount
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnNoAmountInvoiceFeeProbeMutation, LnNoAmountInvoiceFeeProbeMutationVariables>;
export const LnNoAmountInvoicePaymentSendDocument = new TypedDocumentString(`
    mutation LnNoAmountInvoicePaymentSend($input: LnNoAmountInvoicePaymentInput!) {
  lnNoAmountInvoicePaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<LnNoAmountInvoicePaymentSendMutation, LnNoAmountInvoicePaymentSendMutationVariables>;
export const LnNoAmountUsdInvoiceFeeProbeDocument = new TypedDocumentString(`
    mutation LnNoAmountUsdInvoiceFeeProbe($input: LnNoAmountUsdInvoiceFeeProbeInput!) {
  lnNoAmountUsdInvoiceFeeProbe(input: $input) {
    errors {
      ...ErrorFields
    }
    amount
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnNoAmountUsdInvoiceFeeProbeMutation, LnNoAmountUsdInvoiceFeeProbeMutationVariables>;
export const LnNoAmountUsdInvoicePaymentSendDocument = new TypedDocumentString(`
    mutation LnNoAmountUsdInvoicePaymentSend($input: LnNoAmountUsdInvoicePaymentInput!) {
  lnNoAmountUsdInvoicePaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<LnNoAmountUsdInvoicePaymentSendMutation, LnNoAmountUsdInvoicePaymentSendMutationVariables>;
export const LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientDocument = new TypedDocumentString(`
    mutation LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient($input: LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput!) {
  lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient(input: $input) {
    errors {
      ...ErrorFields
    }
    invoice {
      paymentRequest
      paymentHash
      satoshis
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientMutation, LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientMutationVariables>;
export const LnUsdInvoiceCreateDocument = new TypedDocumentString(`
    mutation LnUsdInvoiceCreate($input: LnUsdInvoiceCreateInput!) {
  lnUsdInvoiceCreate(input: $input) {
    errors {
      ...ErrorFields
    }
    invoice {
      paymentRequest
      paymentHash
      paymentStatus
      satoshis
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnUsdInvoiceCreateMutation, LnUsdInvoiceCreateMutationVariables>;
export const LnUsdInvoiceCreateOnBehalfOfRecipientDocument = new TypedDocumentString(`
    mutation LnUsdInvoiceCreateOnBehalfOfRecipient($input: LnUsdInvoiceCreateOnBehalfOfRecipientInput!) {
  lnUsdInvoiceCreateOnBehalfOfRecipient(input: $input) {
    errors {
      ...ErrorFields
    }
    invoice {
      paymentRequest
      paymentHash
      satoshis
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnUsdInvoiceCreateOnBehalfOfRecipientMutation, LnUsdInvoiceCreateOnBehalfOfRecipientMutationVariables>;
export const LnUsdInvoiceFeeProbeDocument = new TypedDocumentString(`
    mutation LnUsdInvoiceFeeProbe($input: LnUsdInvoiceFeeProbeInput!) {
  lnUsdInvoiceFeeProbe(input: $input) {
    errors {
      ...ErrorFields
    }
    amount
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<LnUsdInvoiceFeeProbeMutation, LnUsdInvoiceFeeProbeMutationVariables>;
export const LnurlPaymentSendDocument = new TypedDocumentString(`
    mutation LnurlPaymentSend($input: LnurlPaymentSendInput!) {
  lnurlPaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<LnurlPaymentSendMutation, LnurlPaymentSendMutationVariables>;
export const OnChainPaymentSendDocument = new TypedDocumentString(`
    mutation OnChainPaymentSend($input: OnChainPaymentSendInput!) {
  onChainPaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<OnChainPaymentSendMutation, OnChainPaymentSendMutationVariables>;
export const OnChainPaymentSendAllDocument = new TypedDocumentString(`
    mutation OnChainPaymentSendAll($input: OnChainPaymentSendAllInput!) {
  onChainPaymentSendAll(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<OnChainPaymentSendAllMutation, OnChainPaymentSendAllMutationVariables>;
export const OnChainUsdPaymentSendDocument = new TypedDocumentString(`
    mutation OnChainUsdPaymentSend($input: OnChainUsdPaymentSendInput!) {
  onChainUsdPaymentSend(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<OnChainUsdPaymentSendMutation, OnChainUsdPaymentSendMutationVariables>;
export const OnChainUsdPaymentSendAsBtcDenominatedDocument = new TypedDocumentString(`
    mutation OnChainUsdPaymentSendAsBtcDenominated($input: OnChainUsdPaymentSendAsBtcDenominatedInput!) {
  onChainUsdPaymentSendAsBtcDenominated(input: $input) {
    ...PaymentSendFields
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment PaymentSendFields on PaymentSendPayload {
  status
  errors {
    ...ErrorFields
  }
  transaction {
    ...TransactionFields
  }
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<OnChainUsdPaymentSendAsBtcDenominatedMutation, OnChainUsdPaymentSendAsBtcDenominatedMutationVariables>;
export const AccountDeleteDocument = new TypedDocumentString(`
    mutation AccountDelete {
  accountDelete {
    errors {
      ...ErrorFields
    }
    success
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<AccountDeleteMutation, AccountDeleteMutationVariables>;
export const OnChainAddressCreateDocument = new TypedDocumentString(`
    mutation OnChainAddressCreate($input: OnChainAddressCreateInput!) {
  onChainAddressCreate(input: $input) {
    errors {
      ...ErrorFields
    }
    address
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<OnChainAddressCreateMutation, OnChainAddressCreateMutationVariables>;
export const OnChainAddressCurrentDocument = new TypedDocumentString(`
    mutation OnChainAddressCurrent($input: OnChainAddressCurrentInput!) {
  onChainAddressCurrent(input: $input) {
    errors {
      ...ErrorFields
    }
    address
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<OnChainAddressCurrentMutation, OnChainAddressCurrentMutationVariables>;
export const UserEmailDeleteDocument = new TypedDocumentString(`
    mutation UserEmailDelete {
  userEmailDelete {
    errors {
      ...ErrorFields
    }
    me {
      id
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserEmailDeleteMutation, UserEmailDeleteMutationVariables>;
export const UserEmailRegistrationInitiateDocument = new TypedDocumentString(`
    mutation UserEmailRegistrationInitiate($input: UserEmailRegistrationInitiateInput!) {
  userEmailRegistrationInitiate(input: $input) {
    errors {
      ...ErrorFields
    }
    emailRegistrationId
    me {
      id
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserEmailRegistrationInitiateMutation, UserEmailRegistrationInitiateMutationVariables>;
export const UserEmailRegistrationValidateDocument = new TypedDocumentString(`
    mutation UserEmailRegistrationValidate($input: UserEmailRegistrationValidateInput!) {
  userEmailRegistrationValidate(input: $input) {
    errors {
      ...ErrorFields
    }
    me {
      email {
        address
        verified
      }
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserEmailRegistrationValidateMutation, UserEmailRegistrationValidateMutationVariables>;
export const UserLogoutDocument = new TypedDocumentString(`
    mutation UserLogout {
  userLogout {
    errors {
      ...ErrorFields
    }
    success
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserLogoutMutation, UserLogoutMutationVariables>;
export const UserTotpDeleteDocument = new TypedDocumentString(`
    mutation UserTotpDelete {
  userTotpDelete {
    errors {
      ...ErrorFields
    }
    me {
      totpEnabled
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserTotpDeleteMutation, UserTotpDeleteMutationVariables>;
export const UserTotpRegistrationInitiateDocument = new TypedDocumentString(`
    mutation UserTotpRegistrationInitiate {
  userTotpRegistrationInitiate {
    errors {
      ...ErrorFields
    }
    totpRegistrationId
    totpSecret
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserTotpRegistrationInitiateMutation, UserTotpRegistrationInitiateMutationVariables>;
export const UserTotpRegistrationValidateDocument = new TypedDocumentString(`
    mutation UserTotpRegistrationValidate($input: UserTotpRegistrationValidateInput!) {
  userTotpRegistrationValidate(input: $input) {
    errors {
      ...ErrorFields
    }
    me {
      totpEnabled
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserTotpRegistrationValidateMutation, UserTotpRegistrationValidateMutationVariables>;
export const UserUpdateLanguageDocument = new TypedDocumentString(`
    mutation UserUpdateLanguage($input: UserUpdateLanguageInput!) {
  userUpdateLanguage(input: $input) {
    errors {
      ...ErrorFields
    }
    user {
      language
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserUpdateLanguageMutation, UserUpdateLanguageMutationVariables>;
export const UserUpdateUsernameDocument = new TypedDocumentString(`
    mutation UserUpdateUsername($input: UserUpdateUsernameInput!) {
  userUpdateUsername(input: $input) {
    errors {
      ...ErrorFields
    }
    user {
      username
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<UserUpdateUsernameMutation, UserUpdateUsernameMutationVariables>;
export const OnLnInvoicePaymentStatusDocument = new TypedDocumentString(`
    subscription OnLnInvoicePaymentStatus($input: LnInvoicePaymentStatusInput!) {
  lnInvoicePaymentStatus(input: $input) {
    errors {
      ...ErrorFields
    }
    status
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<OnLnInvoicePaymentStatusSubscription, OnLnInvoicePaymentStatusSubscriptionVariables>;
export const OnLnInvoicePaymentStatusByHashDocument = new TypedDocumentString(`
    subscription OnLnInvoicePaymentStatusByHash($input: LnInvoicePaymentStatusByHashInput!) {
  lnInvoicePaymentStatusByHash(input: $input) {
    errors {
      ...ErrorFields
    }
    status
    paymentHash
    paymentPreimage
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<OnLnInvoicePaymentStatusByHashSubscription, OnLnInvoicePaymentStatusByHashSubscriptionVariables>;
export const OnLnInvoicePaymentStatusByPaymentRequestDocument = new TypedDocumentString(`
    subscription OnLnInvoicePaymentStatusByPaymentRequest($input: LnInvoicePaymentStatusByPaymentRequestInput!) {
  lnInvoicePaymentStatusByPaymentRequest(input: $input) {
    errors {
      ...ErrorFields
    }
    status
    paymentHash
    paymentPreimage
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<OnLnInvoicePaymentStatusByPaymentRequestSubscription, OnLnInvoicePaymentStatusByPaymentRequestSubscriptionVariables>;
export const OnMyUpdatesDocument = new TypedDocumentString(`
    subscription OnMyUpdates {
  myUpdates {
    errors {
      ...ErrorFields
    }
    update {
      __typename
      ... on LnUpdate {
        invoiceStatus: status
        transaction {
          ...TransactionFields
        }
      }
      ... on IntraLedgerUpdate {
        transaction {
          ...TransactionFields
        }
      }
      ... on PaymentUpdate {
        outcome: status
        transaction {
          ...TransactionFields
        }
      }
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment TransactionFields on Transaction {
  id
  status
  direction
  settlementAmount
  settlementFee
  settlementCurrency
  memo
  externalId
  createdAt
}`) as unknown as TypedDocumentString<OnMyUpdatesSubscription, OnMyUpdatesSubscriptionVariables>;
export const OnPriceDocument = new TypedDocumentString(`
    subscription OnPrice($input: PriceInput!) {
  price(input: $input) {
    errors {
      ...ErrorFields
    }
    price {
      base
      offset
      currencyUnit
      formattedAmount
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}`) as unknown as TypedDocumentString<OnPriceSubscription, OnPriceSubscriptionVariables>;
export const OnRealtimePriceDocument = new TypedDocumentString(`
    subscription OnRealtimePrice($input: RealtimePriceInput!) {
  realtimePrice(input: $input) {
    errors {
      ...ErrorFields
    }
    realtimePrice {
      ...RealtimePriceFields
    }
  }
}
    fragment ErrorFields on Error {
  code
  message
  path
}
fragment RealtimePriceFields on RealtimePrice {
  denominatorCurrencyDetails {
    id
    fractionDigits
  }
  btcSatPrice {
    base
    offset
  }
  usdCentPrice {
    base
    offset
  }
  timestamp
}`) as unknown as TypedDocumentString<OnRealtimePriceSubscription, OnRealtimePriceSubscriptionVariables>;