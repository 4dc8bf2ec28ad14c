import { MEMO_BYTES } from '../../platform/kernel/text.js';
import {
  buttonLink,
  choice,
  copyButton,
  csrfField,
  field,
  html,
  qrBeside,
  type FormProblem,
  type Html,
  type ShellFrame,
  card,
} from '../../edge/page/index.js';
import { typedAmountField, type PriceState } from '../activity/amount.js';
import { walletName } from '../activity/activity.view.js';
import type { Currency } from '../../money/wallet/index.js';
import { dashboardPage } from '../layout.js';
import { paths, WALLET } from '../paths.js';

export interface ReceiveForm {
  readonly amount: string;
  readonly unit: 'sats' | 'USD';
  readonly memo: string;
  /** The wallet that the invoice pays into. */
  readonly wallet: Currency;
  readonly errors: { readonly amount?: string; readonly memo?: string };
}

export interface ReceiveModel extends PriceState {
  readonly frame: ShellFrame;
  readonly form: ReceiveForm;
  readonly username: string;
  /** The Lightning address as an LNURL, in capitals. */
  readonly lnurl: string;
  /** An invoice can show a bitcoin address. */
  readonly hasAddresses: boolean;
}

export const emptyReceiveForm: ReceiveForm = { amount: '', unit: 'sats', memo: '', wallet: 'BTC', errors: {} };

const WALLETS = (['BTC', 'USD'] as const).map((value) => ({ value, label: walletName(value) }));

function invoiceForm({ frame, form, hasSource, hasPrice, hasAddresses }: ReceiveModel, autofocus: boolean): Html {
  const wallet = hasPrice && choice({ name: 'wallet', label: 'Into', options: WALLETS, value: form.wallet });
  const amount = typedAmountField({
    label: 'Amount to request',
    paid: 'Paid into your Bitcoin wallet',
    error: form.errors.amount,
    typed: form,
    autofocus,
    isChoice: true,
    hasSource,
    hasPrice,
  });
  const memo = field({
    name: 'memo',
    label: 'Description (optional)',
    hint: 'Shown to the payer',
    error: form.errors.memo,
    value: form.memo,
    maxlength: MEMO_BYTES,
  });
  return card(
    'Create an invoice',
    html`<form class="stack" method="post" action="${paths.receive}">
      ${csrfField(frame.csrf)}${amount}${wallet}${memo}<button data-busy="Creating…">Create invoice</button>
    </form>`,
    { sub: hasAddresses ? 'It can show a bitcoin address too, for payers without Lightning.' : undefined },
  );
}

function addressCard({ username, lnurl, frame: { host } }: ReceiveModel): Html {
  // On a phone it takes two lines: break between name and host, not inside the host.
  const body = html`<p>
      <code id="address">${username}@<wbr />${host}</code>
    </p>
    <p>${copyButton('address', 'your Lightning address')}</p>`;
  const sub = 'Anyone with a Lightning wallet can send you any amount, as often as they like.';
  return card('Your Lightning address', qrBeside(`LIGHTNING:${lnurl}`, 'QR code of your Lightning address', body), { sub });
}

export function receivePage(model: ReceiveModel): Html {
  const { amount, memo } = model.form.errors;
  const problems: readonly (FormProblem | false)[] = [
    amount !== undefined && { field: 'amount', text: amount },
    memo !== undefined && { field: 'memo', text: 'Description is too long' },
  ];
  const action = buttonLink(paths.invoices, 'Invoices', 'quiet');
  const content = html`<div class="cols">${invoiceForm(model, amount === undefined && memo === undefined)}${addressCard(model)}</div>`;
  return dashboardPage(model.frame, { title: 'Receive', entry: 'wallet', back: WALLET, action, problems }, content);
}
