import { satsOfMsat } from '../kernel/money.js';

export type Currency = 'BTC' | 'USD';

/** A wallet with its balance at one moment. Minor units of its currency: msat or cents. */
export interface WalletRow {
  readonly __typename: 'BTCWallet' | 'UsdWallet';
  readonly id: string;
  readonly accountId: string;
  readonly currency: Currency;
  readonly posted: bigint;
  /** Held for outgoing payments in flight. */
  readonly held: bigint;
}

/** An account with its wallets: BTC first, then USD. */
export interface AccountRow {
  readonly __typename: 'ConsumerAccount';
  readonly id: string;
  readonly userId: string;
  readonly level: 'ZERO' | 'ONE' | 'TWO' | 'THREE';
  readonly displayCurrency: string;
  readonly defaultWalletId: string;
  readonly wallets: readonly WalletRow[];
}

/** Minor units as the API shows them: whole satoshis (rounded down) or cents. */
export const toApiAmount = (minor: bigint, currency: Currency): number => (currency === 'BTC' ? satsOfMsat(minor) : Number(minor));

/** The available balance, as the API shows it. */
export const balanceOf = ({ posted, held, currency }: WalletRow): number => toApiAmount(posted - held, currency);
