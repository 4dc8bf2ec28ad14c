import type { Msat } from '../../platform/kernel/money.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import {
  bitcoin,
  html,
  money,
  moneyAbout,
  moneyText,
  notice,
  untrustedText,
  type Html,
  type HtmlValue,
  type Worth,
} from '../../edge/page/index.js';
import { orderPage, type OrderKind, type OrderModel } from '../order/order.view.js';
import { paths } from '../paths.js';
import type { SendTarget } from './send-target.service.js';

export interface ReviewModel extends OrderModel {
  readonly target: SendTarget;
  readonly amountMsat: Msat;
  readonly about: Worth | null;
  readonly totalAbout: Worth | null;
  /** The cost of the route now; as much as `feeLimitMsat` if that is not known. */
  readonly feeMsat: Msat;
  readonly feeLimitMsat: Msat;
  readonly hasNoRoute: boolean;
  /** The least that stays available; shown if the payment is possible. */
  readonly leftMsat: Msat;
  readonly memo: string;
}

export const PAYMENT: OrderKind = {
  noun: 'payment',
  verb: 'Send',
  again: 'pay',
  done: 'sent',
  reviewOf: paths.reviewOf,
  changeOf: paths.changeSend,
};

const payeeOf = ({ target, frame }: ReviewModel): HtmlValue => {
  if (target.kind === 'wallet') return html`${untrustedText(target.username)}@<wbr />${frame.host}`;
  return target.address === null ? 'The owner of the invoice' : untrustedText(target.address);
};

function feeOf({ feeMsat, feeLimitMsat }: ReviewModel): HtmlValue {
  if (feeLimitMsat === 0n) return 'None';
  const most = html`at most ${money(bitcoin(feeLimitMsat))}`;
  return feeMsat < feeLimitMsat ? html`about ${money(bitcoin(feeMsat))}, ${most}` : most;
}

const NO_ROUTE = notice(
  html`<p><b>No route was found just now.</b> You can try: if the payment fails, nothing is taken from your balance.</p>`,
);

export function reviewPage(model: ReviewModel): Html {
  const { amountMsat, feeLimitMsat, leftMsat, isPossible, memo, error, target } = model;
  const amount = bitcoin(amountMsat);
  return orderPage(model, PAYMENT, {
    amount: moneyText(amount),
    note: model.hasNoRoute && error === null && NO_ROUTE,
    list: [
      ['To', payeeOf(model)],
      target.kind === 'invoice' && target.description !== null && ['Description', untrustedText(target.description, MEMO_BYTES)],
      ['Amount', moneyAbout(amount, model.about)],
      ['Network fee', feeOf(model)],
      ['Total', html`${feeLimitMsat > 0n && 'at most '}${moneyAbout(bitcoin(amountMsat + feeLimitMsat), model.totalAbout)}`],
      isPossible && ['Balance afterwards', html`${money(bitcoin(leftMsat))}${feeLimitMsat > 0n && ' or more'}`],
      ['From', 'Bitcoin wallet'],
      memo !== '' && ['Note', untrustedText(memo, MEMO_BYTES)],
      target.kind === 'invoice' && ['Invoice', html`<code>${target.paymentRequest}</code>`],
    ],
    promise: 'It is sent once, even if you press twice or reload this page.',
  });
}
