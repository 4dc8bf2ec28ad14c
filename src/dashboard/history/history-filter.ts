import type { Option } from '../../edge/page/index.js';
import type { TransactionRow } from '../../money/transaction/index.js';
import type { Currency } from '../../money/wallet/index.js';
import { activityStateOf, type ActivityState } from '../activity/activity.view.js';

type StateFilter = 'all' | ActivityState;
type WalletFilter = 'all' | Currency;

export interface HistoryFilter {
  readonly state: StateFilter;
  readonly wallet: WalletFilter;
  readonly text: string;
}

export const STATES: readonly (Option & { readonly value: StateFilter })[] = [
  { value: 'all', label: 'All' },
  { value: 'received', label: 'Received' },
  { value: 'sent', label: 'Sent' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
];
export const WALLETS: readonly (Option & { readonly value: WalletFilter })[] = [
  { value: 'all', label: 'All wallets' },
  { value: 'BTC', label: 'Bitcoin' },
  { value: 'USD', label: 'US dollar' },
];
export const MAX_TEXT = 100;

/** An unknown value means all. */
export function filterIn({ state, wallet, q }: Readonly<Record<string, unknown>>): HistoryFilter {
  return {
    state: STATES.find(({ value }) => value === state)?.value ?? 'all',
    wallet: WALLETS.find(({ value }) => value === wallet)?.value ?? 'all',
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
