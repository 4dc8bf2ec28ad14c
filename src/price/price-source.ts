/** Where prices come from: a port. No money moves at a price in this version; prices are only shown, and kept with what happened. */
export abstract class PriceSource {
  /** US cents for one bitcoin, now. */
  abstract centsPerBtc(): bigint;
}
