import { MANAGE_KEYS } from '../../auth/index.js';
import { basedOn, BUDGET_WINDOWS, staleNotice, WINDOW_NAMES, windowTyped, type BudgetLimits } from '../../budget/index.js';
import { msatOfSats } from '../../kernel/money.js';
import {
  amountField,
  appHead,
  attributes,
  bitcoin,
  csrfField,
  errorSummary,
  facts,
  cardPage,
  html,
  money,
  moneyLast,
  noDefaultButton,
  untrustedText,
  outsideText,
  pair,
  scopeBox,
  scopeLine,
  until,
  visible,
  type AppHead,
  type Fact,
  type Frame,
  type Html,
  type ScopeView,
} from '../../page/index.js';
import { KEPT_ANSWER_NOTICE } from '../interaction/kept-answers.js';

/** What a person has filled in. */
export interface TypedConsent {
  readonly scopes: readonly string[];
  readonly limit: string;
  readonly window: string;
  /** The limits that the person saw. */
  readonly based: string;
}

export interface ConsentModel {
  readonly frame: Frame;
  readonly csrf: string;
  /** Where the form posts to, with the consent challenge. */
  readonly action: string;
  readonly app: AppHead;
  /** The requested scopes. `openid` has a line only if it is the only one. */
  readonly scopes: readonly ScopeView[];
  /** A first-party app that the operator trusts to create and revoke API keys. */
  readonly managesKeys: boolean;
  readonly username: string;
  /** Signs in as another person and comes back here. */
  readonly switchHref: string;
  /** When the access ends; `null` if it ends with the app's session. */
  readonly lastsUntil: Date | null;
  /** After how many days the app has to ask about sending again; `null` if it does not, or is public and always asks. */
  readonly asksAgainDays: number | null;
  /** The limits that the app has from an earlier time; undefined: none. */
  readonly limits: BudgetLimits | undefined;
  /** If the form comes again. */
  readonly typed?: TypedConsent;
  /** A whole sentence. */
  readonly limitError?: string;
  /** The form was older than a change of the limits elsewhere. */
  readonly isStale?: boolean;
  /** It was sent after its session had ended, and was kept for the sign-in. */
  readonly isRestored?: boolean;
}

const boxOf =
  ({ typed }: ConsentModel) =>
  (scope: ScopeView): Html =>
    scopeBox({
      scope,
      title: scope.title,
      detail: scope.consequence,
      checked: typed ? typed.scopes.includes(scope.name) : !scope.movesMoney,
    });

/**
 * A single scope is a statement that Allow accepts; several have a checkbox each. Managing API keys is no scope and always has a checkbox.
 * What moves money is never pre-ticked.
 */
function choices(model: ConsentModel): Html {
  const { app, scopes, managesKeys } = model;
  const box = boxOf(model);
  const asked = visible(scopes);
  const keys = managesKeys && box(MANAGE_KEYS);
  if (asked.length < 2)
    return html`<h2>${untrustedText(app.name)} will be able to</h2>
      ${(asked.length === 0 ? scopes : asked).map(scopeLine)}${keys}`;
  return html`<fieldset>
    <legend>Choose permissions</legend>
    ${moneyLast(asked).map(box)}${keys}
  </fieldset>`;
}

/** "at most 50,000 sats in 24 hours and 100,000 sats in 7 days" */
function limitsNow(limits: BudgetLimits): Html {
  const parts = BUDGET_WINDOWS.flatMap((window) => {
    const sats = limits[window];
    return sats === null ? [] : [html`${money(bitcoin(msatOfSats(sats)))} in ${WINDOW_NAMES[window]}`];
  });
  return html`at most ${parts.map((part, index) => html`${index > 0 && (index === parts.length - 1 ? ' and ' : ', ')}${part}`)}`;
}

function limitHint({ limits }: ConsentModel): Html | string {
  const what = 'The most that it can spend if it can send, fees included.';
  return limits ? html`${what} Now: ${limitsNow(limits)}. That stays, unless you enter another limit for the same time.` : what;
}

const limitField = (model: ConsentModel): Html =>
  html`<input type="hidden" name="based" value="${basedOn(model.limits)}" /> ${amountField({
      name: 'limit',
      label: 'Spending limit (optional)',
      hint: limitHint(model),
      error: model.limitError,
      value: model.typed?.limit ?? '',
      units: Object.entries(WINDOW_NAMES).map(([value, name]) => ({ value, label: `sats in ${name}` })),
      unit: model.typed?.window ?? 'daily',
      unitField: { name: 'window', label: 'Time of the limit' },
    })}`;

/** What the person entered stays in the form. */
function stale({ typed }: ConsentModel): Html {
  const window = windowTyped(typed?.window ?? '');
  const entered = typed && typed.limit !== '' && window ? [[window, typed.limit] as const] : [];
  return staleNotice({ kind: 'app', title: 'Nothing was allowed', entered, remedy: 'Check them, and decide again.' });
}

function conditions(model: ConsentModel): Html {
  const { frame, lastsUntil, asksAgainDays, app } = model;
  const account: Fact = ['Your account', html`<b>${untrustedText(model.username)}</b>. <a href="${model.switchHref}">Switch account</a>`];
  const lasts: Fact = lastsUntil
    ? ['Expires', html`${until(lastsUntil, frame)}, or when you disconnect it`]
    : ['Expires', 'When you close the app or disconnect it'];
  const again: Fact | false = asksAgainDays !== null && [
    'Permission to send',
    `Must be confirmed again after ${asksAgainDays} ${asksAgainDays === 1 ? 'day' : 'days'}`,
  ];
  return facts([account, lasts, again, ['Returns you to', html`<b>${untrustedText(app.host)}</b>`]]);
}

/** `/consent`: asks whether an app may use the wallet. Deny and Allow are the same size, and Enter presses neither. */
export function consentPage(model: ConsentModel): Html {
  const { app } = model;
  const asked = visible(model.scopes);
  const onlyMoney = asked.length === 1 && asked[0]?.movesMoney === true;
  const mayGetMoney = asked.some(({ movesMoney }) => movesMoney);
  const allow = attributes({ class: onlyMoney && 'money', name: 'decision', value: 'allow' });
  const body = html`<form class="card" method="post" action="${model.action}">
    ${noDefaultButton}${csrfField(model.csrf)} ${appHead(app)}
    <h1>Connect ${untrustedText(app.name)} to your wallet?</h1>
    ${model.isRestored && KEPT_ANSWER_NOTICE} ${model.isStale && stale(model)}
    ${model.limitError !== undefined && errorSummary([{ field: 'limit', text: `Spending limit: ${model.limitError}` }])}
    ${!app.verified && html`<p><b>Unverified app.</b> The operator hasn’t verified its developer.</p>`} ${choices(model)}
    ${mayGetMoney && limitField(model)} ${conditions(model)}
    ${pair(html`<button class="quiet" name="decision" value="deny">Deny</button>`, html`<button ${allow}>Allow</button>`)}
    <p class="sub">You can ${mayGetMoney && 'limit what it spends, and '}disconnect it any time under Connected apps.</p>
  </form>`;
  const error = model.limitError !== undefined || model.isStale === true;
  return cardPage(model.frame, { title: `Connect ${outsideText(app.name)}`, wide: true, error, body });
}
