import { BUDGET_WINDOWS, WINDOW_NAMES, type Budget, type BudgetLimits, type BudgetState, type BudgetWindow } from '../../budget/index.js';
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
  notice,
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
import type { LimitErrors, LimitsForm, TypedLimits } from './typed-limit.js';

/** The part of a `KeyView` that its limits need. */
interface LimitedKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ScopeView[];
  readonly ended: object | null;
}

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
  return budgetCard('key', budget, key.ended === null ? paths.keyLimits(key.id) : null);
}

/** What can be spent, and was. @param change the address of the form; null: its limits do not change any more */
export function budgetCard(spender: 'key' | 'app', budget: Budget, change: string | null): Html {
  const rows = BUDGET_WINDOWS.map((window): Fact => [`Last ${WINDOW_NAMES[window]}`, spending(window, budget[window])]);
  return html`<section class="card">
    <div class="tight">
      <h2>Spending limits</h2>
      <p class="sub">What this ${spender} has spent, fees included. A payment must be within every limit.</p>
    </div>
    ${facts(rows)} ${change !== null && html`<p>${buttonLink(change, 'Change limits', 'quiet')}</p>`}
  </section>`;
}

export const limitsSaved = notice(html`<p>The limits are saved. They count from the next payment on.</p>`, 'good');

/** The form that changes limits. */
export interface LimitsFormModel extends LimitsForm {
  readonly frame: ShellFrame;
  readonly budget: Budget;
  /** What was typed in a form that was older than a change elsewhere. */
  readonly overtaken?: TypedLimits;
  readonly errors: LimitErrors;
  /** It was sent after its session had ended, and was kept for the sign-in. */
  readonly restored?: boolean;
}

export interface KeyLimitsModel extends LimitsFormModel {
  readonly key: LimitedKey;
}

const typedText = (text: string): Html | string => (text === '' ? 'no limit' : html`“${untrustedText(text)}”`);

/** The limits were changed elsewhere while the form was open. */
function overtakenNotice({ kind }: Spender, { values, overtaken }: LimitsFormModel): Html | null {
  if (overtaken === undefined) return null;
  const lost = BUDGET_WINDOWS.filter((window) => overtaken[window] !== values[window]);
  return alert(
    'Nothing was saved',
    html`<p>
        The limits of this ${kind} were changed elsewhere while this page was open. The form shows them as they are now. Change them again.
      </p>
      <ul class="tight">
        ${lost.map((window) => html`<li>Limit for ${WINDOW_NAMES[window]}: you entered ${typedText(overtaken[window])}.</li>`)}
      </ul>`,
  );
}

function limitField(window: BudgetWindow, { budget, values, errors }: LimitsFormModel): Html {
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

/** Whose limits a form changes. */
interface Spender {
  readonly kind: 'key' | 'app';
  readonly name: string;
  /** Its page. */
  readonly href: string;
  /** Where the form posts to. */
  readonly action: string;
}

/** The page with the form. Sent with 422 if it has an error. */
export function limitsPage(spender: Spender, model: LimitsFormModel): Html {
  const { frame, errors } = model;
  const problems = BUDGET_WINDOWS.flatMap((window) => {
    const error = errors[window];
    return error === undefined ? [] : [{ field: window, text: `Limit for ${WINDOW_NAMES[window]}: ${error}` }];
  });
  const title = {
    title: html`Limits of ${untrustedText(spender.name)}`,
    back: { href: spender.href, label: spender.kind === 'key' ? 'API key' : 'Connected app' },
    sub: `The most that this ${spender.kind} can spend, fees included. What it has spent already counts.`,
  };
  const body = html`${headline(title)} ${errorSummary(problems)} ${overtakenNotice(spender, model)} ${model.restored && restoredNotice}
    <form class="card" method="post" action="${spender.action}">
      ${csrfField(frame.csrf)}<input type="hidden" name="based" value="${model.based}" />
      <p>Leave a field empty for no limit. The periods are rolling: a payment stops counting once it is that old.</p>
      ${BUDGET_WINDOWS.map((window) => limitField(window, model))}
      <div class="line"><button>Save limits</button>${buttonLink(spender.href, 'Cancel', 'quiet')}</div>
    </form>`;
  const currentEntry = spender.kind === 'key' ? 'keys' : 'apps';
  const error = problems.length > 0 || model.overtaken !== undefined;
  return shellPage(frame, { title: `Limits of ${outsideText(spender.name)}`, currentEntry, error, body });
}

/** `/dashboard/keys/<id>/limits`. */
export const keyLimitsPage = ({ key, ...form }: KeyLimitsModel): Html =>
  limitsPage({ kind: 'key', name: key.name, href: paths.key(key.id), action: paths.keyLimits(key.id) }, form);
