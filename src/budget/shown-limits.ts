import { msatOfSats } from '../kernel/money.js';
import { bitcoin, moneyText } from '../page/index.js';
import { BUDGET_WINDOWS, type BudgetLimits, type BudgetWindow } from './budget.service.js';
import { limitTyped, WINDOW_NAMES } from './typed-limit.js';

/** A text for each window, as a form shows and sends it; empty: no limit. */
export type LimitTexts = Readonly<Record<BudgetWindow, string>>;

const BETWEEN = ' / ';

export const ofEachWindow = <Value>(of: (window: BudgetWindow) => Value): Record<BudgetWindow, Value> => ({
  daily: of('daily'),
  weekly: of('weekly'),
  monthly: of('monthly'),
  annual: of('annual'),
});

/** The limits of now, as text. @param limits undefined: none */
export const limitTexts = (limits: BudgetLimits | undefined): LimitTexts =>
  ofEachWindow((window) => limits?.[window]?.toLocaleString('en') ?? '');

/**
 * The value of the hidden field `based`: the limits that the person saw when they filled in the form. One that is older than a change
 * elsewhere sets nothing.
 */
export const basedOn = (limits: BudgetLimits | undefined): string => Object.values(limitTexts(limits)).join(BETWEEN);

/** The limits in such a value; null for a text that is none. */
export function limitsSeen(based: string): BudgetLimits | null {
  const texts = based.split(BETWEEN);
  const limits = ofEachWindow((window) => limitTyped(texts[BUDGET_WINDOWS.indexOf(window)] ?? ''));
  const isRead = (read: Record<BudgetWindow, number | null | string>): read is Record<BudgetWindow, number | null> =>
    texts.length === BUDGET_WINDOWS.length && Object.values(read).every((limit) => typeof limit !== 'string');
  return isRead(limits) ? limits : null;
}

/** A limit that was changed elsewhere while a form was open, in satoshis; null: none. */
export interface ChangedLimit {
  readonly window: BudgetWindow;
  readonly from: number | null;
  readonly to: number | null;
}

/** What has changed since a person saw limits. */
export const changedLimits = (seen: BudgetLimits, now: BudgetLimits): ChangedLimit[] =>
  BUDGET_WINDOWS.filter((window) => now[window] !== seen[window]).map((window) => ({ window, from: seen[window], to: now[window] }));

const limitText = (limitSats: number | null): string => (limitSats === null ? 'no limit' : moneyText(bitcoin(msatOfSats(limitSats))));

/** For a list: "Limit for 24 hours: from 5 sats to no limit". */
export const changedLimitText = ({ window, from, to }: ChangedLimit): string =>
  `Limit for ${WINDOW_NAMES[window]}: from ${limitText(from)} to ${limitText(to)}`;
