import {
  about,
  buttonLink,
  copyButton,
  empty,
  html,
  isZero,
  money,
  type Html,
  type Money,
  type ShellFrame,
  type Worth,
} from '../../edge/page/index.js';
import { activityList, type Activity } from '../activity/activity.view.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';

export interface Balance {
  readonly amount: Money;
  readonly about: Worth | null;
  /** Held for outgoing payments; not part of `amount`. */
  readonly held: Money | null;
}

export interface WalletModel {
  readonly frame: ShellFrame;
  readonly bitcoin: Balance;
  /** `null` while the wallet is empty: no payment can arrive there yet. */
  readonly dollar: Balance | null;
  readonly activity: readonly Activity[];
  /** Without a source of prices nothing can be converted. */
  readonly hasSource: boolean;
  readonly hasLimits: boolean;
  readonly username: string;
}

function balance(title: string, { amount, about: worth, held }: Balance): Html {
  const other = isZero(amount) ? null : worth;
  return html`<div class="tight">
    <h2 class="sub">${title}</h2>
    <p class="balance">${money(amount)}</p>
    <p class="sub">${other !== null && about(other)}${held !== null && html`${other !== null && ' · '}${money(held)} pending`}</p>
  </div>`;
}

const balances = ({ bitcoin, dollar, hasLimits }: WalletModel): Html =>
  html`<section class="card" aria-label="Balances" id="balances" data-live>
    ${dollar === null ? balance('Bitcoin', bitcoin) : html`<div class="cols">${balance('Bitcoin', bitcoin)}${balance('US dollar', dollar)}</div>`}
    ${hasLimits && html`<p class="sub"><a href="${paths.account}#limits">Your limits</a></p>`}
  </section>`;

function recent({ activity, frame }: WalletModel): Html {
  const list =
    activity.length > 0
      ? activityList(activity, frame)
      : empty(
          'No payments yet',
          'Create an invoice or share your Lightning address to get started.',
          buttonLink(paths.receive, 'Create invoice'),
        );
  const all = activity.length > 0 && html`<a href="${paths.history}">All history</a>`;
  return html`<section class="card" id="activity" data-live>
    <div class="line apart">
      <h2>Recent activity</h2>
      ${all}
    </div>
    ${list}
  </section>`;
}

/** The Lightning address with a copy button: what a person most often gives to a payer. */
function address({ username, frame }: WalletModel): Html {
  return html`<span class="line"
    ><code id="address">${username}@<wbr />${frame.host}</code>${copyButton('address', 'your Lightning address')}</span
  >`;
}

export function walletPage(model: WalletModel): Html {
  const action = html`<div class="line">
    ${buttonLink(paths.send, 'Send')}${buttonLink(paths.receive, 'Receive')}${model.hasSource && buttonLink(paths.convert, 'Convert')}
  </div>`;
  const page = { title: 'Wallet', entry: 'wallet', sub: address(model), action } as const;
  return dashboardPage(model.frame, page, [balances(model), recent(model)]);
}
