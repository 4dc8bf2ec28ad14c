import {
  about,
  badge,
  html,
  moment,
  outsideText,
  signedMoney,
  untrustedText,
  type PageTime,
  type Html,
  type Money,
  type Tone,
  type Worth,
} from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { depositWords } from './deposit-words.js';
import { payoutWords } from './payout-words.js';
import type { PayoutProgress } from '../../money/payment/index.js';
import type { DepositProgress } from '../../money/onchain/index.js';
import { decodeInvoice } from '../../money/lightning/index.js';
import type { TransactionRow } from '../../money/transaction/index.js';

export type ActivityState = 'received' | 'sent' | 'pending' | 'failed';

export function activityStateOf({ status, direction }: Pick<TransactionRow, 'status' | 'direction'>): ActivityState {
  if (status === 'PENDING') return 'pending';
  if (status === 'FAILURE') return 'failed';
  return direction === 'SEND' ? 'sent' : 'received';
}

export interface Actor {
  readonly kind: 'key' | 'app';
  readonly id: string;
  readonly name: string;
}

export interface Activity {
  readonly id: string;
  /** Signed; includes the fee of an outgoing payment. */
  readonly amount: Money;
  readonly about: Worth | null;
  readonly state: ActivityState;
  readonly at: Date;
  readonly party: string | null;
  /** The other side is another wallet of the same person: money was converted. */
  readonly ownWallet: 'BTC' | 'USD' | null;
  readonly memo: string | null;
  readonly cause: string | null;
  readonly by: Actor | null;
  /** Of a payment that came to a bitcoin address. */
  readonly deposit: DepositProgress | null;
  /** Of one that is sent to a bitcoin address of the outside. */
  readonly payout: PayoutProgress | null;
  /** The bitcoin address that was paid. */
  readonly address: string | null;
  /** It waits for the person until then. */
  readonly approvalUntil: Date | null;
}

const STATES: Readonly<Record<ActivityState, readonly [word: string, tone: Tone]>> = {
  received: ['Received', 'good'],
  sent: ['Sent', 'good'],
  pending: ['Pending', 'wait'],
  failed: ['Failed', 'bad'],
};

export const stateWord = (state: ActivityState): string => STATES[state][0];

/** The state in a word. In a list a success gets no colour. */
export function stateBadge(state: ActivityState, inRow = false): Html {
  const [word, tone] = STATES[state];
  return badge(word, inRow && tone === 'good' ? 'plain' : tone);
}

export const actorName = ({ kind, name }: Actor): Html => (kind === 'key' ? html`API key “${untrustedText(name)}”` : untrustedText(name));

export const isIncoming = ({ amount }: Pick<Activity, 'amount'>): boolean => (amount.currency === 'BTC' ? amount.msat : amount.cents) > 0n;

type Titled = Pick<Activity, 'memo' | 'party' | 'amount' | 'ownWallet' | 'address'>;

export const walletName = (currency: 'BTC' | 'USD'): string => (currency === 'BTC' ? 'Bitcoin wallet' : 'US dollar wallet');

/** What is paid where no name is known: the invoice, and the key of the node that made it. */
export function invoiceName(paymentRequest: string): Html {
  const decoded = decodeInvoice(paymentRequest);
  return html`Lightning invoice${decoded.ok && html`<span class="sub">, node <code>${decoded.invoice.payeeNodeId}</code></span>`}`;
}

/** The other side of a payment, after the word for its direction. */
export function partyOf({
  party,
  amount,
  ownWallet,
}: Pick<Titled, 'party' | 'amount' | 'ownWallet'>): readonly [direction: string, name: string] | null {
  const name = ownWallet === null ? party : `your ${walletName(ownWallet)}`;
  return name === null ? null : [isIncoming({ amount }) ? 'From' : 'To', name];
}

function partyText(activity: Titled, text: (name: string) => Html | string): Html | null {
  const [direction, name] = partyOf(activity) ?? [];
  return name === undefined ? null : html`${direction} ${text(name)}`;
}

/** A payment of which no name and no description is known. */
export const unnamed = ({ address }: Pick<Titled, 'address'>): string => (address === null ? 'Lightning payment' : 'On-chain deposit');

const titleBy = (activity: Titled, text: (name: string) => Html | string): Html =>
  activity.memo !== null && activity.memo !== '' ? html`${text(activity.memo)}` : (partyText(activity, text) ?? html`${unnamed(activity)}`);

export const activityTitle = (activity: Titled): Html => titleBy(activity, untrustedText);

/** The same without isolation of its direction, for the title of a page. */
export const activityTitleText = (activity: Titled): Html => titleBy(activity, outsideText);

function row(activity: Activity, time: PageTime): Html {
  const { memo, state, cause, deposit, payout } = activity;
  const details = [
    activity.about && about(activity.about),
    memo !== null && memo !== '' && partyText(activity, untrustedText),
    deposit && state !== 'failed' && depositWords(deposit),
    payout && state === 'pending' && payoutWords(payout),
    activity.approvalUntil && 'waits for you',
    state === 'failed' && cause !== null && untrustedText(cause),
    activity.by && html`via ${actorName(activity.by)}`,
  ];
  const sub = html`${moment(activity.at, time)}${details.map((detail) => detail && html` · ${detail}`)}`;
  return html`<li>
    <a href="${paths.transaction(activity.id)}">${activityTitle(activity)}</a>${signedMoney(activity.amount, activity.state === 'failed')}
    <span class="sub">${sub}</span>${stateBadge(activity.state, true)}
  </li>`;
}

export const activityList = (list: readonly Activity[], time: PageTime): Html =>
  html`<ul class="rows activity">
    ${list.map((each) => row(each, time))}
  </ul>`;
