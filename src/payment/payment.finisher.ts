import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { isUnavailable } from '../database/index.js';
import { BoundedMap } from '../kernel/bounded-map.js';
import { Gathered } from '../kernel/gathered.js';
import { retries } from '../kernel/retries.js';
import type { SettledPayment } from '../lightning/index.js';
import { Metrics } from '../metrics/index.js';
import type { SendFailure } from './payment.outcome.js';
import { PaymentStore, type Ended, type PaymentEnding } from './payment.store.js';
import { PaymentWatch } from './payment.watch.js';

/** A payment that the node has spoken about finally. */
export interface InFlight {
  readonly id: string;
  readonly paymentHash: string;
}

/** `unsent` and `lost` are failures that hold only if the database agrees when it locks the payment: see `payment_finish`. */
export type FinalWord = SettledPayment | { readonly status: 'failed' | 'unsent' | 'lost'; readonly reason: SendFailure };

/**
 * What became of the node's word. `refused`: it cannot be true, or not any more; the payment stays in flight, and a person has to look.
 * `delayed`: the database could not take it now, and the payment stays held; the finisher tells it again.
 */
export type Finish = 'taken' | 'refused' | 'delayed';

const RECENT_KEPT = 1_000;
/** So many words are told again by this process; the others, and those of which it has told for so long, are left to the reconciler. */
const MOST_OWED = 10_000;
const TELL_AGAIN_MS = 3_600_000;
/** Transactions of ours are over sooner: what is locked for so long is held by another session. */
const OVERDUE_MS = 2_000;

/** The one way in which a payment in flight ends, whoever heard of its end: the caller, the stream or the reconciler. */
@Injectable()
export class PaymentFinisher implements OnApplicationShutdown {
  private readonly log = new Logger(PaymentFinisher.name);
  private readonly losses: Counter<'cause'>;

  /** The node says most things twice, as its answer and on its stream: what this process has finished just now is not told to the database again. */
  private readonly recent = new BoundedMap<string, Promise<Finish>>(RECENT_KEPT);
  /** What the database could not take. */
  private readonly owed = new Map<string, { readonly since: number }>();
  private readonly stopping = new AbortController();
  private readonly locked = new Gathered((ids) =>
    this.log.warn(
      `The end of payment ${ids} waits for a row that another session has locked: it is booked when that session lets go, end it`,
    ),
  );
  private readonly away = new Gathered((ids, because) =>
    this.log.warn(`The end of payment ${ids} could not be booked now, and the payment stays held; it is tried again: ${because}`),
  );

  constructor(
    private readonly store: PaymentStore,
    private readonly watch: PaymentWatch,
    metrics: Metrics,
  ) {
    const help = 'What payments have cost the operator: overcharged (more than was held) and overtaken (sent after the money was released)';
    this.losses = metrics.counter('sluice_payment_losses_msat_total', help, ['cause']);
  }

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** @throws what is a fault of ours */
  finish(payment: InFlight, outcome: FinalWord): Promise<Finish> {
    const word = `${payment.id} ${outcome.status}`;
    const known = this.recent.get(word);
    if (known) return known;
    const finishing = this.book(payment, outcome);
    this.recent.set(word, finishing);
    // What did not work out may be tried again.
    finishing.then((finish) => finish === 'taken' || this.recent.delete(word)).catch(() => this.recent.delete(word));
    return finishing;
  }

  private async book(payment: InFlight, outcome: FinalWord): Promise<Finish> {
    const { id, paymentHash } = payment;
    if (outcome.status === 'settled' && createHash('sha256').update(Buffer.from(outcome.preimage, 'hex')).digest('hex') !== paymentHash) {
      this.log.error(`The node says that payment ${id} is settled, with a preimage that does not fit its hash`);
      return 'refused';
    }
    const ended = await this.store.finish(endingOf(id, outcome)).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      this.away.add(id, (error as Error).message);
    });
    if (ended?.code === 'locked' && this.isOverdue(payment, outcome)) this.locked.add(id);
    if (!ended || ended.code === 'locked') {
      this.owe(payment, outcome);
      return 'delayed';
    }
    return this.tell(id, outcome, ended);
  }

  private tell(id: string, outcome: FinalWord, { code, lossMsat }: Ended): Finish {
    if (lossMsat > 0n) this.tellLoss(id, code, lossMsat);
    if (code === 'finished')
      this.watch.tell(
        outcome.status === 'settled'
          ? { kind: 'settled', transactionId: id }
          : { kind: 'failed', transactionId: id, reason: outcome.reason },
      );
    if (code === 'refused') {
      const word = outcome.status === 'settled' ? `settled for a fee of ${outcome.feeMsat} msat` : 'failed';
      this.log.error(`The node says that payment ${id} ${word}, which cannot be booked: it stays as it is`);
    }
    return code === 'refused' || code === 'held' ? 'refused' : 'taken';
  }

  /** `lost` is not told again: it holds only at the moment when the node was asked. */
  private owe(payment: InFlight, outcome: FinalWord): void {
    const word = `${payment.id} ${outcome.status}`;
    if (outcome.status === 'lost' || this.owed.has(word) || this.owed.size >= MOST_OWED) return;
    this.owed.set(word, { since: performance.now() });
    this.insist(payment, outcome)
      .catch((error: unknown) => this.log.error(error))
      .finally(() => this.owed.delete(word));
  }

  private isOverdue({ id }: InFlight, { status }: FinalWord): boolean {
    const { since = Infinity } = this.owed.get(`${id} ${status}`) ?? {};
    return performance.now() - since >= OVERDUE_MS;
  }

  private async insist(payment: InFlight, outcome: FinalWord): Promise<void> {
    const since = performance.now();
    for await (const retry of retries(this.stopping.signal)) {
      if ((await this.finish(payment, outcome)) !== 'delayed') return;
      if (performance.now() - since > TELL_AGAIN_MS)
        return this.log.error(`Payment ${payment.id} has ended, and could not be booked in ${retry} retries: it is left to the reconciler`);
    }
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
}

const endingOf = (id: string, outcome: FinalWord): PaymentEnding =>
  outcome.status === 'settled'
    ? { id, state: 'settled', feeMsat: outcome.feeMsat, preimage: outcome.preimage, failure: null }
    : { id, state: outcome.status, feeMsat: 0n, preimage: null, failure: outcome.reason };
