import { MANAGE_KEYS } from '../../../edge/auth/index.js';
import { msatOfSats } from '../../../platform/kernel/money.js';
import { BUDGET_WINDOWS, WINDOW_NAMES, windowLimitField, type BudgetLimits } from '../../limit/index.js';
import { windowOf, type WalletBudget } from '../authorization-details.js';
import { budgetField, budgetText, LIMIT_FIELD, type FieldTexts } from './consent-limits.js';
import {
  appHead,
  attributes,
  bitcoin,
  csrfField,
  errorSummary,
  facts,
  field,
  cardPage,
  html,
  money,
  moneyLast,
  noDefaultButton,
  notice,
  untrustedText,
  outsideText,
  pair,
  scopeBadges,
  scopeBox,
  scopeLine,
  until,
  visible,
  type Fact,
  type FormProblem,
  type Frame,
  type Html,
  type ScopeView,
} from '../../../edge/page/index.js';
import { PURPOSE_LENGTH } from '../application/application.js';
import type { ChoiceFault } from '../interaction/choice.js';
import { consentUrl, signInUrl, type OpenInteraction } from '../interaction/interaction.service.js';

export interface TypedConsent {
  readonly scopes: readonly string[];
  readonly limits: FieldTexts;
  readonly window: string;
}

/** Of the requested scopes, `openid` has a line only if it is the only one. */
export interface ConsentModel extends Pick<
  OpenInteraction,
  'client' | 'scopes' | 'resources' | 'budgets' | 'lastsUntil' | 'asksAgainDays'
> {
  readonly frame: Frame;
  readonly challenge: string;
  readonly csrf: string;
  readonly username: string;
  /** What the app has from earlier consents; null if it is not connected. */
  readonly held: readonly ScopeView[] | null;
  readonly limits: BudgetLimits | undefined;
  readonly typed?: TypedConsent;
  readonly errors?: { readonly choice?: ChoiceFault['kind'] | undefined; readonly limits?: FieldTexts };
}

const FIRST_BOX = 'permissions';
/** Of an address of a service. */
const MAX_ADDRESS = 200;

const CHOICE_ERRORS: Readonly<Record<ChoiceFault['kind'], FormProblem>> = {
  nothing: { field: FIRST_BOX, text: 'Choose at least one permission, or deny.' },
  keys_alone: { field: MANAGE_KEYS.name, text: 'API keys need the permission to send money. Tick that too, or untick API keys.' },
};
const choiceErrorId = 'permissions-error';
const choiceError = ({ errors }: ConsentModel, kind: ChoiceFault['kind']): Html | false =>
  errors?.choice === kind && html`<p class="error" id="${choiceErrorId}">${CHOICE_ERRORS[kind].text}</p>`;

const boxOf =
  ({ typed }: ConsentModel) =>
  (scope: ScopeView, id?: string): Html =>
    scopeBox({
      scope,
      title: scope.title,
      detail: scope.consequence,
      checked: typed ? typed.scopes.includes(scope.name) : !scope.movesMoney,
      id,
    });

/**
 * A single scope is a statement that Allow accepts; several have a checkbox each. Managing API keys is no scope and always has a checkbox.
 * What moves money is never pre-ticked.
 */
function choices(model: ConsentModel): Html {
  const { client, scopes, errors } = model;
  const box = boxOf(model);
  const asked = visible(scopes);
  const keys = client.managesKeys && html`${box(MANAGE_KEYS, MANAGE_KEYS.name)}${choiceError(model, 'keys_alone')}`;
  if (asked.length < 2)
    return html`<h2>${untrustedText(client.name)} will be able to</h2>
      ${(asked.length === 0 ? scopes : asked).map(scopeLine)}${keys}`;
  return html`<fieldset ${attributes({ 'aria-describedby': errors?.choice && choiceErrorId })}>
    <legend>Choose permissions</legend>
    ${moneyLast(asked).map((scope, index) => box(scope, index === 0 ? FIRST_BOX : undefined))}${choiceError(model, 'nothing')}${keys}
  </fieldset>`;
}

function heldAccess(held: readonly ScopeView[], { client }: ConsentModel): Html {
  const badges = scopeBadges(held);
  const end = html`until you <a href="/dashboard/apps/${encodeURIComponent(client.id)}/disconnect">disconnect it</a>`;
  if (badges.length === 0) return notice(html`<p>It stays connected, whatever you choose here, ${end}.</p>`);
  return notice(
    html`<p class="line"><b>It already has</b> ${badges}</p>
      <p>What it has stays, whatever you choose here, ${end}.</p>`,
  );
}

function limitsNow(limits: BudgetLimits): Html {
  const parts = BUDGET_WINDOWS.flatMap((window) => {
    const sats = limits[window];
    return sats === null ? [] : [html`${money(bitcoin(msatOfSats(sats)))} in ${WINDOW_NAMES[window]}`];
  });
  return html`at most ${parts.map((part, index) => html`${index > 0 && (index === parts.length - 1 ? ' and ' : ', ')}${part}`)}`;
}

function limitHint({ limits }: ConsentModel): Html | string {
  const what = 'The most that it can spend if it can send, fees included.';
  return limits
    ? html`${what} Now: ${limitsNow(limits)}. That stays, unless you enter another limit for the same time.`
    : `${what} Leave it empty for no limit.`;
}

const limitField = (model: ConsentModel): Html =>
  windowLimitField({
    hint: limitHint(model),
    error: model.errors?.limits?.[LIMIT_FIELD] ?? null,
    value: model.typed?.limits[LIMIT_FIELD] ?? '',
    unit: model.typed?.window ?? 'daily',
  });

/** A budget that the app asks for. The person may lower it; without it the app gets nothing. */
function askedBudget({ client, limits, typed, errors }: ConsentModel, budget: WalletBudget, place: number): Html {
  const [name, window] = [budgetField(place), windowOf(budget)];
  const sats = limits?.[window] ?? null;
  const now = sats !== null && html` Now: ${money(bitcoin(msatOfSats(sats)))}.`;
  const spec = {
    name,
    label: `Spending limit for ${WINDOW_NAMES[window]}`,
    hint: html`${untrustedText(client.name)} asks for ${money(bitcoin(msatOfSats(budget.max_amount)))}, fees included. You can lower
    it.${now}`,
    error: errors?.limits?.[name] ?? null,
    value: typed?.limits[name] ?? budgetText(budget),
    autocomplete: 'off',
    inputmode: 'numeric',
  } as const;
  return field(spec, html`<span class="sub">sats</span>`);
}

const limitFields = (model: ConsentModel): Html | readonly Html[] =>
  model.budgets.length === 0 ? limitField(model) : model.budgets.map((budget, place) => askedBudget(model, budget, place));

function conditions(model: ConsentModel): Html {
  const { frame, lastsUntil, asksAgainDays, client } = model;
  const switchHref = signInUrl(model.challenge, 'switch');
  const account: Fact = ['Your account', html`<b>${untrustedText(model.username)}</b>. <a href="${switchHref}">Switch account</a>`];
  const lasts: Fact = lastsUntil
    ? ['Expires', html`${until(lastsUntil, frame)}, or when you disconnect it`]
    : ['Expires', 'When you close the app or disconnect it'];
  const again: Fact | false = asksAgainDays !== null && [
    'Permission to send',
    `Must be confirmed again after ${asksAgainDays} ${asksAgainDays === 1 ? 'day' : 'days'}`,
  ];
  const services: Fact | false = model.resources.length > 0 && [
    'For use at',
    html`${model.resources.map((address, index) => html`${index > 0 && ', '}<b>${untrustedText(address, MAX_ADDRESS)}</b>`)}`,
  ];
  const homepage: Fact | false = client.homepage !== null && ['Website', html`<b>${untrustedText(new URL(client.homepage).host)}</b>`];
  return facts([account, services, lasts, again, homepage, ['Returns you to', html`<b>${untrustedText(client.host)}</b>`]]);
}

function problemsOf({ errors }: ConsentModel): readonly FormProblem[] {
  const limits = Object.entries(errors?.limits ?? {}).map(([name, text]): FormProblem => ({
    field: name,
    text: `Spending limit: ${text}`,
  }));
  return errors?.choice === undefined ? limits : [CHOICE_ERRORS[errors.choice], ...limits];
}

function later({ limits }: ConsentModel, mayGetMoney: boolean): string {
  const limit = limits ? 'change or remove its limits, and ' : 'limit what it spends, and ';
  return `You can ${mayGetMoney ? limit : ''}disconnect it any time under Connected apps.`;
}

const MAX_DOCUMENT = 255;

/** The name is the app's own word: the domain is what a person can judge. */
function unregistered({ host, isOnThisMachine, verified }: ConsentModel['client'], documentUrl: string): Html {
  const description = html`<p>
    <b>Unregistered app.</b> It describes itself at <code>${untrustedText(documentUrl, MAX_DOCUMENT)}</code>. Judge it by its domain,
    <b>${untrustedText(new URL(documentUrl).host)}</b>: the operator ${verified ? 'has' : 'hasn’t'} verified its developer.
  </p>`;
  const place = html`<p>
    <b>It runs on this device</b>, at ${untrustedText(host)}. Any program here can pretend to be it: allow it only if you have just started
    it yourself.
  </p>`;
  return html`${notice(description)} ${isOnThisMachine && notice(place, 'bad')}`;
}

function standing(client: ConsentModel['client']): Html {
  const { isTest, verified, documentUrl } = client;
  if (documentUrl !== null) return unregistered(client, documentUrl);
  if (isTest) return notice(html`<p><b>Test mode.</b> The operator hasn’t approved this app. Only you, its developer, can connect it.</p>`);
  if (verified) return html`<p>Verified by the operator.</p>`;
  return html`<p><b>Unverified app.</b> The operator hasn’t verified its developer.</p>`;
}

/** `/consent`: asks whether an app may use the wallet. Deny and Allow are the same size, and Enter presses neither. */
export function consentPage(model: ConsentModel): Html {
  const { client, held } = model;
  const asked = visible(model.scopes);
  const onlyMoney = asked.length === 1 && asked[0]?.movesMoney === true;
  const mayGetMoney = asked.some(({ movesMoney }) => movesMoney);
  const allow = attributes({ class: onlyMoney && 'money', name: 'decision', value: 'allow' });
  const name = untrustedText(client.name);
  const problems = problemsOf(model);
  const body = html`<form class="card" method="post" action="${consentUrl(model.challenge)}">
    ${noDefaultButton}${csrfField(model.csrf)} ${appHead(client)}
    ${client.purpose !== null && html`<p>${untrustedText(client.purpose, PURPOSE_LENGTH.max)}</p>`}
    <h1>${held ? html`${name} is connected and asks again` : html`Connect ${name} to your wallet?`}</h1>
    ${errorSummary(problems)} ${standing(client)} ${held && heldAccess(held, model)} ${choices(model)} ${mayGetMoney && limitFields(model)}
    ${conditions(model)}
    ${pair(html`<button class="quiet" name="decision" value="deny">Deny</button>`, html`<button ${allow}>Allow</button>`)}
    <p class="sub">${later(model, mayGetMoney)}</p>
  </form>`;
  const error = problems.length > 0;
  return cardPage(model.frame, { title: `${held ? 'Request from' : 'Connect'} ${outsideText(client.name)}`, wide: true, error, body });
}
