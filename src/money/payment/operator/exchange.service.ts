import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../../platform/database/index.js';
import type { Currency } from '../../wallet/index.js';

interface ExchangedAmount {
  readonly currency: Currency;
  /** In the minor unit of the payer's wallet, or of the recipient's. */
  readonly amount: bigint;
}

export interface Exchange {
  readonly gave: ExchangedAmount;
  readonly got: ExchangedAmount;
  readonly centsPerBtc: bigint;
}

/** What customers have paid is below zero in the ledger. */
const FIND = sql`SELECT CASE e.currency WHEN 1 THEN 'BTC' ELSE 'USD' END AS currency, e.amount, p.dealer_cents_per_btc AS "centsPerBtc"
          FROM payment p JOIN ledger_journal j ON j.idem = p.id JOIN ledger_entry e ON e.journal_id = j.id AND e.account_id > 0
         WHERE p.id = $1 AND p.dealer_cents_per_btc IS NOT NULL`;

@Injectable()
export class ExchangeService {
  constructor(private readonly database: Database) {}

  async find(paymentId: string): Promise<Exchange | null> {
    const entries = await this.database.query<ExchangedAmount & Pick<Exchange, 'centsPerBtc'>>(FIND, [paymentId]);
    const [paid, got] = [entries.find(({ amount }) => amount < 0n), entries.find(({ amount }) => amount > 0n)];
    return paid && got ? { gave: { ...paid, amount: -paid.amount }, got, centsPerBtc: got.centsPerBtc } : null;
  }
}
