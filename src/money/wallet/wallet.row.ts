import { satsOfMsat } from '../../platform/kernel/money.js';
import type { AccountEntity, WalletEntity } from './wallet.entity.js';

export type Currency = WalletEntity['currency'];

/** The limit of its account that a payment takes from: it is paid by the node, to another account, or between the wallets of the account. */
export type AccountFlow = 'withdrawal' | 'internal_send' | 'convert';

/** A wallet with its balance at one moment. Minor units of its currency: msat or cents. */
export interface WalletRow extends Pick<WalletEntity, 'id' | 'accountId' | 'currency'> {
  readonly __typename: 'BTCWallet' | 'UsdWallet';
  readonly posted: bigint;
  /** Held for outgoing payments in flight. */
  readonly held: bigint;
}

/** An account with its wallets: BTC first, then USD. */
export interface AccountRow extends Omit<AccountEntity, 'createdAt'> {
  readonly __typename: 'ConsumerAccount';
  readonly wallets: readonly WalletRow[];
}

/** One limit of an account. What is left of it is read only if the client selects it. */
export interface AccountLimitRow {
  readonly __typename: 'OneDayAccountLimit';
  /** In seconds. */
  readonly interval: number;
  /** In US cents. */
  readonly totalLimit: number;
  readonly accountId: string;
  readonly flow: AccountFlow;
}

/** @throws Error if there is none: a trigger opens one of each currency with the account */
export function walletOf({ wallets }: Pick<AccountRow, 'wallets'>, currency: Currency): WalletRow {
  const wallet = wallets.find((each) => each.currency === currency);
  if (!wallet) throw new Error(`An account has no ${currency} wallet`);
  return wallet;
}

/** Minor units as the API shows them: whole satoshis (rounded down) or cents. */
export const toApiAmount = (minor: bigint, currency: Currency): number => (currency === 'BTC' ? satsOfMsat(minor) : Number(minor));

export const balanceOf = ({ posted, held, currency }: WalletRow): number => toApiAmount(posted - held, currency);
