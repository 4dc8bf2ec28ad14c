/** Where prices come from: a port. Money is moved at no price in this version; prices are shown, and frozen beside what happened. */
export abstract class PriceSource {
  /** US cents for one bitcoin, now. */
  abstract centsPerBtc(): bigint;
}
