import type { BudgetWindow } from '../../access/limit/index.js';
import { MAX_AMOUNT_MSAT, MSAT_PER_SAT } from '../../platform/kernel/money.js';
import { ONCHAIN_REFUSALS, type PaymentArgument, type Refusal } from './onchain.refusals.js';

export type { PaymentArgument };

const spendingLimit = (window: BudgetWindow): Refusal => ({
  code: 'TRANSACTION_RESTRICTED',
  text: `${window} spending limit exceeded`,
  page: `This payment exceeds the ${window} spending limit of the key or app that sends it.`,
});

const accountLimit = (page: string): Refusal => ({
  code: 'TRANSACTION_RESTRICTED',
  text: 'Cannot transfer more than $limit in 24 hours',
  page,
});

const TABLE = {
  undecodable_invoice: {
    code: 'INVOICE_DECODE_ERROR',
    text: 'Invalid value for LnPaymentRequest',
    argument: 'paymentRequest',
    page: 'This invoice can’t be read. Copy it again.',
  },
  wrong_network: {
    code: 'INVOICE_DECODE_ERROR',
    text: 'The invoice is for another network',
    argument: 'paymentRequest',
    page: 'This invoice is for another network.',
  },
  no_amount: {
    code: 'INVALID_INPUT',
    text: 'The invoice does not state an amount',
    argument: 'paymentRequest',
    page: 'This invoice does not state an amount. Enter one.',
  },
  has_amount: {
    code: 'INVALID_INPUT',
    text: 'The invoice states its amount: another one cannot be chosen',
    argument: 'paymentRequest',
    page: 'This invoice states its amount. Leave the amount empty.',
  },
  invalid_amount: {
    code: 'INVALID_INPUT',
    text: 'A valid satoshi amount is required',
    argument: 'amount',
    page: 'Enter an amount of at least 1 sat.',
  },
  invalid_cents: {
    code: 'INVALID_INPUT',
    text: 'A valid usd amount is required',
    argument: 'amount',
    page: 'Enter an amount of at least $0.01.',
  },
  invalid_ln_address: {
    code: 'INVALID_INPUT',
    text: 'Invalid value for LnAddress',
    argument: 'lnAddress',
    page: 'This Lightning address can’t be read. Check it.',
  },
  invalid_lnurl: {
    code: 'INVALID_INPUT',
    text: 'Invalid value for Lnurl',
    argument: 'lnurl',
    page: 'This LNURL can’t be read. Copy it again.',
  },
  out_of_bounds: {
    code: 'INVALID_INPUT',
    text: 'The recipient does not accept this amount; nothing was sent',
    argument: 'amount',
    page: 'The recipient does not accept this amount. Enter another one.',
  },
  // One text for all that can go wrong: two would show the caller what Sluice's network reaches.
  no_lnurl_invoice: {
    code: 'LNURL_REQUEST_INVOICE_ERROR',
    text: "The recipient's server did not return a valid invoice; nothing was sent",
    argument: 'paymentRequest',
    page: 'The recipient’s server did not return a valid invoice. Check the address, or try again later.',
  },
  ...ONCHAIN_REFUSALS,
  attempt_reused: {
    code: 'IDEMPOTENCY_CONFLICT',
    text: 'Another payment was made under this name; this one was not sent',
    page: 'Another payment was made with this form. Start a new one.',
  },
  unknown_wallet: {
    code: 'NOT_FOUND',
    text: 'Wallet not found',
    argument: 'walletId',
    page: 'This wallet does not exist, or belongs to another account.',
  },
  unknown_recipient: {
    code: 'NOT_FOUND',
    text: 'Wallet not found',
    argument: 'recipientWalletId',
    page: 'This recipient does not exist any more.',
  },
  wrong_currency: {
    code: 'INVALID_INPUT',
    text: "Unsupported operation for wallet's currency.",
    argument: 'walletId',
    page: 'This wallet can’t send an amount in this currency.',
  },
  no_price: {
    code: 'PRICE_UNAVAILABLE',
    text: 'There is no price of dollars to be trusted now; nothing was sent. Please try again later.',
    page: 'There is no price of dollars now. Try again later.',
    retry: true,
  },
  price_moved: {
    code: 'INVOICE_PRICE_MOVED',
    text: 'The price of dollars has moved since this invoice was created; nothing was sent. Ask for another invoice.',
    argument: 'paymentRequest',
    page: 'The price of dollars has moved since this invoice was created. Ask for another one.',
  },
  amount_too_small: {
    code: 'INVALID_INPUT',
    text: 'The amount is too small to be exchanged: it is worth less than a cent or a satoshi',
    argument: 'amount',
    page: 'That is worth less than $0.01 or 1 sat, the least that can be exchanged.',
    retry: true,
  },
  dealer_limit: {
    code: 'DEALER_LIMIT',
    text: 'This server accepts no more dollars at present; nothing was sent. Please try again later.',
    page: 'This server accepts no more dollars at present. Try again later.',
  },
  self_payment: { code: 'CANT_PAY_SELF', text: 'User tried to pay themselves', page: 'This invoice is your own.' },
  expired: {
    code: 'LIGHTNING_PAYMENT_ERROR',
    text: 'The invoice has expired',
    argument: 'paymentRequest',
    page: 'This invoice has expired. Ask for another one.',
  },
  cancelled: {
    code: 'LIGHTNING_PAYMENT_ERROR',
    text: 'The invoice was cancelled',
    argument: 'paymentRequest',
    page: 'This invoice was cancelled. Ask for another one.',
  },
  wrong_amount: {
    code: 'INVALID_INPUT',
    text: 'The amount differs from the amount of the invoice',
    argument: 'paymentRequest',
    page: 'The amount differs from the amount of the invoice. Ask for another invoice.',
  },
  text_mismatch: {
    code: 'INVOICE_TEXT_MISMATCH',
    text: 'The text differs from the invoice that this server issued for this payment hash; nothing was sent',
    argument: 'paymentRequest',
    page: 'This invoice differs from the one that this server issued. Ask for another one.',
  },
  not_our_invoice: {
    code: 'LIGHTNING_PAYMENT_ERROR',
    text: 'The invoice names this server as recipient, but this server did not issue it; nothing was sent',
    argument: 'paymentRequest',
    page: 'This invoice names this server, but this server did not issue it.',
  },
  being_paid: {
    code: 'INVOICE_BEING_PAID',
    text: 'Another account is paying this invoice now; nothing was sent',
    argument: 'paymentRequest',
    page: 'Another account is paying this invoice now.',
  },
  paid_by_other: {
    code: 'LIGHTNING_PAYMENT_ERROR',
    text: 'Invoice is already paid',
    argument: 'paymentRequest',
    page: 'This invoice is already paid.',
  },
  insufficient: {
    code: 'INSUFFICIENT_BALANCE',
    text: 'The balance does not cover the amount and the fee limit',
    argument: 'walletId',
    page: 'Your balance does not cover the amount and the network fee.',
  },
  too_many_waiting: {
    code: 'TOO_MANY_APPROVALS',
    text: 'Too many payments wait for the approval of the owner; nothing was sent. Please try again when they have ended.',
    page: 'Too many payments wait for your approval.',
  },
  costs_more: {
    code: 'APPROVAL_OUTDATED',
    text: 'The price or the fee has risen since the owner was asked; nothing was sent. Please send it again.',
    page: 'The price or the fee has risen since you were asked. The key or app has to ask again.',
  },
  credential_ended: {
    code: 'NOT_AUTHENTICATED',
    text: 'Access credentials are invalid; nothing was sent',
    page: 'You have been signed out. Sign in again.',
  },
  access_paused: {
    code: 'ACCESS_PAUSED',
    text: 'Access is paused by the owner of the account or by the operator of this server; nothing was sent',
    page: 'Access is paused.',
  },
  account_frozen: {
    code: 'ACCOUNT_FROZEN',
    text: 'The operator of this server has stopped the payments of this account; nothing was sent',
    argument: 'walletId',
    page: 'The operator of this server has stopped the payments of your account.',
  },
  sends_stopped: {
    code: 'SENDS_STOPPED',
    text: 'This server sends no payments at present; nothing was sent. Please try again later.',
    page: 'This server sends no payments at present. Try again later.',
  },
  daily_budget: spendingLimit('daily'),
  weekly_budget: spendingLimit('weekly'),
  monthly_budget: spendingLimit('monthly'),
  annual_budget: spendingLimit('annual'),
  withdrawal_limit: accountLimit('This payment exceeds what your account may send to other wallets in 24 hours.'),
  internal_send_limit: accountLimit('This payment exceeds what your account may send to users of this server in 24 hours.'),
  convert_limit: accountLimit('This exceeds what your account may convert in 24 hours.'),
  reset_limit: {
    code: 'TRANSACTION_RESTRICTED',
    text: 'The password was reset less than a day ago, so the account can send only a little until a day has passed',
    page: 'Your password was reset less than a day ago, so your account can’t send this much yet. The page Account says until when.',
  },
  out_of_range: {
    code: 'INVALID_INPUT',
    text: 'The amount exceeds what a wallet can hold',
    argument: 'amount',
    page: `The largest amount is ${(MAX_AMOUNT_MSAT / MSAT_PER_SAT).toLocaleString('en-US')} sats.`,
  },
  busy: {
    code: 'PAYMENT_BUSY',
    text: 'The wallet or the invoice is busy; nothing was sent. Please try again in a moment.',
    page: 'Your wallet or the invoice is busy. Try again in a moment.',
  },
  not_begun: {
    code: 'PAYMENT_NOT_SENT',
    text: 'The payment could not be started; nothing was sent. Please try again in a moment.',
    page: 'The payment could not be started. Try again in a moment.',
  },
  unsupported: {
    code: 'LIGHTNING_UNSUPPORTED',
    text: 'The Lightning node of this server cannot limit the fee of a payment, so nothing was sent',
    page: 'This server’s Lightning node can’t send this payment.',
  },
  refused: { code: 'LIGHTNING_PAYMENT_ERROR', text: 'The payment was rejected; nothing was sent', page: 'The payment was rejected.' },
} satisfies Record<string, Refusal>;

/** The reason why a payment was not begun: nothing moved, nothing is held. */
export type PaymentRefusal = keyof typeof TABLE;

export const REFUSALS: Readonly<Record<PaymentRefusal, Refusal>> = TABLE;
