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

  get spreadPpm(): number {
    return this.DEALER_SPREAD_BPS * PPM_PER_BPS;
  }
}
