import {
  badge,
  buttonLink,
  empty,
  headline,
  html,
  moment,
  money,
  shellPage,
  untrustedText,
  type Html,
  type Money,
  type ShellFrame,
  type Tone,
} from '../../edge/page/index.js';
import { type PageLinks, pager } from '../activity/page-links.js';
import { paths } from '../paths.js';
import type { ReceiveState } from './invoice.view.js';

export interface InvoiceLine {
  readonly paymentHash: string;
  readonly memo: string | null;
  readonly amount: Money | null;
  readonly createdAt: Date;
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
  const body = html`${headline({ title: 'Invoices', back: { href: paths.receive, label: 'Receive' } })}
    <section class="card" aria-label="Invoices">${list}</section>
    ${pager(model)}`;
  return shellPage(frame, { title: 'Invoices', currentEntry: 'wallet', body });
}
