import type { Environment } from './environment.js';

/** At most `limit` calls in a window of `windowMs` milliseconds. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

/** The rate limits, by name: of calls, and of failed sign-ins. */
export interface ThrottleConfig {
  readonly registration: Rate;
  readonly authorizationPage: Rate;
  readonly address: Rate;
  readonly principal: Rate;
  readonly account: Rate;
  readonly anonymousInvoice: Rate;
  readonly anonymousInvoiceFirst: Rate;
  readonly anonymousInvoiceAll: Rate;
  readonly invoiceRecipient: Rate;
  readonly invoiceForOther: Rate;
  readonly signInAccount: Rate;
  readonly signInAddress: Rate;
  readonly signInDevice: Rate;
  readonly tokenClient: Rate;
  readonly tokenAddress: Rate;
}

export function throttleOf(env: Environment): ThrottleConfig {
  const rate = (text: string): Rate => {
    const [limit = 0, seconds = 0] = text.split('/').map(Number);
    return Object.freeze({ limit, windowMs: seconds * 1000 });
  };
  return {
    registration: rate(env.THROTTLE_REGISTRATION),
    authorizationPage: rate(env.THROTTLE_AUTHORIZATION_PAGE),
    address: rate(env.THROTTLE_ADDRESS),
    principal: rate(env.THROTTLE_PRINCIPAL),
    account: rate(env.THROTTLE_ACCOUNT),
    anonymousInvoice: rate(env.THROTTLE_ANONYMOUS_INVOICE),
    anonymousInvoiceFirst: rate(env.THROTTLE_ANONYMOUS_INVOICE_FIRST),
    anonymousInvoiceAll: rate(env.THROTTLE_ANONYMOUS_INVOICE_ALL),
    invoiceRecipient: rate(env.THROTTLE_INVOICE_RECIPIENT),
    invoiceForOther: rate(env.THROTTLE_INVOICE_FOR_OTHER),
    signInAccount: rate(env.THROTTLE_SIGN_IN_ACCOUNT),
    signInAddress: rate(env.THROTTLE_SIGN_IN_ADDRESS),
    signInDevice: rate(env.THROTTLE_SIGN_IN_DEVICE),
    tokenClient: rate(env.THROTTLE_TOKEN_CLIENT),
    tokenAddress: rate(env.THROTTLE_TOKEN_ADDRESS),
  };
}
