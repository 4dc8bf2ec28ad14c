import { int, Setting } from '../../platform/config/index.js';

const PPM_PER_BPS = 100;

/** The operator as the counterparty of exchanges between bitcoin and dollars. */
export class DealerSettings {
  static readonly title = 'Dealer';

  @Setting(
    'what the dealer adds to the price for customers who buy bitcoin with dollars, and takes from it for those who sell, in hundredths of a percent; the spread of a price source of your own comes on top',
  )
  @int(0, 5_000)
  DEALER_SPREAD_BPS = 20;

  @Setting(
    'the most US cents that all customers together may have: payments that would bring them more are refused with `DEALER_LIMIT`, see [Dollars](../operating-money.md#dollars)',
  )
  @int(0, 1_000_000_000_000)
  DEALER_LIMIT_CENTS = 10_000_000;

  @Setting(
    'the spread of invoices in dollars, which can be paid at their price until they expire, in hundredths of a percent; `DEALER_SPREAD_BPS` if that is more',
  )
  @int(0, 5_000)
  DEALER_INVOICE_SPREAD_BPS = 50;

  @Setting(
    'the most US cents of invoices in dollars that are open at a time for one account: those that it creates, and as much again of those that others create for it. More are refused with `DEALER_LIMIT`',
  )
  @int(0, 1_000_000_000_000)
  DEALER_INVOICE_OPEN_CENTS = 100_000;

  get spreadPpm(): number {
    return this.DEALER_SPREAD_BPS * PPM_PER_BPS;
  }

  get invoiceSpreadPpm(): number {
    return Math.max(this.DEALER_SPREAD_BPS, this.DEALER_INVOICE_SPREAD_BPS) * PPM_PER_BPS;
  }
}
