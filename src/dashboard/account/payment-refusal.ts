import { MAX_AMOUNT_MSAT } from '../../kernel/money.js';
import { bitcoin, moneyText } from '../../page/index.js';
import type { PaymentOutcome, PaymentRefusal } from '../../payment/index.js';

const TEXTS: Readonly<Partial<Record<PaymentRefusal, string>>> = {
  undecodable_invoice: 'This invoice can’t be read. Copy it again.',
  wrong_network: 'This invoice is for another network.',
  self_payment: 'This invoice is your own.',
  expired: 'This invoice has expired. Ask for another one.',
  cancelled: 'This invoice was cancelled. Ask for another one.',
  text_mismatch: 'This invoice differs from the one that this server issued. Ask for another one.',
  not_our_invoice: 'This invoice names this server, but this server did not issue it.',
  being_paid: 'Another account is paying this invoice now.',
  paid_by_other: 'This invoice is already paid.',
  unknown_recipient: 'This recipient does not exist any more.',
  insufficient: 'Your balance does not cover the amount and the network fee.',
  account_frozen: 'The operator of this server has stopped the payments of your account.',
  sends_stopped: 'This server sends no payments at present. Try again later.',
  withdrawal_limit: 'This payment exceeds what your account may send to other wallets in 24 hours.',
  internal_send_limit: 'This payment exceeds what your account may send to users of this server in 24 hours.',
  convert_limit: 'This exceeds what your account may convert in 24 hours.',
  out_of_range: `The largest amount is ${moneyText(bitcoin(MAX_AMOUNT_MSAT))}.`,
  no_price: 'There is no price of dollars now. Try again later.',
  amount_too_small: 'That is worth less than $0.01 or 1 sat, the least that can be exchanged.',
  dealer_limit: 'This server accepts no more dollars at present. Try again later.',
  busy: 'Your wallet or the invoice is busy. Try again in a moment.',
  not_begun: 'The payment could not be started. Try again in a moment.',
  unsupported: 'This server’s Lightning node can’t send this payment.',
};

/** Why nothing was sent, as a sentence. */
export const refusalText = (reason: PaymentRefusal): string => TEXTS[reason] ?? 'The payment was rejected.';

/** The same of a payment's outcome; undefined if it has begun. */
export function refusalIn(outcome: PaymentOutcome): string | undefined {
  if (outcome.kind === 'refused') return refusalText(outcome.reason);
  return outcome.kind === 'vetoed' ? outcome.message : undefined;
}
