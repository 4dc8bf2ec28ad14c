import { msatOfSats } from '../../platform/kernel/money.js';
import {
  about,
  bitcoin,
  choice,
  csrfField,
  dollars,
  facts,
  html,
  money,
  notice,
  soon,
  type Fact,
  type Html,
  type Option,
  type ShellFrame,
  card,
} from '../../edge/page/index.js';
import type { AccountFlow, AccountLimitState, LimitAmount } from '../../money/wallet/index.js';
import type { ResetLimit } from '../../access/user/index.js';
import { spentBar } from '../limits/limits.view.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';
import { languageCard, usernameCard, walletCard, type Profile, type UsernameFault } from './profile.view.js';

export interface AccountModel {
  readonly frame: ShellFrame;
  /** After a reset of the password; null: none. */
  readonly resetLimit: ResetLimit | null;
  readonly limits: readonly AccountLimitState[];
  readonly hasSource: boolean;
  readonly hasPrice: boolean;
  readonly currency: string;
  readonly currencies: readonly { readonly id: string; readonly name: string }[];
  readonly profile: Profile;
  readonly saved?: Saved | undefined;
  readonly hasFault?: boolean;
  readonly usernameFault?: UsernameFault;
}

const SAVED = {
  currency: 'The display currency is saved.',
  username: 'Your username is changed. Payments to the old one still arrive.',
  language: 'The language is saved.',
  wallet: 'The default wallet is saved.',
} as const;
/** What a form has saved. */
export type Saved = keyof typeof SAVED;
export const savedIn = (value: unknown): Saved | undefined => (Object.keys(SAVED) as Saved[]).find((key) => key === value);

const FLOW_NAMES: Readonly<Record<AccountFlow, string>> = {
  withdrawal: 'To other wallets',
  internal_send: 'To users of this server',
  convert: 'Between your wallets',
};

const WITHOUT_PRICE =
  'The limits are set in US dollars; this server has no price now, and counts bitcoin at one that its operator has set.';
const NO_PRICE_IN = 'This currency has no price now. Choose another one.';

function freeing({ nextFreeAt, allFreeAt }: AccountLimitState, { frame }: AccountModel): Html | null {
  if (nextFreeAt === null || allFreeAt === null) return null;
  const [next, all] = [soon(nextFreeAt, frame), soon(allFreeAt, frame)];
  return next.toString() === all.toString()
    ? html`All of it is free again at ${all}.`
    : html`More becomes free at ${next}, all of it at ${all}.`;
}

const satsOf = ({ sats }: LimitAmount): Html => money(bitcoin(msatOfSats(sats)));

function limit(state: AccountLimitState, model: AccountModel): Fact {
  const { hasPrice } = model;
  const { flow, limit: most, spent, left } = state;
  const shown = (amount: LimitAmount): Html => (hasPrice ? money(dollars(amount.cents)) : satsOf(amount));
  const bar = spentBar(spent.cents, most.cents, FLOW_NAMES[flow].toLowerCase());
  const rest = left.sats > 0 ? html`${satsOf(left)} left${hasPrice && html`, ${about(dollars(left.cents))}`}` : 'Nothing left';
  return [FLOW_NAMES[flow], html`${shown(spent)} of ${shown(most)}${bar}<span class="sub">${rest}. ${freeing(state, model)}</span>`];
}

function limitsCard(model: AccountModel): Html | null {
  if (model.limits.length === 0) return null;
  const sub = html`Your sending limits for any 24 hours, excluding fees. The operator of this server sets the limits. A payment stops
  counting once it is a day old. ${model.hasPrice ? 'Bitcoin counts at the current price.' : model.hasSource && WITHOUT_PRICE}`;
  return card('Sending limits', facts(model.limits.map((each) => limit(each, model))), { sub, id: 'limits' });
}

/** The present choice stays possible while its currency has no price. */
function optionsOf({ currency, currencies }: AccountModel): readonly Option[] {
  const listed = currencies.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }));
  return listed.some(({ value }) => value === currency) ? listed : [{ value: currency, label: `${currency} (no price now)` }, ...listed];
}

function currencyCard(model: AccountModel): Html {
  const { frame, currency, hasPrice, hasFault } = model;
  const options = optionsOf(model);
  const only = html`<p>${hasPrice ? 'This server has prices in US dollars only.' : 'This server has no prices now.'}</p>`;
  const error = hasFault ? NO_PRICE_IN : null;
  const form = html`<form class="stack" method="post" action="${paths.displayCurrency}">
    ${csrfField(frame.csrf)}${choice({ name: 'currency', label: 'Currency', options, value: currency, error })}<button>
      Save currency
    </button>
  </form>`;
  const sub = 'Shown next to every amount. Past payments keep the rate at the time.';
  return card('Display currency', options.length > 1 ? form : only, { sub });
}

const dataCard = card(
  'Your data',
  html`<ul class="tight">
    <li><a href="${paths.exportData}">Download your data</a> (JSON)</li>
    <li><a href="${paths.historyFile}">Download your history</a> (CSV, for spreadsheets)</li>
    <li><a href="${paths.deleteAccount}">Delete your account</a></li>
  </ul>`,
);

const pauseCard = card('Pause access', html`<p><a href="${paths.pause}">Pause all API keys, apps and webhooks</a></p>`, {
  sub: 'Stops everything that acts for you, until you resume it.',
});

function resetNotice({ until, msat }: ResetLimit, frame: ShellFrame): Html {
  return notice(
    html`<p>
      <b>Your password was reset.</b> Until ${soon(until, frame)} you can send at most ${money(bitcoin(msat))} to other wallets, and as much
      to users of this server. A second factor lifts this for the next time.
    </p>`,
  );
}

export function accountPage(model: AccountModel): Html {
  const { frame, profile, saved, usernameFault } = model;
  const problems = [
    usernameFault !== undefined && { field: 'username', text: usernameFault.text },
    model.hasFault === true && { field: 'currency', text: NO_PRICE_IN },
  ];
  const content = [
    saved && notice(html`<p>${SAVED[saved]}</p>`, 'good'),
    model.resetLimit && resetNotice(model.resetLimit, frame),
    usernameCard(frame, profile, usernameFault),
    languageCard(frame, profile),
    model.hasSource && [walletCard(frame, profile), currencyCard(model)],
    limitsCard(model),
    pauseCard,
    dataCard,
  ];
  return dashboardPage(frame, { title: 'Account', entry: 'account', problems }, content);
}
