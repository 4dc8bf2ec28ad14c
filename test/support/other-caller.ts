import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../src/testing/eventually.js';

/** What a caller beside a flood saw. Times are for the record: how long an answer takes depends on the machine. */
export interface CallerFigures {
  readonly answers: number;
  readonly refused: readonly string[];
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** Of this process, which is the server's too. */
  readonly rssMb: number;
}

const PAUSE_MS = 25;
const MEGABYTE = 2 ** 20;

/** A caller beside a flood: sends one request after the other, and records how long each answer took. */
export class OtherCaller {
  private readonly times: number[] = [];
  private readonly refused: string[] = [];
  private rss = 0;
  private isOver = false;
  private readonly ended: Promise<void>;

  /** @param ask sends one request; the answer of one that was refused */
  constructor(private readonly ask: () => Promise<string | null>) {
    this.ended = this.run();
  }

  /** The answers so far: a flood lasts until there are some. */
  get answers(): number {
    return this.times.length;
  }

  /** Waits for this number of further answers: what a flood holds meanwhile does not hold up this caller. */
  async answered(more: number): Promise<void> {
    const until = this.answers + more;
    await eventually(() => this.answers >= until);
  }

  async stop(): Promise<CallerFigures> {
    this.isOver = true;
    await this.ended;
    const sorted = [...this.times].sort((a, b) => a - b);
    const at = (share: number): number => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN);
    return {
      answers: sorted.length,
      refused: this.refused,
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      maxMs: at(1),
      rssMb: Math.round(this.rss / MEGABYTE),
    };
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const since = performance.now();
      const refusal = await this.ask();
      if (refusal !== null) this.refused.push(refusal);
      this.times.push(performance.now() - since);
      this.rss = Math.max(this.rss, process.memoryUsage().rss);
      await delay(PAUSE_MS);
    }
  }
}

/** Appends the figures of one flood to the file that the variable FLOODS names. */
export function record(flood: string, figures: CallerFigures): void {
  const file = process.env['FLOODS'];
  if (file) appendFileSync(file, `${flood.padEnd(44)} ${JSON.stringify(figures)}\n`);
}
