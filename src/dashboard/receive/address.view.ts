import {
  attributes,
  bitcoin,
  csrfField,
  facts,
  html,
  money,
  secret,
  type Html,
  type HtmlValue,
  type Money,
  type ShellFrame,
} from '../../edge/page/index.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import type { Currency } from '../../money/wallet/index.js';
import { activityList, type Activity } from '../activity/activity.view.js';
import { paths } from '../paths.js';

/** When a payment to the address counts, and what it costs: of the amount that is asked for, or of any. */
export type DepositTerms =
  | { readonly kind: 'amount'; readonly sats: number; readonly confirmations: number; readonly feeSats: number }
  | {
      readonly kind: 'any';
      readonly bounds: readonly number[];
      readonly confirmations: readonly number[];
      readonly feeSats: number;
      readonly freeAboveSats: number;
    };

/** The bitcoin address beside an invoice. */
export interface AddressModel {
  /** Null: the wallet has none yet. */
  readonly address: string | null;
  readonly terms: DepositTerms;
}

export interface DepositsModel {
  /** What came to the address since the invoice was made. */
  readonly deposits: readonly Activity[];
  /** Of the wallet; null while none of them is credited. */
  readonly newBalance: Money | null;
}

const sats = (amount: number): Html => money(bitcoin(msatOfSats(amount)));

const tiers = (bounds: readonly number[], confirmations: readonly number[]): HtmlValue =>
  confirmations.map((count, index) => {
    const bound = bounds[index];
    const where = bound === undefined ? index > 0 && ' above' : html` up to ${sats(bound)}`;
    return html`${index > 0 && ', '}${count}${index === 0 && ` confirmation${count === 1 ? '' : 's'}`}${where}`;
  });

/** Dollars are bought when it counts, so that they are not known before. */
const INTO_DOLLARS = ['Into', 'Your US dollar wallet, at the price of that moment'] as const;

function termFacts(terms: DepositTerms, wallet: Currency): Html {
  const into = wallet === 'USD' && INTO_DOLLARS;
  if (terms.kind === 'any')
    return facts([
      ['Counts after', html`${tiers(terms.bounds, terms.confirmations)}`],
      ['Deposit fee', terms.feeSats === 0 ? 'None' : html`${sats(terms.feeSats)}, none above ${sats(terms.freeAboveSats)}`],
      into,
    ]);
  const { confirmations, feeSats } = terms;
  return facts([
    ['Counts after', `${confirmations} confirmation${confirmations === 1 ? '' : 's'}, about ${confirmations * 10} minutes`],
    ['Deposit fee', feeSats === 0 ? 'None' : html`${sats(feeSats)}${wallet === 'BTC' && html`: you get ${sats(terms.sats - feeSats)}`}`],
    into,
  ]);
}

export function addressCard(
  { address, terms }: AddressModel,
  { paymentHash, wallet, frame }: { readonly paymentHash: string; readonly wallet: Currency; readonly frame: ShellFrame },
): Html {
  if (address === null)
    return html`<form class="card" method="post" action="${paths.addressOfInvoice(paymentHash)}">
      ${csrfField(frame.csrf)}
      <div class="tight">
        <h2>Bitcoin address</h2>
        <p class="sub">For payers without Lightning. It takes longer, and there may be a fee.</p>
      </div>
      <p><button class="quiet">Show a bitcoin address</button></p>
    </form>`;
  return html`<section class="card">
    <div class="tight">
      <h2>Bitcoin address</h2>
      <p class="sub">For payers without Lightning, by the same QR code. A payment to it appears on this page; the invoice stays open.</p>
    </div>
    ${secret('address', address, 'the bitcoin address')} ${termFacts(terms, wallet)}
  </section>`;
}

/** Between two looks at payments that wait for their blocks, which no event reports. */
export const DEPOSIT_SECONDS = 15;

export const isAwaited = ({ deposits }: DepositsModel): boolean => deposits.some(({ state }) => state === 'pending');

export function depositsCard(model: DepositsModel, frame: ShellFrame): Html | false {
  if (model.deposits.length === 0) return false;
  return html`<section ${attributes({ class: 'card', 'data-due': isAwaited(model) && DEPOSIT_SECONDS })}>
    <h2>Paid to the bitcoin address</h2>
    ${activityList(model.deposits, frame)} ${model.newBalance !== null && facts([['New balance', money(model.newBalance)]])}
  </section>`;
}
