import { badge, html, moment, untrustedText, signedMoney, type Clockwork, type Html, type Money, type Tone } from '../../page/index.js';
import { paths } from './paths.js';

export type ActivityState = 'received' | 'sent' | 'pending' | 'failed';

/** The key or app that started a payment for the person. */
export interface Actor {
  readonly kind: 'key' | 'app';
  readonly id: string;
  readonly name: string;
}

/** One payment, in or out. */
export interface Activity {
  readonly id: string;
  /** Signed; includes the fee of an outgoing payment. */
  readonly amount: Money;
  readonly state: ActivityState;
  readonly at: Date;
  /** The other side's username, or the payee that the invoice names; `null` if unknown. */
  readonly party: string | null;
  readonly memo: string | null;
  /** Why it failed, in a few words: "no route found". */
  readonly cause: string | null;
  /** `null` if the person started it, it is not known, or it came in. */
  readonly by: Actor | null;
}

interface StateWords {
  readonly word: string;
  readonly rowTone: Tone;
  readonly tone: Tone;
}

const STATES: Readonly<Record<ActivityState, StateWords>> = {
  received: { word: 'Received', rowTone: 'plain', tone: 'good' },
  sent: { word: 'Sent', rowTone: 'plain', tone: 'good' },
  pending: { word: 'Pending', rowTone: 'wait', tone: 'wait' },
  failed: { word: 'Failed', rowTone: 'bad', tone: 'bad' },
};

/** The state in a word. In a list a success gets no colour. */
export function stateBadge(state: ActivityState, inRow = false): Html {
  const { word, rowTone, tone } = STATES[state];
  return badge(word, inRow ? rowTone : tone);
}

/** "Corner Coffee", "API key “Shop till”" */
export const actorName = ({ kind, name }: Actor): Html => (kind === 'key' ? html`API key “${untrustedText(name)}”` : untrustedText(name));

const isIncoming = ({ amount }: Pick<Activity, 'amount'>): boolean => (amount.currency === 'BTC' ? amount.msat : amount.cents) > 0n;

/** "From bob", "To Riverside Bakery"; a general title without a name. */
export function activityTitle(activity: Pick<Activity, 'party' | 'amount'>): Html {
  if (activity.party === null) return html`Lightning payment`;
  return html`${isIncoming(activity) ? 'From' : 'To'} ${untrustedText(activity.party)}`;
}

/** "via Corner Coffee", "via API key “Shop till”" */
const actorWords = (by: Actor | null): Html | null => by && html` · via ${actorName(by)}`;

function row(activity: Activity, clockwork: Clockwork): Html {
  const remark = activity.state === 'failed' ? activity.cause : activity.memo;
  const sub = html`${moment(activity.at, clockwork)}${remark !== null && remark !== '' && html` · ${untrustedText(remark)}`}${actorWords(activity.by)}`;
  return html`<li>
    <a href="${paths.transaction(activity.id)}">${activityTitle(activity)}</a>${signedMoney(activity.amount, activity.state === 'failed')}
    <span class="sub">${sub}</span>${stateBadge(activity.state, true)}
  </li>`;
}

/** Payments as a list; the whole row is the link. */
export const activityList = (list: readonly Activity[], clockwork: Clockwork): Html =>
  html`<ul class="rows activity">
    ${list.map((each) => row(each, clockwork))}
  </ul>`;
