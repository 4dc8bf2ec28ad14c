import { MEMO_BYTES } from '../../platform/kernel/text.js';
import {
  buttonLink,
  copyButton,
  csrfField,
  errorSummary,
  field,
  headline,
  html,
  qrBeside,
  shellPage,
  type FormProblem,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { bitcoinAmountField } from '../activity/amount.view.js';
import { paths } from '../paths.js';

export interface ReceiveForm {
  readonly amount: string;
  readonly unit: 'sats' | 'USD';
  readonly memo: string;
  readonly errors: { readonly amount?: string; readonly memo?: string };
}

export interface ReceiveModel {
  readonly frame: ShellFrame;
  readonly form: ReceiveForm;
  readonly username: string;
  /** The Lightning address as an LNURL, in capitals. */
  readonly lnurl: string;
  readonly hasPrice: boolean;
}

export const emptyReceiveForm: ReceiveForm = { amount: '', unit: 'sats', memo: '', errors: {} };

function problemsOf({ errors }: ReceiveForm): readonly FormProblem[] {
  return [
    ...(errors.amount ? [{ field: 'amount', text: errors.amount }] : []),
    ...(errors.memo ? [{ field: 'memo', text: 'Description is too long' }] : []),
  ];
}

function invoiceForm({ frame, form, hasPrice }: ReceiveModel, autofocus: boolean): Html {
  const amount = bitcoinAmountField({
    label: 'Amount to request',
    paid: 'Paid into your Bitcoin wallet',
    error: form.errors.amount,
    typed: form,
    autofocus,
    hasPrice,
  });
  const memo = field({
    name: 'memo',
    label: 'Description (optional)',
    hint: 'Shown to the payer',
    error: form.errors.memo,
    value: form.memo,
    autocomplete: 'off',
    maxlength: MEMO_BYTES,
  });
  return html`<section class="card">
    <h2>Create an invoice</h2>
    <form class="stack" method="post" action="${paths.receive}">
      ${csrfField(frame.csrf)}${amount}${memo}<button>Create invoice</button>
    </form>
  </section>`;
}

function addressCard({ username, lnurl, frame: { host } }: ReceiveModel): Html {
  // On a phone it takes two lines: break between name and host, not inside the host.
  const body = html`<p>
      <code id="address">${username}@<wbr />${host}</code>
    </p>
    <p>${copyButton('address', 'your Lightning address')}</p>`;
  return html`<section class="card">
    <div class="tight">
      <h2>Your Lightning address</h2>
      <p class="sub">Anyone with a Lightning wallet can send you any amount, as often as they like.</p>
    </div>
    ${qrBeside(`LIGHTNING:${lnurl}`, 'QR code of your Lightning address', body)}
  </section>`;
}

export function receivePage(model: ReceiveModel): Html {
  const problems = problemsOf(model.form);
  const body = html`${headline({ title: 'Receive', back: { href: paths.wallet, label: 'Wallet' }, action: buttonLink(paths.invoices, 'Invoices', 'quiet') })}
    ${errorSummary(problems)}
    <div class="cols">${invoiceForm(model, problems.length === 0)}${addressCard(model)}</div>`;
  return shellPage(model.frame, { title: 'Receive', currentEntry: 'wallet', error: problems.length > 0, body });
}
