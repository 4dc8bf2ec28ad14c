import { Injectable } from '@nestjs/common';
import { columns, Database, sql, type RowOf } from '../../../platform/database/index.js';
import { LedgerEvidenceService, type CustomerEntry } from '../../ledger/index.js';
import { PaymentEntity } from '../payment.entity.js';

const PRICE = columns(PaymentEntity).only('dealerCentsPerBtc');
const FIND_PRICE = sql`SELECT ${PRICE.of('p')} FROM payment p WHERE p.id = $1`;

export interface Exchange {
  /** Positive, in the minor unit of the payer's wallet, or of the recipient's. */
  readonly gave: CustomerEntry;
  readonly got: CustomerEntry;
  readonly centsPerBtc: bigint;
}

@Injectable()
export class ExchangeService {
  constructor(
    private readonly database: Database,
    private readonly ledger: LedgerEvidenceService,
  ) {}

  async find(paymentId: string): Promise<Exchange | null> {
    const [payment] = await this.database.query<RowOf<typeof PRICE>>(FIND_PRICE, [paymentId]);
    const centsPerBtc = payment?.dealerCentsPerBtc ?? null;
    if (centsPerBtc === null) return null;
    const entries = await this.ledger.listCustomerEntries(paymentId);
    const [paid, got] = [entries.find(({ amount }) => amount < 0n), entries.find(({ amount }) => amount > 0n)];
    return paid && got ? { gave: { ...paid, amount: -paid.amount }, got, centsPerBtc } : null;
  }
}
