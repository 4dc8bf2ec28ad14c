import { moneyText, type Option } from '../../edge/page/index.js';
import { moneyOf } from '../activity/amount.js';
import { madeAt, type TransactionRow } from '../../money/transaction/index.js';
import type { Currency } from '../../money/wallet/index.js';
import { partyOf, stateWord, UNNAMED, type Activity, type ActivityState } from '../activity/activity.view.js';

type StateFilter = 'all' | ActivityState;
type WalletFilter = 'all' | Currency;

export interface HistoryFilter {
  readonly state: StateFilter;
  readonly wallet: WalletFilter;
  readonly text: string;
  /** Days of UTC, as date fields send them; empty: no bound. */
  readonly from: string;
  readonly until: string;
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

const dayIn = (text: unknown): string =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

/** An unknown value means all. */
export function filterIn({ state, wallet, q, from, until }: Readonly<Record<string, unknown>>): HistoryFilter {
  return {
    state: STATES.find(({ value }) => value === state)?.value ?? 'all',
    wallet: WALLETS.find(({ value }) => value === wallet)?.value ?? 'all',
    text: typeof q === 'string' ? q.trim().slice(0, MAX_TEXT) : '',
    from: dayIn(from),
    until: dayIn(until),
  };
}

export function queryOf({ text, ...filter }: HistoryFilter): string {
  const set = Object.entries({ ...filter, q: text }).filter(([, value]) => value !== 'all' && value !== '');
  return new URLSearchParams(set).toString();
}

export const isFiltered = (filter: HistoryFilter): boolean => queryOf(filter) !== '';

/** A person types an amount with or without its sign, its currency and its commas. */
const plain = (text: string): string => text.toLowerCase().replace(/[,\p{Sc}+−]/gu, '');

/** Whether a payment is in the filtered history; the wallet is a matter of the statement. */
export function keeperOf({ state, text, from, until }: HistoryFilter): (row: TransactionRow, activity?: Activity) => boolean {
  const wanted = plain(text);
  return (row, activity) => {
    const day = madeAt(row).toISOString().slice(0, 10);
    if ((from !== '' && day < from) || (until !== '' && day > until)) return false;
    if (!activity) return false;
    return (state === 'all' || activity.state === state) && (wanted === '' || plain(textsOf(row, activity).join('\n')).includes(wanted));
  };
}

/** What the row and the page of a payment show, without the payee's node, which takes too long to compute for every row. */
function textsOf(row: TransactionRow, activity: Activity): (string | null | undefined)[] {
  const { amount, about, memo, cause, by, state } = activity;
  const worth = about === null ? '' : about.currency === 'display' ? `${about.decimal} ${about.code}` : moneyText(about);
  const { externalId, paymentHash, paymentRequest, preimage, address, txid } = row;
  const party = partyOf(activity)?.join(' ');
  return [
    memo || party ? '' : UNNAMED,
    memo,
    party,
    cause,
    by && `via ${by.kind === 'key' ? `API key “${by.name}”` : by.name}`,
    stateWord(state),
    moneyText(amount),
    moneyText(moneyOf(row.amount + row.fee, row.currency)),
    worth,
    externalId,
    row.id,
    paymentHash,
    paymentRequest,
    preimage,
    address,
    txid,
  ];
}
