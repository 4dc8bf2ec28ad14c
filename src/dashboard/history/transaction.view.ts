import { MEMO_BYTES } from '../../platform/kernel/text.js';
import {
  about,
  attributes,
  exact,
  exactFeeText,
  networkFee,
  facts,
  html,
  money,
  notice,
  untrustedText,
  signedMoney,
  sinceWords,
  type Fact,
  type Html,
  type HtmlValue,
  type Money,
  type ShellFrame,
  type Worth,
} from '../../edge/page/index.js';
import { confirmationsText, depositReason } from '../activity/deposit-words.js';
import { payoutReason } from '../activity/payout-words.js';
import {
  activityTitle,
  activityTitleText,
  actorName,
  invoiceName,
  isIncoming,
  stateBadge,
  stateWord,
  walletName,
  type Activity,
  type Actor,
} from '../activity/activity.view.js';
import { SPEEDS, type PaymentApprovalEntity } from '../../money/payment/index.js';
import { approvalNews } from './approval.view.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';

export interface TransactionModel {
  readonly frame: ShellFrame;
  readonly activity: Activity;
  /** The amount for the recipient, without the fee and without a sign. */
  readonly amount: Money;
  readonly exchange: { readonly gave: Money; readonly got: Money; readonly price: Money } | null;
  readonly fee: Money | null;
  /** What was taken of a deposit: `amount` includes it. */
  readonly depositFee: Money | null;
  /** While it is pending: amount and fee limit. */
  readonly held: Money | null;
  /** The person was asked for it, and it has not begun. */
  readonly approval?: PaymentApprovalEntity | undefined;
  readonly about: Worth | null;
  readonly wallet: 'BTC' | 'USD';
  readonly username: string;
  readonly paymentRequest: string | null;
  readonly paymentHash: string | null;
  readonly preimage: string | null;
  /** The bitcoin address that was paid, and the output that pays it, once there is one. */
  readonly chain: { readonly address: string; readonly output: string | null; readonly explorerUrl: string | null } | null;
}

/** Between two looks at a pending payment: the more, the longer it has been pending. */
const lookAgainSeconds = ({ activity, frame }: TransactionModel): number =>
  Math.min(60, Math.max(2, Math.round((frame.now.getTime() - activity.at.getTime()) / 10_000)));

const pending = (model: TransactionModel): Html =>
  notice(
    html`<p data-due="${lookAgainSeconds(model)}">
      <b>Payment pending.</b> We’re waiting for the network to confirm it. Your money is safe: it will either arrive or come back to your
      balance. Don’t pay this invoice again in the meantime. <a href="${paths.transaction(model.activity.id)}">Check now</a>
    </p>`,
  );

const chainNews = (model: TransactionModel, reason: Html): Html =>
  notice(
    html`<p ${attributes({ 'data-due': model.activity.state === 'pending' && lookAgainSeconds(model) })}>
      ${reason} ${model.activity.state === 'pending' && html`<a href="${paths.transaction(model.activity.id)}">Check now</a>`}
    </p>`,
    model.activity.state === 'failed' ? 'bad' : undefined,
  );

const failed = (cause: string | null): Html =>
  notice(
    html`<p>
      <b>Payment failed${cause !== null && html`: ${untrustedText(cause)}`}.</b> Nothing was charged: the full amount is in your balance.
    </p>`,
    'bad',
  );

function news(model: TransactionModel): Html | false {
  if (model.approval !== undefined) return approvalNews(model, model.approval);
  const { deposit, payout, state, cause } = model.activity;
  const reason = deposit ? depositReason(deposit) : payout && state === 'pending' && payoutReason(payout);
  if (reason) return chainNews(model, reason);
  if (deposit) return false;
  return state === 'pending' ? pending(model) : state === 'failed' && failed(cause);
}

function actorFact(by: Actor | null): Fact | null {
  if (by === null) return null;
  return ['Sent via', html`<a href="${by.kind === 'key' ? paths.key(by.id) : paths.app(by.id)}">${actorName(by)}</a>`];
}

function partyFact({ activity: { party, ownWallet }, paymentRequest }: TransactionModel, incoming: boolean): Fact | null {
  if (ownWallet !== null) return [incoming ? 'Converted from' : 'Converted to', html`Your ${walletName(ownWallet)}`];
  if (party !== null) return [incoming ? 'Payer' : 'Payee', untrustedText(party)];
  return incoming || paymentRequest === null ? null : ['Payee', invoiceName(paymentRequest)];
}

const amountFacts = ({ activity, amount, exchange, depositFee }: TransactionModel): readonly (Fact | false)[] =>
  exchange === null
    ? [
        ['Amount', money(amount)],
        depositFee !== null && ['Deposit fee', money(depositFee)],
        depositFee !== null && ['Added to your balance', money(activity.amount)],
      ]
    : [
        ['You gave', money(exchange.gave)],
        ['You got', money(exchange.got)],
        ['Price', html`${money(exchange.price)} for one bitcoin`],
      ];

/** What a printed page is where nothing was paid. */
const NO_RECEIPT: Partial<Record<Activity['state'], string>> = {
  pending: 'Payment pending: not a receipt.',
  failed: 'Payment failed: not a receipt.',
};

/** Null: there was none. */
const exactFee = (fee: Money): HtmlValue =>
  fee.currency === 'USD' ? (fee.cents > 0n ? money(fee) : null) : fee.msat > 0n ? exactFeeText(fee.msat) : null;

function details(model: TransactionModel): Html {
  const { activity, fee, held, exchange } = model;
  const incoming = isIncoming(activity);
  const { deposit, payout } = activity;
  const { brand, host, now } = model.frame;
  const caution = NO_RECEIPT[activity.state];
  return facts([
    ...amountFacts(model),
    fee !== null && exchange === null && networkFee(exactFee(fee)),
    held !== null && [model.approval ? 'At most' : 'Reserved', html`${money(held)} (including the maximum fee)`],
    partyFact(model, incoming),
    activity.memo !== null && activity.memo !== '' && ['Description', untrustedText(activity.memo, MEMO_BYTES)],
    [activity.state === 'pending' ? (incoming ? 'Seen' : 'Started') : 'Date', exact(activity.at)],
    deposit !== null && deposit.phase !== 'gone' && deposit.phase !== 'failed' && ['Confirmations', confirmationsText(deposit)],
    payout !== null && activity.state !== 'failed' && ['Speed', SPEEDS[payout.speed].displayName],
    payout !== null && activity.state !== 'failed' && ['Confirmations', String(payout.confirmations)],
    [incoming ? 'To' : 'From', html`${walletName(model.wallet)} of ${model.username}@<wbr />${host}`],
    actorFact(activity.by),
    ['Issued by', html`${brand.name}, ${host}, on ${exact(now)}${caution && html`<br />${caution}`}`],
  ]);
}

function proof({ activity, paymentHash, preimage, chain }: TransactionModel): Html {
  const paid = preimage !== null && html`<p class="sub">The preimage proves this invoice was paid. Keep it like a receipt.</p>`;
  const hex = (text: string): Html => html`<code>${text}</code>`;
  const explorer =
    chain !== null && chain.explorerUrl !== null && html`<a href="${chain.explorerUrl}" rel="noreferrer">View in a block explorer</a>`;
  const list = facts([
    chain !== null && ['Bitcoin address', hex(chain.address)],
    chain !== null && chain.output !== null && ['Bitcoin output', html`${hex(chain.output)}<br />${explorer}`],
    paymentHash !== null && ['Payment hash', hex(paymentHash)],
    preimage !== null && ['Preimage', hex(preimage)],
    ['Transaction ID', hex(activity.id)],
  ]);
  return html`<section class="card" id="proof" data-live>
    <div class="tight">
      <h2>${preimage === null ? 'Reference' : 'Proof'}</h2>
      ${paid}
    </div>
    ${list}
  </section>`;
}

export function transactionPage(model: TransactionModel): Html {
  const { activity, frame } = model;
  const print = html`<button type="button" class="quiet" data-print hidden>Print</button>`;
  const since = activity.state === 'pending' && `for ${sinceWords(activity.at, frame.now)}`;
  const then = model.about !== null && html`${about(model.about)} at the time`;
  const page = {
    title: activityTitle(activity),
    text: html`${stateWord(activity.state)}: ${activityTitleText(activity)}`,
    entry: 'history',
    back: { href: paths.history, label: 'History' },
    action: print,
    refreshSeconds: activity.state === 'pending' ? lookAgainSeconds(model) : undefined,
  } as const;
  const content = html`<section class="card" id="transaction" data-live>
      <div class="tight">
        <p class="balance">${signedMoney(activity.amount, activity.state === 'failed')}</p>
        <p class="line">${stateBadge(activity.state)}<span class="sub">${since || then}</span></p>
      </div>
      ${news(model)} ${details(model)}
    </section>
    ${proof(model)}`;
  return dashboardPage(frame, page, content);
}
