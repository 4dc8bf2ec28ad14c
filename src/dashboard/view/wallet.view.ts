import { MEMO_BYTES } from '../../kernel/text.js';
import {
  about,
  amountField,
  buttonLink,
  copyButton,
  csrfField,
  empty,
  errorSummary,
  field,
  headline,
  html,
  money,
  qrBeside,
  shellPage,
  type FormProblem,
  type Html,
  type Money,
  type Option,
  type ShellFrame,
} from '../../page/index.js';
import { restoredNotice } from './restored.view.js';
import { activityList, type Activity } from './activity.view.js';
import { paths } from './paths.js';

export interface Balance {
  readonly amount: Money;
  /** The same in the other currency, at the current price. */
  readonly about: Money;
  /** Held for outgoing payments; not part of `amount`. */
  readonly held: Money | null;
}

export interface ReceiveForm {
  readonly amount: string;
  readonly unit: 'sats' | 'USD';
  readonly memo: string;
  /** Whole sentences, see `readAmount`. */
  readonly errors: { readonly amount?: string; readonly memo?: string };
  /** It was sent after its session had ended, and was kept for the sign-in. */
  readonly restored?: boolean;
}

export interface WalletModel {
  readonly frame: ShellFrame;
  readonly bitcoin: Balance;
  /** `null` while the wallet is empty: no payment can arrive there yet. */
  readonly dollar: Balance | null;
  /** The last ten, newest first. */
  readonly activity: readonly Activity[];
  /** "alice@sluice.example" */
  readonly lightningAddress: string;
  readonly receive: ReceiveForm;
}

/** An empty form. */
export const emptyReceiveForm: ReceiveForm = { amount: '', unit: 'sats', memo: '', errors: {} };

function balance(title: string, { amount, about: other, held }: Balance): Html {
  return html`<div class="tight">
    <h2 class="sub">${title}</h2>
    <p class="balance">${money(amount)}</p>
    <p class="sub">${about(other)}${held !== null && html` · ${money(held)} pending`}</p>
  </div>`;
}

const balances = ({ bitcoin, dollar }: WalletModel): Html =>
  html`<section class="card" aria-label="Balances" id="balances" data-live>
    ${dollar === null ? balance('Bitcoin', bitcoin) : html`<div class="cols">${balance('Bitcoin', bitcoin)}${balance('US dollar', dollar)}</div>`}
  </section>`;

function recent({ activity, frame }: WalletModel): Html {
  const list =
    activity.length > 0
      ? activityList(activity, frame)
      : empty('No payments yet', 'Create an invoice or share your Lightning address to get started.');
  const all = activity.length > 0 && html`<a href="${paths.history}">All history</a>`;
  return html`<section class="card" id="activity" data-live>
    <div class="line apart">
      <h2>Recent activity</h2>
      ${all}
    </div>
    ${list}
  </section>`;
}

const UNITS: readonly Option[] = [
  { value: 'sats', label: 'sats' },
  { value: 'USD', label: 'US dollar' },
];

function receiveForm({ frame, receive }: WalletModel): Html {
  const amount = amountField({
    name: 'amount',
    label: 'Amount to request',
    hint: 'Paid into your Bitcoin wallet, even if you enter dollars.',
    error: receive.errors.amount,
    value: receive.amount,
    units: UNITS,
    unit: receive.unit,
  });
  const memo = field({
    name: 'memo',
    label: 'Description (optional)',
    error: receive.errors.memo,
    value: receive.memo,
    autocomplete: 'off',
    maxlength: MEMO_BYTES,
  });
  return html`<section class="card">
    <h2>Receive</h2>
    <form class="stack" method="post" action="${paths.receive}">
      ${csrfField(frame.csrf)}${amount}${memo}<button>Create invoice</button>
    </form>
  </section>`;
}

function addressCard({ lightningAddress }: WalletModel): Html {
  const [name, host] = lightningAddress.split('@');
  // On a phone it takes two lines: break between name and host, not inside the host.
  const body = html`<p>
      <code id="address">${name}@<wbr />${host}</code>
    </p>
    <p>${copyButton('address', 'your Lightning address')}</p>`;
  return html`<section class="card">
    <div class="tight">
      <h2>Your Lightning address</h2>
      <p class="sub">Anyone with a Lightning wallet can send you any amount, as often as they like.</p>
    </div>
    ${qrBeside(lightningAddress, 'QR code of your Lightning address', body)}
  </section>`;
}

function problemsOf({ errors }: ReceiveForm): readonly FormProblem[] {
  return [
    ...(errors.amount ? [{ field: 'amount', text: errors.amount }] : []),
    ...(errors.memo ? [{ field: 'memo', text: 'Description is too long' }] : []),
  ];
}

/** `/dashboard`: balances, activity and the receive form. Sent with 422 if that form has an error. */
export function walletPage(model: WalletModel): Html {
  const problems = problemsOf(model.receive);
  const body = html`${headline({ title: 'Wallet', action: buttonLink('#amount', 'Receive') })} ${errorSummary(problems)}
    ${model.receive.restored && restoredNotice} ${balances(model)} ${recent(model)}
    <div class="cols">${receiveForm(model)}${addressCard(model)}</div>`;
  return shellPage(model.frame, { title: 'Wallet', place: 'wallet', error: problems.length > 0, body });
}
