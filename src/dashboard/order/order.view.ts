import {
  alert,
  buttonLink,
  csrfField,
  facts,
  headline,
  html,
  notice,
  shellPage,
  type Html,
  type HtmlValue,
  type ShellFrame,
} from '../../edge/page/index.js';
import { paths } from '../paths.js';
import type { AccountFlow } from '../../money/wallet/index.js';

/**
 * A review that is not shown any more. `over`: it was not confirmed in time. `unknown`: this server can't read it, or it is not of this
 * person, so that nothing is known of a payment by it.
 */
export type EndedReview = 'over' | 'unknown';

export interface OrderKind {
  readonly noun: string;
  readonly verb: string;
  /** The button's text while the payment runs. */
  readonly busy: string;
  readonly again: string;
  readonly done: string;
  readonly reviewOf: (order: string) => string;
  readonly changeOf: (order: string) => string;
}

export interface OrderModel {
  readonly frame: ShellFrame;
  readonly order: string;
  readonly isPossible: boolean;
  readonly error: HtmlValue;
}

interface OrderReview {
  readonly amount: string;
  readonly list: Parameters<typeof facts>[0];
  readonly note?: Html | false;
  readonly promise: string;
  /** Fields with the orders to choose from, in place of the one order. */
  readonly choices?: Html | false;
}

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

function confirmForm(
  { frame, order }: OrderModel,
  { verb, busy, reviewOf, changeOf }: OrderKind,
  { amount, promise, choices }: OrderReview,
): Html {
  return html`<form class="${choices ? 'stack' : 'tight'}" method="post" action="${reviewOf(order)}">
    ${csrfField(frame.csrf)}${choices || html`<input type="hidden" name="order" value="${order}" />`}
    <p class="line"><button data-busy="${busy}">${verb} ${amount}</button>${buttonLink(changeOf(order), 'Change', 'quiet')}</p>
    <p class="sub">${promise}</p>
  </form>`;
}

export function orderPage(model: OrderModel, kind: OrderKind, review: OrderReview): Html {
  const { frame, order, isPossible, error } = model;
  const { noun, verb, done, changeOf } = kind;
  const change = html`<p>${buttonLink(changeOf(order), `Change ${noun}`)}</p>`;
  const body = html`${headline({ title: `${verb} ${review.amount}?`, back: { href: changeOf(order), label: verb } })}
    ${error !== null && alert(`Nothing was ${done}`, html`<p>${error}</p>`)}
    <section class="card" aria-label="${capital(noun)}">
      ${review.note} ${facts(review.list)} ${isPossible ? confirmForm(model, kind, review) : change}
    </section>`;
  return shellPage(frame, { title: `Review ${noun}`, currentEntry: 'wallet', error: error !== null, body });
}

export function endedReview(ended: EndedReview, { noun, again, done }: OrderKind): Html {
  const over = html`Nothing was ${done}. Check what you want to ${again} again.`;
  const unknown = html`If you confirmed it, the ${noun} is in your <a href="${paths.history}">history</a>. Look there before you ${again}
    again.`;
  return notice(html`<p><b>The review has expired.</b> ${ended === 'over' ? over : unknown}</p>`);
}

/**
 * What the limits of the account leave, above a form that moves money; nothing without a limit.
 * @param refusing the limit that an error of the form states, and these lines do not
 */
export const limitLines = (limits: readonly Html[], refusing?: AccountFlow): Html | null =>
  limits.length === 0 && refusing === undefined
    ? null
    : html`<div class="tight">
        ${limits.map((sentence) => html`<p class="sub">${sentence}</p>`)}
        <p class="sub"><a href="${paths.account}#limits">Your limits</a></p>
      </div>`;
