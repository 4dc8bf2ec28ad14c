import { BUDGET_WINDOWS, type Budget, type BudgetLimits, type BudgetState, type BudgetWindow } from '../../budget/index.js';
import { msatOfSats } from '../../kernel/money.js';
import {
  alert,
  attributes,
  bitcoin,
  buttonLink,
  csrfField,
  errorSummary,
  facts,
  field,
  headline,
  html,
  money,
  moneyText,
  outsideText,
  shellPage,
  untrustedText,
  type Fact,
  type Html,
  type ScopeView,
  type ShellFrame,
} from '../../page/index.js';
import { restoredNotice } from '../../signin/index.js';
import { paths } from '../paths.js';

/** The part of a `KeyView` that its limits need. */
interface LimitedKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ScopeView[];
  readonly ended: object | null;
}

export const WINDOW_NAMES: Readonly<Record<BudgetWindow, string>> = {
  daily: '24 hours',
  weekly: '7 days',
  monthly: '30 days',
  annual: '365 days',
};
/** From this part of a limit on, its bar is amber. */
const NEARLY_SPENT = 0.75;

const sats = (amount: number): Html => money(bitcoin(msatOfSats(amount)));

/** The limits of a key for a list: "At most 50,000 sats in 24 hours", one line each. */
export const limitLines = (limits: BudgetLimits | undefined): readonly Html[] =>
  BUDGET_WINDOWS.flatMap((window) => {
    const limitSats = limits?.[window] ?? null;
    return limitSats === null ? [] : [html`<p class="sub">At most ${sats(limitSats)} in ${WINDOW_NAMES[window]}</p>`];
  });

function spending(window: BudgetWindow, { limitSats, spentSats }: BudgetState): Html {
  if (limitSats === null) return html`${sats(spentSats)}, no limit`;
  const bar = attributes({
    min: 0,
    max: limitSats,
    low: limitSats * NEARLY_SPENT,
    high: limitSats,
    optimum: 0,
    value: Math.min(spentSats, limitSats),
    'aria-label': `Spent of the limit for ${WINDOW_NAMES[window]}`,
  });
  const left = spentSats < limitSats ? html`${sats(limitSats - spentSats)} left` : 'Nothing left: payments are refused';
  return html`${sats(spentSats)} of ${sats(limitSats)}<meter ${bar}></meter><span class="sub">${left}</span>`;
}

/** What a key can spend and has spent; left out for a key that never could. */
export function limitsCard(key: LimitedKey, budget: Budget): Html | null {
  const isUsed = BUDGET_WINDOWS.some((window) => budget[window].limitSats !== null || budget[window].spentSats > 0);
  if (!isUsed && !key.scopes.some(({ movesMoney }) => movesMoney)) return null;
  const rows = BUDGET_WINDOWS.map((window): Fact => [`Last ${WINDOW_NAMES[window]}`, spending(window, budget[window])]);
  return html`<section class="card">
    <div class="tight">
      <h2>Spending limits</h2>
      <p class="sub">What this key has spent, fees included. A payment must be within every limit.</p>
    </div>
    ${facts(rows)} ${key.ended === null && html`<p>${buttonLink(paths.keyLimits(key.id), 'Change limits', 'quiet')}</p>`}
  </section>`;
}

export interface KeyLimitsModel {
  readonly frame: ShellFrame;
  readonly key: LimitedKey;
  readonly budget: Budget;
  /** As typed; empty: no limit. */
  readonly values: Readonly<Record<BudgetWindow, string>>;
  /** The limits that the person saw when they changed them, see `basedOn`: a form that is older than a change elsewhere sets nothing. */
  readonly based: string;
  /** What was typed in such a form. */
  readonly overtaken?: KeyLimitsModel['values'];
  /** Whole sentences. */
  readonly errors: Readonly<Partial<Record<BudgetWindow, string>>>;
  /** It was sent after its session had ended, and was kept for the sign-in. */
  readonly restored?: boolean;
}

/** The form with the limits of now. */
export function limitValues(budget: Budget): KeyLimitsModel['values'] {
  const valueOf = ({ limitSats }: BudgetState): string => (limitSats === null ? '' : limitSats.toLocaleString('en'));
  return { daily: valueOf(budget.daily), weekly: valueOf(budget.weekly), monthly: valueOf(budget.monthly), annual: valueOf(budget.annual) };
}

/** The limits of a form in one text. */
export const basedOn = (values: KeyLimitsModel['values']): string => BUDGET_WINDOWS.map((window) => values[window]).join(' / ');

/** The form as it is before a person types. */
export const presentForm = (values: KeyLimitsModel['values']): Pick<KeyLimitsModel, 'values' | 'based'> => ({
  values,
  based: basedOn(values),
});

const typedText = (text: string): Html | string => (text === '' ? 'no limit' : html`“${untrustedText(text)}”`);

/** The limits were changed elsewhere while the form was open. */
function overtakenNotice({ values, overtaken }: KeyLimitsModel): Html | null {
  if (overtaken === undefined) return null;
  const lost = BUDGET_WINDOWS.filter((window) => overtaken[window] !== values[window]);
  return alert(
    'Nothing was saved',
    html`<p>
        The limits of this key were changed elsewhere while this page was open. The form shows them as they are now. Change them again.
      </p>
      <ul class="tight">
        ${lost.map((window) => html`<li>Limit for ${WINDOW_NAMES[window]}: you entered ${typedText(overtaken[window])}.</li>`)}
      </ul>`,
  );
}

function limitField(window: BudgetWindow, { budget, values, errors }: KeyLimitsModel): Html {
  const spec = {
    name: window,
    label: `Limit for ${WINDOW_NAMES[window]}`,
    hint: `Spent in the last ${WINDOW_NAMES[window]}: ${moneyText(bitcoin(msatOfSats(budget[window].spentSats)))}`,
    error: errors[window] ?? null,
    value: values[window],
    autocomplete: 'off',
    inputmode: 'numeric',
  } as const;
  return field(spec, html`<span class="sub">sats</span>`);
}

/** `/dashboard/keys/<id>/limits`: the form. Sent with 422 if it has an error. */
export function keyLimitsPage(model: KeyLimitsModel): Html {
  const { frame, key, errors } = model;
  const problems = BUDGET_WINDOWS.flatMap((window) => {
    const error = errors[window];
    return error === undefined ? [] : [{ field: window, text: `Limit for ${WINDOW_NAMES[window]}: ${error}` }];
  });
  const title = {
    title: html`Limits of ${untrustedText(key.name)}`,
    back: { href: paths.key(key.id), label: 'API key' },
    sub: 'The most that this key can spend, fees included. What it has spent already counts.',
  };
  const body = html`${headline(title)} ${errorSummary(problems)} ${overtakenNotice(model)} ${model.restored && restoredNotice}
    <form class="card" method="post" action="${paths.keyLimits(key.id)}">
      ${csrfField(frame.csrf)}<input type="hidden" name="based" value="${model.based}" />
      <p>Leave a field empty for no limit. The periods are rolling: a payment stops counting once it is that old.</p>
      ${BUDGET_WINDOWS.map((window) => limitField(window, model))}
      <div class="line"><button>Save limits</button>${buttonLink(paths.key(key.id), 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, {
    title: `Limits of ${outsideText(key.name)}`,
    currentEntry: 'keys',
    error: problems.length > 0 || model.overtaken !== undefined,
    body,
  });
}
