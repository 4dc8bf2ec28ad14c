import { Injectable } from '@nestjs/common';
import { Events } from '../../../platform/events/index.js';
import { ThrottledReport } from '../../../platform/kernel/throttled-report.js';
import { Log } from '../../../platform/logging/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { DepositStore, type BlockRef, type DepositStep } from './deposit.store.js';

/** Books what a scan has found, and reports what it did: to people by the events, to the operator by the log. */
@Injectable()
export class DepositBooking {
  private readonly log = new Log(DepositBooking.name);
  private readonly outcomes;
  private readonly refused = new ThrottledReport((outputs) =>
    this.log.error('deposit_refused', { outputs }, `The ledger refuses deposits, which are not credited: ${outputs}`),
  );

  constructor(
    private readonly store: DepositStore,
    private readonly events: Events,
    metrics: Metrics,
  ) {
    this.outcomes = metrics.counter('sluice_deposits_total', 'What happened to on-chain deposits, by outcome', ['outcome']);
    metrics.gauge('sluice_deposits_to_review', 'On-chain deposits that need the operator', () => store.countToReview());
  }

  /** @param from the height of the first block that was scanned */
  async settle(scan: bigint, from: number, tip: BlockRef): Promise<void> {
    this.report(await this.store.settle(scan, from, tip));
    this.events.poll();
  }

  private report(steps: readonly DepositStep[]): void {
    for (const { step, txid, vout, sats, result } of steps) {
      const output = `${txid}:${vout}`;
      const fields = { output, sats: String(sats) };
      this.outcomes.inc({ outcome: result === 'ok' ? step : 'refused' });
      if (result !== 'ok') this.refused.add(output);
      else if (step === 'unclaim')
        this.log.error(
          'deposit_unclaimed',
          fields,
          `${sats} sats for a wallet that is gone (${output}) are booked to the unclaimed account`,
        );
      else if (step === 'hold')
        this.log.error(
          'deposit_reorganised',
          fields,
          `A reorganisation has taken the credited deposit ${output} of ${sats} sats out of its block`,
        );
      else if (step === 'release')
        this.log.info('deposit_confirmed_again', fields, `The deposit ${output} of ${sats} sats is confirmed again`);
    }
  }
}
