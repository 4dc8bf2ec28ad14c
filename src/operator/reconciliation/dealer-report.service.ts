import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { LedgerService, type DealerPosition } from '../../money/ledger/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { centsOfMsat, PriceService, DealerSettings } from '../../money/price/index.js';

/** One statement: in two, money could move in between. Currency 2: dollars. */
const POSITION = sql`SELECT coalesce(sum(posted) FILTER (WHERE id = ledger_system_account('dealerBtc')), 0)::int8 AS "btcMsat",
          coalesce(sum(posted) FILTER (WHERE id = ledger_system_account('dealerUsd')), 0)::int8 AS "usdCents",
          coalesce(sum(posted) FILTER (WHERE id > 0), 0)::int8 AS "customersCents"
     FROM ledger_account WHERE currency = 2 OR id = ledger_system_account('dealerBtc')`;

/** The dealer's accounts beside the dollars of customers: together these are zero. */
export interface DealerReport extends DealerPosition {
  readonly customersCents: bigint;
  readonly centsPerBtc: bigint | null;
  /** The dealer would have this if it closed its position at the price of now, without a spread; null without a price. */
  readonly resultCents: bigint | null;
}

@Injectable()
export class DealerReportService {
  constructor(
    private readonly database: Database,
    ledger: LedgerService,
    private readonly prices: PriceService,
    settings: DealerSettings,
    metrics: Metrics,
  ) {
    metrics.gauge('sluice_dealer_btc_msat', 'Bitcoin that the dealer has bought from customers and not sold', async () =>
      Number((await ledger.dealerPosition()).btcMsat),
    );
    metrics.gauge('sluice_dealer_owed_cents', 'US cents that the dealer owes: all that customers have', async () =>
      Number(-(await ledger.dealerPosition()).usdCents),
    );
    metrics.gauge(
      'sluice_dealer_limit_cents',
      'The most US cents that the dealer may owe (DEALER_LIMIT_CENTS)',
      () => settings.DEALER_LIMIT_CENTS,
    );
    metrics.gauge(
      'sluice_dealer_result_cents',
      'US cents that the dealer would have if it closed its position at the price of now; NaN without a price',
      async () => Number(this.resultOf(await ledger.dealerPosition()) ?? NaN),
    );
  }

  async report(): Promise<DealerReport> {
    const [found] = await this.database.query<DealerPosition & Pick<DealerReport, 'customersCents'>>(POSITION);
    const position = found ?? { btcMsat: 0n, usdCents: 0n, customersCents: 0n };
    return { ...position, centsPerBtc: this.prices.centsPerBtc, resultCents: this.resultOf(position) };
  }

  private resultOf({ btcMsat, usdCents }: DealerPosition): bigint | null {
    const { centsPerBtc } = this.prices;
    return centsPerBtc === null ? null : centsOfMsat(btcMsat, centsPerBtc) + usdCents;
  }
}
