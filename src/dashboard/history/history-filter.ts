import type { TransactionRow } from '../../money/transaction/index.js';
import type { Currency } from '../../money/wallet/index.js';
import { activityStateOf, type ActivityState } from '../activity/activity-state.js';

export type StateFilter = 'all' | ActivityState;
export type WalletFilter = 'all' | Currency;

export interface HistoryFilter {
  readonly state: StateFilter;
  readonly wallet: WalletFilter;
  readonly text: string;
}

const STATES: readonly StateFilter[] = ['all', 'received', 'sent', 'pending', 'failed'];
const WALLETS: readonly WalletFilter[] = ['all', 'BTC', 'USD'];
export const MAX_TEXT = 100;

/** An unknown value means all. */
export function filterIn({ state, wallet, q }: Readonly<Record<string, unknown>>): HistoryFilter {
  return {
    state: STATES.find((each) => each === state) ?? 'all',
    wallet: WALLETS.find((each) => each === wallet) ?? 'all',
    text: typeof q === 'string' ? q.trim().slice(0, MAX_TEXT) : '',
  };
}

export const isFiltered = ({ state, wallet, text }: HistoryFilter): boolean => state !== 'all' || wallet !== 'all' || text !== '';

export function queryOf({ state, wallet, text }: HistoryFilter): string {
  const query = new URLSearchParams();
  if (state !== 'all') query.set('state', state);
  if (wallet !== 'all') query.set('wallet', wallet);
  if (text !== '') query.set('q', text);
  return query.toString();
}

/** Whether a row is in the filtered history; the wallet is a matter of the statement. */
export function keeperOf({ state, text }: HistoryFilter): (row: TransactionRow) => boolean {
  const wanted = text.toLowerCase();
  return (row) =>
    (state === 'all' || activityStateOf(row) === state) && (wanted === '' || textsOf(row).some((each) => each.includes(wanted)));
}

const textsOf = ({ memo, counterpartyUsername, externalId, paymentHash, paymentRequest }: TransactionRow): string[] =>
  [memo, counterpartyUsername, externalId, paymentHash, paymentRequest].flatMap((text) => (text === null ? [] : [text.toLowerCase()]));
