import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { BoundedMap } from '../kernel/bounded-map.js';
import type { SettledPayment } from '../lightning/index.js';
import { Metrics } from '../metrics/index.js';
import type { SendFailure } from './payment.outcome.js';
import { PaymentStore } from './payment.store.js';
import { PaymentWatch } from './payment.watch.js';

/** A payment that the node has spoken about finally. */
export interface InFlight {
  readonly id: string;
  readonly paymentHash: string;
}

/** `unsent` and `lost` are failures that hold only if the database agrees when it locks the payment: see `payment_finish`. */
export type FinalWord = SettledPayment | { readonly status: 'failed' | 'unsent' | 'lost'; readonly reason: SendFailure };

const RECENT_KEPT = 1_000;

/** The one way in which a payment in flight ends, whoever heard of its end: the caller, the stream or the reconciler. */
@Injectable()
export class PaymentFinisher {
  private readonly log = new Logger(PaymentFinisher.name);
  private readonly losses: Counter<'cause'>;

  /** The node says most things twice, as its answer and on its stream: what this process has finished just now is not told to the database again. */
  private readonly recent = new BoundedMap<string, Promise<boolean>>(RECENT_KEPT);

  constructor(
    private readonly store: PaymentStore,
    private readonly watch: PaymentWatch,
    metrics: Metrics,
  ) {
    const help = 'What payments have cost the operator: overcharged (more than was held) and overtaken (sent after the money was released)';
    this.losses = metrics.counter('sluice_payment_losses_msat_total', help, ['cause']);
  }

  /** @returns false when the node's word cannot be true: the payment stays in flight, and somebody has to look */
  finish(payment: InFlight, outcome: FinalWord): Promise<boolean> {
    const word = `${payment.id} ${outcome.status}`;
    const known = this.recent.get(word);
    if (known) return known;
    const finishing = this.book(payment, outcome);
    this.recent.set(word, finishing);
    // What did not work out may be tried again.
    finishing.then((booked) => booked || this.recent.delete(word)).catch(() => this.recent.delete(word));
    return finishing;
  }

  private async book({ id, paymentHash }: InFlight, outcome: FinalWord): Promise<boolean> {
    if (outcome.status !== 'settled') {
      const { code } = await this.store.finish({ id, state: outcome.status, feeMsat: 0n, preimage: null, failure: outcome.reason });
      if (code === 'finished') this.watch.tell({ kind: 'failed', transactionId: id, reason: outcome.reason });
      return this.wasTaken(id, code);
    }
    if (createHash('sha256').update(Buffer.from(outcome.preimage, 'hex')).digest('hex') !== paymentHash) {
      this.log.error(`The node says that payment ${id} is settled, with a preimage that does not fit its hash`);
      return false;
    }
    const { feeMsat, preimage } = outcome;
    const { code, lossMsat } = await this.store.finish({ id, state: 'settled', feeMsat, preimage, failure: null });
    if (lossMsat > 0n) this.tellLoss(id, code, lossMsat);
    if (code === 'finished') this.watch.tell({ kind: 'settled', transactionId: id });
    return this.wasTaken(id, code, ` settled for a fee of ${feeMsat} msat`);
  }

  /** What the operator pays, because its payer was told otherwise or may not be charged more than was held. */
  private tellLoss(id: string, code: string, lossMsat: bigint): void {
    const cause = code === 'overtaken' ? 'overtaken' : 'overcharged';
    this.losses.inc({ cause }, Number(lossMsat));
    if (cause === 'overtaken')
      this.log.error(
        `Payment ${id} was sent after its money had been released: ${lossMsat} msat are booked as a loss. Look at the node's record of it`,
      );
    else
      this.log.error(
        `Payment ${id} cost ${lossMsat} msat more than was held for it: they are booked as a loss. Look at the node's fee limit`,
      );
  }

  private wasTaken(id: string, code: string, word = ' failed'): boolean {
    if (code === 'refused') this.log.error(`The node says that payment ${id}${word}, which cannot be booked: it stays as it is`);
    return code !== 'refused' && code !== 'held';
  }
}
