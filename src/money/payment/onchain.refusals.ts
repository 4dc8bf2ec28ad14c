import type { ErrorCode } from '../../edge/graphql/index.js';

export type PaymentArgument = 'walletId' | 'recipientWalletId' | 'amount' | 'paymentRequest' | 'lnAddress' | 'lnurl' | 'address';

export interface Refusal {
  readonly code: ErrorCode;
  /** The API's text, which clients match: keep it. `$limit` is the limit of the account in dollars. */
  readonly text: string;
  readonly argument?: PaymentArgument;
  readonly page: string;
  /** The refusal depends on the price of the moment: a retry gets the result of the first call of its attempt, if that call has begun. */
  readonly retry?: true;
}

/** Why a payment to a bitcoin address is refused, beside what may refuse any payment. */
export const ONCHAIN_REFUSALS = {
  invalid_address: {
    code: 'INVALID_INPUT',
    text: 'Invalid value for OnChainAddress',
    argument: 'address',
    page: 'This bitcoin address can’t be read. Copy it again.',
  },
  address_of_other_network: {
    code: 'INVALID_INPUT',
    text: 'The address is for another network',
    argument: 'address',
    page: 'This bitcoin address is for another network.',
  },
  dust: {
    code: 'INVALID_INPUT',
    text: 'The amount is too small for a transaction on chain; use Lightning',
    argument: 'amount',
    page: 'This amount is too small for a bitcoin address. Pay it over Lightning.',
  },
  fee_above_amount: {
    code: 'INVALID_INPUT',
    text: 'The fee is higher than the amount; use Lightning, or send more',
    argument: 'amount',
    page: 'The fee would be higher than the amount. Pay it over Lightning, or send more.',
  },
  liquidity: {
    code: 'LIQUIDITY',
    text: 'This server has too few bitcoin on chain for this payment now; nothing was sent. Please try again later.',
    page: 'This server has too few bitcoin on chain for this payment now. Try again later.',
  },
  onchain_unavailable: {
    code: 'LND_OFFLINE',
    text: 'The bitcoin wallet of this server does not answer now; nothing was sent. Please try again in a moment.',
    page: 'The bitcoin wallet of this server does not answer now. Try again in a moment.',
  },
  onchain_unsupported: {
    code: 'ONCHAIN_UNSUPPORTED',
    text: 'This server has no bitcoin wallet, so it neither has addresses nor pays any',
    page: 'This server sends over Lightning only.',
  },
} as const satisfies Record<string, Refusal>;
