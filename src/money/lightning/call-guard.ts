import type { Counter } from 'prom-client';
import type { Clock } from '../../platform/kernel/clock.js';
import { Counts } from '../../platform/kernel/counts.js';
import { unlessAborted } from '../../platform/kernel/unless-aborted.js';
import { Log, LogInterval } from '../../platform/logging/index.js';
import type { Metrics } from '../../platform/metrics/index.js';
import type { LightningSettings } from './lightning.settings.js';

/** The port whose calls are guarded. */
export interface GuardedPort<Call extends string> {
  readonly component: 'LightningNode' | 'OnChainWallet';
  /** In the names of the metrics. */
  readonly name: 'lightning' | 'onchain';
  readonly event: 'lightning_call_fault' | 'onchain_call_fault';
  readonly calls: readonly Call[];
}

type Fault = 'late' | 'threw' | 'too_many';

interface CallOptions<Answer> {
  readonly unknown: Answer;
  /** The result if too many calls are in progress, so that the back end was not called. */
  readonly refused?: Answer;
  readonly deadlineMs?: number;
  /** The payer in whose share of the limit the call counts. */
  readonly payer?: string | undefined;
  /** Receives an answer that arrives after the deadline. */
  readonly late?: (answer: Answer) => void;
}

/**
 * Makes the calls to the back end. Every call has a deadline, an exception counts as unknown, a stream ends on its signal, and the calls in
 * progress are limited. A call past its deadline no longer counts against the limit, because an adapter that never answers would otherwise
 * shut out a node that has recovered.
 */
export class CallGuard<Call extends string> {
  private readonly log: Log;
  private readonly inProgress: Record<Call, number>;
  private readonly byPayer = new Counts();
  private readonly faults: Counter<'call' | 'fault'>;
  /** Each kind of fault of each call is logged once an interval, because a hanging node is one problem; every fault is counted. */
  private readonly faultLog = new LogInterval(10_000);

  constructor(
    private readonly port: GuardedPort<Call>,
    private readonly limits: LightningSettings,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.log = new Log(port.component);
    this.inProgress = Object.fromEntries(port.calls.map((call) => [call, 0])) as Record<Call, number>;
    metrics.labelledGauge(
      `sluice_${port.name}_calls_in_progress`,
      'Calls that the node has not answered yet',
      'call',
      () => this.inProgress,
    );
    const help = 'Calls of the back end that were late (past the deadline), threw, or were not made because too many were in progress';
    this.faults = metrics.counter(`sluice_${port.name}_call_faults_total`, help, ['call', 'fault']);
  }

  ask<Answer>(call: Call, work: () => Promise<Answer>, options: CallOptions<Answer>): Promise<Answer> {
    const { unknown, refused = unknown, deadlineMs = this.limits.callMs, late, payer } = options;
    if (!this.hasSlot(call, payer)) return Promise.resolve(refused);
    this.count(call, payer, 1);
    return new Promise((resolve) => {
      let open = true;
      const answer = (value: Answer): void => {
        if (!open) return late?.(value);
        open = false;
        cancelTimeout();
        this.count(call, payer, -1);
        resolve(value);
      };
      const cancelTimeout = this.clock.timeout(deadlineMs, () => {
        this.fault(call, 'late', `no answer within ${deadlineMs / 1000} s, the result is unknown`);
        answer(unknown);
      });
      answered(work).then(answer, (error: unknown) => {
        this.fault(call, 'threw', `threw, which the port forbids, the result is unknown: ${wordsOf(error)}`);
        answer(unknown);
      });
    });
  }

  /** Ends on the signal even if the back end does not, and never throws. Silence is no fault: there may be no events. */
  async *follow<Item>(stream: string, open: () => AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
    let items: AsyncIterator<Item> | undefined;
    try {
      items = open()[Symbol.asyncIterator]();
      while (!signal.aborted) {
        const next = await unlessAborted(items.next(), signal);
        if (!next || next.done) return;
        yield next.value;
      }
    } catch (error) {
      this.fault(stream, 'threw', `the stream threw, which the port forbids, and counts as interrupted: ${wordsOf(error)}`);
    } finally {
      // Not awaited: a stream that hangs would hang here too.
      items?.return?.().catch(() => undefined);
    }
  }

  /** A payer with n payments in progress needs n + 1 free slots, so that several busy payers still leave some to the others. */
  private hasSlot(call: Call, payer?: string): boolean {
    const all = this.inProgress[call];
    const own = payer === undefined ? 0 : this.byPayer.of(payer);
    const max = call === 'pay' ? this.limits.paymentsInProgress : this.limits.callsInProgress;
    if (own < max - all) return true;
    this.fault(call, 'too_many', `${all} are in progress${own > 0 ? `, ${own} of user ${payer}` : ''}, this one was not made`);
    return false;
  }

  private count(call: Call, payer: string | undefined, by: 1 | -1): void {
    this.inProgress[call] += by;
    if (payer !== undefined) this.byPayer.add(payer, by);
  }

  private fault(call: string, fault: Fault, words: string): void {
    this.faults.inc({ call, fault });
    if (this.faultLog.isOver(`${call} ${fault}`, this.clock.elapsed()))
      this.log.warn(this.port.event, { call, fault }, `The back end, ${call}: ${words}`);
  }
}

/** Rejects also on a synchronous throw, and on a missing answer. */
async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const answer = (await work()) as Answer | null | undefined;
  if (answer === undefined || answer === null) throw new Error('it answered nothing');
  return answer;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
