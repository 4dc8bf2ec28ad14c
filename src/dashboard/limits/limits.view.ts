import {
  BUDGET_WINDOWS,
  WINDOW_NAMES,
  type Budget,
  type BudgetLimits,
  type BudgetState,
  type BudgetWindow,
} from '../../access/limit/index.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import {
  attributes,
  bitcoin,
  buttonLink,
  csrfField,
  facts,
  field,
  html,
  money,
  moneyText,
  notice,
  outsideText,
  untrustedText,
  type Fact,
  type Html,
  scopeBadges,
  type ScopeView,
  type ShellFrame,
  card,
} from '../../edge/page/index.js';
import { dashboardPage, gonePage } from '../layout.js';
import { askProblems, askFormCard } from './ask.view.js';
import type { AskForm } from './ask-form.js';
import { shownField, type LimitErrors, type LimitsForm } from './limits-form.js';

export const NEARLY_SPENT = 0.75;

const sats = (amount: number): Html => money(bitcoin(msatOfSats(amount)));

/** The permissions let it move money: without that, a limit has no effect. */
export const canSend = (scopes: readonly ScopeView[]): boolean => scopes.some(({ movesMoney }) => movesMoney);

export const limitTextsOf = (limits: BudgetLimits | undefined): readonly Html[] =>
  BUDGET_WINDOWS.flatMap((window) => {
    const limitSats = limits?.[window] ?? null;
    return limitSats === null ? [] : [html`At most ${sats(limitSats)} in ${WINDOW_NAMES[window]}`];
  });

export const permissions = (scopes: readonly ScopeView[], limits: BudgetLimits | undefined): Html =>
  html`<span class="line">${scopeBadges(scopes)}</span
    >${canSend(scopes) && limitTextsOf(limits).map((text) => html`<p class="sub">${text}</p>`)}`;

/** A bar of what is spent of a limit. @param what names the limit, for people who do not see the bar */
export function spentBar(spent: number, limit: number, what: string): Html {
  const bar = { min: 0, max: limit, low: limit * NEARLY_SPENT, high: limit, optimum: 0, value: Math.min(spent, limit) };
  return html`<meter ${attributes({ ...bar, 'aria-label': `Spent of the limit ${what}` })}></meter>`;
}

function spending(window: BudgetWindow, { limitSats, spentSats }: BudgetState, movesMoney: boolean): Html {
  if (limitSats === null) return html`${sats(spentSats)}, no limit`;
  if (!movesMoney) return html`${sats(spentSats)} of ${sats(limitSats)}`;
  const left = spentSats < limitSats ? html`${sats(limitSats - spentSats)} left` : 'Nothing left: payments are refused';
  return html`${sats(spentSats)} of ${sats(limitSats)}${spentBar(spentSats, limitSats, `for ${WINDOW_NAMES[window]}`)}<span class="sub"
      >${left}</span
    >`;
}

/** A key never gets another permission; an app does, from a person who lets it send later. */
const NO_EFFECT: Readonly<Record<Spender['kind'], string>> = {
  key: 'This key cannot send, so limits have no effect.',
  app: 'This app cannot send now. Its limits apply to API keys that it has created, and to itself if you let it send.',
};
const noEffect = ({ kind, movesMoney }: Pick<Spender, 'kind' | 'movesMoney'>): Html | false =>
  !movesMoney && notice(html`<p>${NO_EFFECT[kind]}</p>`);
export const canEverSend = ({ kind, movesMoney }: Pick<Spender, 'kind' | 'movesMoney'>): boolean => movesMoney || kind === 'app';

/** The API sets limits of a key that cannot send, too. */
const withoutEffectCard = card('Spending limits', html`<p>${NO_EFFECT.key}</p>`);

interface CardSpender extends Pick<Spender, 'kind' | 'movesMoney'> {
  /** The address of the form; null: its limits do not change any more. */
  readonly form: string | null;
}

export function limitsCard(spender: CardSpender, budget: Budget): Html | null {
  const { kind, movesMoney, form } = spender;
  const isUsed = BUDGET_WINDOWS.some((window) => budget[window].limitSats !== null || budget[window].spentSats > 0);
  if (!isUsed && !movesMoney) return null;
  if (!canEverSend(spender)) return withoutEffectCard;
  const rows = BUDGET_WINDOWS.map((window): Fact => [`Last ${WINDOW_NAMES[window]}`, spending(window, budget[window], movesMoney)]);
  const left = (window: BudgetWindow): number => (budget[window].limitSats ?? Infinity) - budget[window].spentSats;
  const [tightest, next] = BUDGET_WINDOWS.filter((window) => budget[window].limitSats !== null).sort((a, b) => left(a) - left(b));
  const counting = tightest && next ? ` Now the limit for ${WINDOW_NAMES[tightest]} counts: it leaves the least.` : '';
  const sub = `What this ${kind} has spent, fees included. A payment must be within every limit.${counting}`;
  const change = form !== null && html`<p>${buttonLink(form, 'Change limits', 'quiet')}</p>`;
  return card('Spending limits', [noEffect(spender), facts(rows), change], { sub });
}

export const limitsSaved = ({ movesMoney }: Pick<Spender, 'movesMoney'>): Html =>
  notice(html`<p>The limits are saved.${movesMoney && ' They count from the next payment on.'}</p>`, 'good');

const limitsTop = ({ kind, name, href }: Spender) =>
  ({
    title: html`Limits of ${untrustedText(name)}`,
    text: `Limits of ${outsideText(name)}`,
    entry: kind === 'key' ? 'keys' : 'apps',
    back: { href, label: kind === 'key' ? 'API key' : 'Connected app' },
  }) as const;

export const limitsWithoutEffectPage = (spender: Spender, frame: ShellFrame): Html =>
  gonePage(frame, limitsTop(spender), html`${NO_EFFECT[spender.kind]}`, 'Back to the API key');

export interface LimitsFormModel extends LimitsForm {
  readonly frame: ShellFrame;
  readonly budget: Budget;
  readonly errors: LimitErrors;
  readonly ask: AskForm;
}

function limitField(window: BudgetWindow, { budget, values, shown, errors }: LimitsFormModel): Html {
  const spec = {
    name: window,
    label: `Limit for ${WINDOW_NAMES[window]}`,
    hint: `Spent in the last ${WINDOW_NAMES[window]}: ${moneyText(bitcoin(msatOfSats(budget[window].spentSats)))}`,
    error: errors[window] ?? null,
    value: values[window],
    autocomplete: 'off',
    inputmode: 'numeric',
  } as const;
  const before = html`<input type="hidden" name="${shownField(window)}" value="${shown[window]}" />`;
  return html`${before}${field(spec, html`<span class="sub">sats</span>`)}`;
}

export interface Spender {
  readonly kind: 'key' | 'app';
  readonly movesMoney: boolean;
  readonly name: string;
  readonly href: string;
  readonly action: string;
  /** Of the form for the amounts above which it asks. */
  readonly askAction: string;
}

export function limitsPage(spender: Spender, model: LimitsFormModel): Html {
  const { frame, errors } = model;
  const problems = [
    ...BUDGET_WINDOWS.map(
      (window) => errors[window] !== undefined && { field: window, text: `Limit for ${WINDOW_NAMES[window]}: ${errors[window]}` },
    ),
    ...askProblems(model.ask),
  ];
  const sub = `The most that this ${spender.kind} can spend, fees included. What it has spent already counts.`;
  const form = html`<form class="card" method="post" action="${spender.action}">
    ${csrfField(frame.csrf)}
    <p>Leave a field empty for no limit. The periods are rolling: a payment stops counting once it is that old.</p>
    ${BUDGET_WINDOWS.map((window) => limitField(window, model))}
    <div class="line"><button>Save limits</button>${buttonLink(spender.href, 'Cancel', 'quiet')}</div>
  </form>`;
  return dashboardPage(frame, { ...limitsTop(spender), sub, problems }, [noEffect(spender), form, askFormCard(spender, model)]);
}
