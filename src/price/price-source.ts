/** Port: the source of prices. In this version no money moves at a price; prices are only shown, and stored with invoices and payments. */
export abstract class PriceSource {
  /** US cents for one bitcoin, now. */
  abstract centsPerBtc(): bigint;
}
