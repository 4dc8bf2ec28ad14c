import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';

/**
 * Documents like those of existing clients: their selections, declarations of variables, and types of fragments.
 * Sluice cannot change a client, so each document has to stay valid.
 */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'a wallet back end reads balances': `{ me { defaultAccount { wallets { id walletCurrency balance } } } }`,

  'a wallet back end pays and looks at what it cost': `
    mutation Pay($input: LnInvoicePaymentInput!) {
      lnInvoicePaymentSend(input: $input) { status errors { message path code } transaction { id settlementFee } }
    }
    query Cost($walletId: WalletId!, $paymentHash: PaymentHash!) {
      me { defaultAccount { walletById(walletId: $walletId) {
        walletCurrency
        ... on BTCWallet { transactionsByPaymentHash(paymentHash: $paymentHash) { ...paid } }
        ... on UsdWallet { transactionsByPaymentHash(paymentHash: $paymentHash) { ...paid } }
      } } }
    }
    fragment paid on Transaction { settlementFee status direction settlementVia { ... on SettlementViaLn { preImage } } }`,

  'a wallet back end asks every wallet at once': `
    query ($hash: PaymentHash!) { me { id defaultAccount { wallets {
      id
      transactionsByPaymentHash(paymentHash: $hash) { status direction settlementVia {
        ... on SettlementViaIntraLedger { preImage counterPartyWalletId }
        ... on SettlementViaLn { preImage }
        ... on SettlementViaOnChain { transactionHash vout }
      } }
    } } } }`,

  'a wallet back end checks an invoice': `
    query ($walletId: WalletId!, $paymentHash: PaymentHash!) { me { defaultAccount { walletById(walletId: $walletId) {
      invoiceByPaymentHash(paymentHash: $paymentHash) { paymentHash ... on LnInvoice { satoshis paymentStatus } }
    } } } }`,

  'a back end waits for money': `
    subscription { myUpdates { update { ... on LnUpdate { transaction {
      direction
      initiationVia { ... on InitiationViaLn { paymentHash } }
    } } } } }`,

  'a shop plug-in makes an invoice for its merchant': `
    mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) {
      lnInvoiceCreateOnBehalfOfRecipient(input: $input) { invoice { paymentRequest paymentHash paymentSecret satoshis } errors { message } }
    }`,

  'a shop plug-in lists without page arguments': `
    query ($walletId: WalletId!) {
      globals { network }
      me { defaultAccount { defaultWallet { id currency } walletById(walletId: $walletId) {
        invoices { edges { node { createdAt paymentHash paymentRequest paymentSecret paymentStatus ... on LnInvoice { satoshis } } } }
        transactions { edges { node { createdAt direction settlementAmount settlementFee status
          initiationVia { ... on InitiationViaLn { paymentHash paymentRequest } }
          settlementVia { ... on SettlementViaLn { preImage } }
        } } }
      } } }
    }`,

  'a browser extension pages through history': `
    query ($first: Int, $after: String) { me { id username defaultAccount { defaultWalletId transactions(first: $first, after: $after) {
      edges { cursor node { id memo createdAt settlementCurrency settlementDisplayAmount settlementDisplayCurrency } }
      pageInfo { hasNextPage endCursor }
    } } } }`,

  'a command-line tool filters by wallet with nullable elements': `
    query ($walletIds: [WalletId], $first: Int) { me { defaultAccount {
      transactions(walletIds: $walletIds, first: $first) { edges { node { id } } pageInfo { endCursor hasNextPage } }
      invoices(walletIds: $walletIds) { edges { cursor } }
      pendingIncomingTransactions(walletIds: $walletIds) { id }
    } } }`,

  'a mobile app shows every kind of update': `
    subscription { myUpdates {
      errors { message }
      update {
        __typename
        ... on Price { base offset currencyUnit formattedAmount }
        ... on RealtimePrice { timestamp denominatorCurrencyDetails { id fractionDigits } btcSatPrice { base offset } usdCentPrice { base offset } }
        ... on LnUpdate { paymentHash transaction { ...shown } }
        ... on IntraLedgerUpdate { txNotificationType amount usdPerSat transaction { ...shown } }
        ... on OnChainUpdate { txNotificationType txHash amount usdPerSat transaction { ...shown } }
      }
    } }
    fragment shown on Transaction {
      id status direction memo createdAt settlementAmount settlementFee settlementDisplayFee
      settlementPrice { base offset currencyUnit formattedAmount }
      initiationVia {
        ... on InitiationViaIntraLedger { counterPartyWalletId counterPartyUsername }
        ... on InitiationViaLn { paymentHash paymentRequest }
        ... on InitiationViaOnChain { address }
      }
      settlementVia {
        ... on SettlementViaIntraLedger { counterPartyWalletId counterPartyUsername preImage }
        ... on SettlementViaLn { preImage paymentSecret }
        ... on SettlementViaOnChain { transactionHash arrivalInMempoolEstimatedAt }
      }
    }`,

  'a payment page watches one invoice': `
    subscription Watch($input: LnInvoicePaymentStatusByPaymentRequestInput!) {
      lnInvoicePaymentStatusByPaymentRequest(input: $input) { status paymentPreimage errors { message code path } }
    }
    query Once($hash: PaymentHash!) { lnInvoicePaymentStatusByHash(input: { paymentHash: $hash }) { status paymentPreimage paymentRequest } }`,

  'a mint and a donation button watch one invoice under an older name': `
    query InvoiceByPaymentRequest($input: LnInvoicePaymentStatusInput!) { lnInvoicePaymentStatus(input: $input) { errors { message path code } status } }
    subscription LnInvoicePaymentStatus($input: LnInvoicePaymentStatusInput!) { lnInvoicePaymentStatus(input: $input) { status errors { code message path } } }`,

  'a dashboard shows a profile': `
    query me { me { id phone totpEnabled email { address verified } defaultAccount { id callbackPortalUrl callbackEndpoints { id url } } } }
    query keys { me { apiKeys { id limits { dailyLimitSats dailySpentSats weeklyLimitSats weeklySpentSats
      monthlyLimitSats monthlySpentSats annualLimitSats annualSpentSats } } } }`,

  'a payment page converts': `
    query ($username: Username!, $walletCurrency: WalletCurrency, $currency: DisplayCurrency!) {
      accountDefaultWallet(username: $username, walletCurrency: $walletCurrency) { id walletCurrency }
      realtimePrice(currency: $currency) { id denominatorCurrency btcSatPrice { base offset currencyUnit } usdCentPrice { base offset } }
    }`,

  'a dashboard manages keys': `
    query List { me { id createdAt language email { address verified } apiKeys { id name createdAt expiresAt lastUsedAt revoked expired readOnly scopes } } authorization { scopes } }
    mutation Make($name: String!, $expireInDays: Int, $scopes: [Scope!]!) {
      apiKeyCreate(input: { name: $name, expireInDays: $expireInDays, scopes: $scopes }) { apiKey { id } apiKeySecret }
    }
    mutation Revoke($input: ApiKeyRevokeInput!) { apiKeyRevoke(input: $input) { apiKey { id revoked } } }`,
};

describe('documents that clients send', () => {
  const schema = buildSchema(readFileSync(join(__dirname, '../../schema.graphql'), 'utf8'));

  it.each(Object.entries(DOCUMENTS))('%s', (_who, source) => {
    expect(validate(schema, parse(source))).toEqual([]);
  });
});
