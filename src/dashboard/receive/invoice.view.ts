import type { InvoiceRow } from '../../money/invoice/index.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import {
  about,
  aboutFirst,
  attributes,
  badge,
  buttonLink,
  csrfField,
  doneSign,
  exact,
  facts,
  headline,
  html,
  money,
  moneyText,
  untrustedText,
  qr,
  secret,
  soon,
  shellPage,
  type Html,
  type Money,
  type ShellFrame,
  type Worth,
  empty,
  moment,
  type Tone,
} from '../../edge/page/index.js';
import { addressCard, DEPOSIT_SECONDS, depositsCard, isAwaited, type AddressModel, type DepositsModel } from './address.view.js';
import { bitcoinUri } from './bitcoin-uri.js';
import { dashboardPage } from '../layout.js';
import { walletName } from '../activity/activity.view.js';
import type { Currency } from '../../money/wallet/index.js';
import { paths, WALLET } from '../paths.js';
import { type PageLinks, pager } from '../activity/page-links.js';

export type ReceiveState =
  | {
      readonly kind: 'paid';
      readonly amount: Money;
      readonly about: Worth | null;
      readonly at: Date;
      readonly balance: Money;
      readonly transactionId: string;
    }
  /** `closing`: past its expiry, and the node has not confirmed yet that no payment is on its way. */
  | { readonly kind: 'waiting' | 'closing' | 'expired' | 'cancelled' };

export interface InvoiceModel extends DepositsModel, Pick<InvoiceRow, 'paymentHash' | 'paymentRequest' | 'memo' | 'expiresAt'> {
  readonly frame: ShellFrame;
  /** The wallet that it pays into. */
  readonly wallet: Currency;
  /** What that wallet gets; null: the payer chooses. */
  readonly amount: Money | null;
  readonly about: Worth | null;
  readonly state: ReceiveState;
  /** The payee's. */
  readonly username: string;
  /** What a payer is asked for, in whole satoshis; null: any amount. */
  readonly sats: number | null;
  /** Null: no bitcoin address can be paid. */
  readonly address: AddressModel | null;
}

/** How often the page of an open invoice is loaded again: without a script, and by the script, in case an event is lost or none can come. */
const REFRESH_SECONDS = 5;
const LOOK_SECONDS = 15;

interface View {
  readonly title: string;
  readonly sub?: Html;
  readonly content: Html;
}

const remarks = ({ about, wallet, memo }: InvoiceModel): Html =>
  html`${about === null ? 'Paid' : html`${aboutFirst(about)}, paid`} into your
  ${walletName(wallet)}${memo !== null && memo !== '' && html` · ${untrustedText(memo)}`}`;

/** The last time after the invoice's expiry; at least 2, in case the clock differs from the database's. */
const dueSeconds = ({ expiresAt, frame }: InvoiceModel): number =>
  Math.min(LOOK_SECONDS, Math.max(2, Math.ceil((expiresAt.getTime() - frame.now.getTime()) / 1000) + 1));

function codeOf({ address: chain, sats, username, paymentRequest, frame }: InvoiceModel): Html {
  const address = chain?.address ?? null;
  if (address === null) return qr({ value: paymentRequest.toUpperCase(), label: 'QR code of the invoice' });
  const label = `${username}@${frame.host}`;
  return qr({ value: bitcoinUri({ address, sats, label, paymentRequest }), label: 'QR code of the invoice and the bitcoin address' });
}

function waiting(model: InvoiceModel): View {
  const { frame, paymentHash, paymentRequest, amount, address } = model;
  const title = `Receive ${amount === null ? 'any amount' : moneyText(amount)}`;
  const content = html`<div class="cols">
    <section class="card" aria-label="QR code">
      ${codeOf(model)}
      <p class="line apart">
        <span class="line"
          >${badge('Waiting for payment', 'wait')}<span ${attributes({ class: 'sub', 'data-due': dueSeconds(model) })}
            >Expires at ${soon(model.expiresAt, frame)}</span
          ></span
        >
        <a href="${paths.invoice(paymentHash)}">Check now</a>
      </p>
    </section>
    <section class="card">
      <h2>Invoice</h2>
      ${secret('invoice', paymentRequest, 'the invoice')}
      <p class="line">${buttonLink(`lightning:${paymentRequest}`, 'Open in wallet')}${buttonLink(paths.wallet, 'Done', 'quiet')}</p>
      <form class="tight" method="post" action="${paths.cancelInvoice(paymentHash)}">
        ${csrfField(frame.csrf)}
        <p class="sub">Made a mistake? A cancelled invoice can’t be paid.</p>
        <p><button class="quiet small">Cancel invoice</button></p>
      </form>
    </section>
    ${address !== null && addressCard(address, model)}
  </div>`;
  return { title, sub: remarks(model), content };
}

function paid(model: InvoiceModel, state: Extract<ReceiveState, { kind: 'paid' }>): View {
  const title = `Received ${moneyText(state.amount)}`;
  const note = model.memo !== null && model.memo !== '' && (['Description', untrustedText(model.memo, MEMO_BYTES)] as const);
  const content = html`<section class="card">
    <div class="who">
      ${doneSign}
      <div class="tight">
        <p>${badge('Paid', 'good')}</p>
        <p class="balance">${money(state.amount)}</p>
        <p class="sub">${state.about !== null && about(state.about)}</p>
      </div>
    </div>
    ${facts([['Received', exact(state.at)], note, ['New balance', money(state.balance)]])}
    <p class="line">${buttonLink(paths.wallet, 'Done')}${buttonLink(paths.transaction(state.transactionId), 'View payment', 'quiet')}</p>
  </section>`;
  return { title, content };
}

const CLOSING_SECONDS = 3;

const ENDED = {
  closing: {
    title: 'Checking for a payment',
    text: 'This invoice has expired. We’re asking the Lightning node whether a payment is still on its way.',
  },
  expired: { title: 'Invoice expired', text: 'This invoice wasn’t paid in time. No money was moved.' },
  cancelled: { title: 'Invoice cancelled', text: 'This invoice was cancelled and can no longer be paid. No money was moved.' },
} as const;

function ended(model: InvoiceModel, kind: keyof typeof ENDED): View {
  const { title, text } = ENDED[kind];
  const content = html`<section class="card">
    <p ${attributes(kind === 'closing' ? { 'data-due': CLOSING_SECONDS } : {})}>${text}</p>
    ${facts([['Amount', model.amount === null ? 'Any' : money(model.amount)], model.memo !== null && model.memo !== '' && ['Description', untrustedText(model.memo)]])}
    <p class="line">${buttonLink(paths.receive, 'Create another')}${buttonLink(paths.wallet, 'Done', 'quiet')}</p>
  </section>`;
  return { title, content };
}

function view(model: InvoiceModel): View {
  if (model.state.kind === 'waiting') return waiting(model);
  return model.state.kind === 'paid' ? paid(model, model.state) : ended(model, model.state.kind);
}

export function invoicePage(model: InvoiceModel): Html {
  const { frame, state } = model;
  const { title, sub, content } = view(model);
  const body = html`<div class="stack" id="invoice-state" data-live>
    ${headline({ title, sub, back: WALLET })} ${depositsCard(model, frame)} ${content}
  </div>`;
  const isOpen = state.kind === 'waiting' || state.kind === 'closing';
  const refreshSeconds = isOpen ? REFRESH_SECONDS : isAwaited(model) ? DEPOSIT_SECONDS : undefined;
  return shellPage(frame, { title, currentEntry: 'wallet', refreshSeconds, body });
}

export interface InvoiceLine extends Pick<InvoiceRow, 'paymentHash' | 'memo' | 'createdAt'>, Pick<InvoiceModel, 'amount'> {
  readonly state: ReceiveState['kind'];
}

export interface InvoicesModel extends PageLinks {
  readonly frame: ShellFrame;
  readonly invoices: readonly InvoiceLine[];
}

const STATES: Readonly<Record<ReceiveState['kind'], readonly [word: string, tone: Tone]>> = {
  waiting: ['Waiting', 'wait'],
  closing: ['Checking', 'wait'],
  paid: ['Paid', 'plain'],
  expired: ['Expired', 'plain'],
  cancelled: ['Cancelled', 'plain'],
};

function line({ paymentHash, memo, amount, createdAt, state }: InvoiceLine, frame: ShellFrame): Html {
  const title = memo !== null && memo !== '' ? untrustedText(memo) : 'Invoice';
  return html`<li>
    <a href="${paths.invoice(paymentHash)}">${title}</a><span>${amount === null ? 'Any amount' : money(amount)}</span>
    <span class="sub">${moment(createdAt, frame)}</span>${badge(...STATES[state])}
  </li>`;
}

export function invoicesPage(model: InvoicesModel): Html {
  const { frame, invoices } = model;
  const list =
    invoices.length > 0
      ? html`<ul class="rows activity">
          ${invoices.map((each) => line(each, frame))}
        </ul>`
      : empty('No invoices yet', 'The invoices that you create will appear here.', buttonLink(paths.receive, 'Create invoice'));
  const page = { title: 'Invoices', entry: 'wallet', back: { href: paths.receive, label: 'Receive' } } as const;
  return dashboardPage(frame, page, [html`<section class="card" aria-label="Invoices">${list}</section>`, pager(model)]);
}
