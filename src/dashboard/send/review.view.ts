import type { Msat } from '../../kernel/money.js';
import { MEMO_BYTES } from '../../kernel/text.js';
import {
  alert,
  bitcoin,
  buttonLink,
  csrfField,
  facts,
  headline,
  html,
  money,
  moneyAbout,
  moneyText,
  notice,
  shellPage,
  untrustedText,
  type Html,
  type HtmlValue,
  type ShellFrame,
  type Worth,
} from '../../page/index.js';
import { paths } from '../paths.js';
import type { SendTarget } from './send-orders.js';

export interface ReviewModel {
  readonly frame: ShellFrame;
  /** Sealed. */
  readonly order: string;
  readonly target: SendTarget;
  /** What the recipient gets. */
  readonly amountMsat: Msat;
  /** What that is worth now, and so much with the fee; null without a price. */
  readonly about: Worth | null;
  readonly totalAbout: Worth | null;
  /** What the route would cost now; as much as `feeLimitMsat` if that is not known. */
  readonly feeMsat: Msat;
  readonly feeLimitMsat: Msat;
  /** The node found no route. */
  readonly hasNoRoute: boolean;
  /** What stays available at least; shown if it is payable. */
  readonly leftMsat: Msat;
  /** This server knows nothing that would refuse it. */
  readonly isPayable: boolean;
  readonly memo: string;
  /** Why it can't be paid, or was not, as a sentence. */
  readonly error: HtmlValue;
}

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

function confirmForm({ frame, order, amountMsat }: ReviewModel): Html {
  return html`<form class="tight" method="post" action="${paths.reviewOf(order)}">
    ${csrfField(frame.csrf)}<input type="hidden" name="order" value="${order}" />
    <p class="line"><button>Send ${moneyText(bitcoin(amountMsat))}</button>${buttonLink(paths.changeSend(order), 'Change', 'quiet')}</p>
    <p class="sub">It is sent once, even if you press twice or reload this page.</p>
  </form>`;
}

/** `/dashboard/send/review`: what exactly will happen. */
export function reviewPage(model: ReviewModel): Html {
  const { frame, amountMsat, feeLimitMsat, leftMsat, isPayable, memo, error, target } = model;
  const amount = bitcoin(amountMsat);
  const list = facts([
    ['To', payeeOf(model)],
    target.kind === 'invoice' && target.description !== null && ['Description', untrustedText(target.description, MEMO_BYTES)],
    ['Amount', moneyAbout(amount, model.about)],
    ['Network fee', feeOf(model)],
    ['Total', html`${feeLimitMsat > 0n && 'at most '}${moneyAbout(bitcoin(amountMsat + feeLimitMsat), model.totalAbout)}`],
    isPayable && ['Balance afterwards', html`${money(bitcoin(leftMsat))}${feeLimitMsat > 0n && ' or more'}`],
    ['From', 'Bitcoin wallet'],
    memo !== '' && ['Note', untrustedText(memo, MEMO_BYTES)],
    target.kind === 'invoice' && ['Invoice', html`<code>${target.paymentRequest}</code>`],
  ]);
  const change = html`<p>${buttonLink(paths.changeSend(model.order), 'Change payment')}</p>`;
  const body = html`${headline({ title: `Send ${moneyText(amount)}?`, back: { href: paths.changeSend(model.order), label: 'Send' } })}
    ${error !== null && alert('Nothing was sent', html`<p>${error}</p>`)}
    <section class="card" aria-label="Payment">
      ${model.hasNoRoute && error === null && NO_ROUTE} ${list} ${isPayable ? confirmForm(model) : change}
    </section>`;
  return shellPage(frame, { title: 'Review payment', currentEntry: 'wallet', error: error !== null, body });
}
