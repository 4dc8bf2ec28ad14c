import type { IntraLedgerOrder } from './intraledger.js';
import type { LightningOrder } from './lightning.js';
import type { OnChainOrder } from './onchain.js';

/** What a payer wants to be paid. It can be stored as JSON. */
export type PaymentOrder = LightningOrder | IntraLedgerOrder | OnChainOrder;

/** What is judged again at the approval of the payer. `node`: of the payee of an invoice. */
export interface AskedOrder {
  readonly order: PaymentOrder;
  readonly memo: string | null;
  readonly node: string | null;
}
