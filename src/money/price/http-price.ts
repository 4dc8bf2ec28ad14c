import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request, type Dispatcher } from 'undici';
import { boundedText } from '../../platform/kernel/bounded-text.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Log } from '../../platform/logging/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { answerOf } from './price-answer.js';
import { exchangeUntilOf, MAX_RATE, MIN_RATE, PriceSource, type PriceQuote } from './price-source.js';
import { PriceSettings, type HttpPriceSource } from './price.settings.js';

/** Below the two seconds that a source has as a whole. */
const LIMIT_MS = 1_500;
/** A source is asked again at the earliest after this part of the age that its answer may have, six seconds: public ones count the requests. */
const ASKS_PER_AGE = 20;
const CENTS_PER_DOLLAR = 100;

/** Its times are those of `Clock.elapsed()`. */
interface SourceState {
  readonly source: HttpPriceSource;
  askedAtMs: number;
  answer: { readonly perBtc: ReadonlyMap<string, number>; readonly atMs: number; readonly exchangeUntilMs: number } | undefined;
  failure: string;
  isUsed: boolean | undefined;
}
type Answered = SourceState & { readonly answer: NonNullable<SourceState['answer']> };

/** The median of several sources of `PRICE_SOURCES`, without those that are too old or differ too much. */
@Injectable()
export class HttpPrice extends PriceSource implements OnApplicationShutdown {
  private readonly log = new Log(HttpPrice.name);
  private readonly agent = new Agent({ connections: 2 });
  private readonly states: readonly SourceState[];
  private readonly counter;

  constructor(
    private readonly settings: PriceSettings,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    super();
    this.states = settings.sources.map((source) => ({
      source,
      askedAtMs: -Infinity,
      answer: undefined,
      failure: 'it was not asked yet',
      isUsed: undefined,
    }));
    this.counter = metrics.counter('sluice_price_requests_total', 'Requests to the sources of PRICE_SOURCES, by source and result', [
      'source',
      'result',
    ]);
    metrics.gauge(
      'sluice_price_sources_used',
      'Sources of PRICE_SOURCES whose answers make the price',
      () => this.states.filter(({ isUsed }) => isUsed).length,
    );
  }

  get isConfigured(): boolean {
    return this.states.length > 0;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  override async findQuote(): Promise<PriceQuote | undefined> {
    await Promise.all(this.states.map((state) => this.ask(state)));
    const nowMs = this.clock.elapsed();
    const recent = this.states.filter(
      (state): state is Answered => state.answer !== undefined && nowMs - state.answer.atMs <= this.settings.maxAgeMs,
    );
    const used = this.agreeing(recent);
    this.note(used, recent);
    if (used.length < this.settings.minSources) return undefined;
    // What was fetched a while ago has no part in a price at which money is exchanged, as long as it is not needed to show one.
    const latest = this.agreeing(recent.filter(({ answer }) => nowMs < answer.exchangeUntilMs));
    return quoteOf(latest.length < this.settings.minSources ? used : latest, this.settings, this.clock.now() - nowMs);
  }

  private agreeing(answers: readonly Answered[]): readonly Answered[] {
    return agreeing(answers.map(dollarsOf), this.settings.maxDeviationPercent).map((index) => answers[index] as Answered);
  }

  /** Never rejects: one source that is away must not take the others with it. */
  private async ask(state: SourceState): Promise<void> {
    const nowMs = this.clock.elapsed();
    if (nowMs - state.askedAtMs < this.settings.maxAgeMs / ASKS_PER_AGE) return;
    state.askedAtMs = nowMs;
    const { name, url } = state.source;
    try {
      const { perBtc, atMs } = answerOf(await readDocument(url, this.agent, LIMIT_MS), state.source);
      // A clock that is ahead must not keep an answer valid for longer.
      const sinceMs = Math.min(nowMs, this.clock.elapsed() - this.clock.now() + (atMs ?? Infinity));
      state.answer = { perBtc, atMs: sinceMs, exchangeUntilMs: exchangeUntilOf(nowMs, sinceMs) };
      this.counter.inc({ source: name, result: 'answered' });
    } catch (error) {
      state.failure = error instanceof SyntaxError ? 'the response is no JSON' : (error as Error).message;
      this.counter.inc({ source: name, result: 'failed' });
    }
  }

  private note(used: readonly SourceState[], recent: readonly SourceState[]): void {
    for (const state of this.states) {
      const isUsed = used.includes(state);
      const isNew = isUsed !== (state.isUsed ?? true);
      state.isUsed = isUsed;
      if (!isNew) continue;
      const { name } = state.source;
      if (isUsed) {
        this.log.info('price_source_accepted', { source: name }, `The price source ${name} gives a usable price again`);
        continue;
      }
      const stale = state.answer ? 'its last price is too old' : 'it has given none';
      const reason = recent.includes(state) ? 'its price is too far away from the median' : `${stale}: ${state.failure}`;
      this.log.warn('price_source_rejected', { source: name }, `The price source ${name} is not used: ${reason}`);
    }
  }
}

const dollarsOf = ({ answer }: Answered): number => answer.perBtc.get('USD') as number;

/** @param originMs the time since the epoch at which `Clock.elapsed()` was 0 */
function quoteOf(used: readonly Answered[], { minSources, maxAgeMs, maxDeviationPercent }: PriceSettings, originMs: number): PriceQuote {
  const newest = (times: readonly number[]): readonly number[] => [...times].sort((a, b) => b - a);
  const times = newest(used.map(({ answer }) => answer.atMs));
  const exchangeable = newest(used.map(({ answer }) => answer.exchangeUntilMs));
  return {
    centsPerBtc: BigInt(Math.round(medianOf(used.map(dollarsOf)) * CENTS_PER_DOLLAR)),
    rates: ratesOf(used, maxDeviationPercent),
    at: new Date(originMs + (times[0] as number)),
    spreadPpm: 0,
    // From then on, fewer answers than necessary are young enough.
    expiresAt: new Date(originMs + (times[minSources - 1] as number) + maxAgeMs),
    exchangeUntil: new Date(originMs + (exchangeable[minSources - 1] as number)),
  };
}

/** Each source's price in a currency beside its price in dollars; of several sources the median. */
function ratesOf(used: readonly Answered[], maxDeviationPercent: number): Record<string, number> {
  const rates: Record<string, number> = {};
  for (const code of new Set(used.flatMap(({ answer }) => [...answer.perBtc.keys()]))) {
    if (code === 'USD') continue;
    const all = used.flatMap((each) => {
      const price = each.answer.perBtc.get(code);
      return price === undefined ? [] : [price / dollarsOf(each)];
    });
    const rate = medianOf(agreeing(all, maxDeviationPercent).map((index) => all[index] as number));
    if (rate >= MIN_RATE && rate <= MAX_RATE) rates[code] = rate;
  }
  return rates;
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = NaN] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/**
 * The indexes of the values that are at most so far away from the median of all. Of two that contradict each other, neither remains:
 * either may be wrong.
 */
export function agreeing(values: readonly number[], maxDeviationPercent: number): number[] {
  const median = medianOf(values);
  const most = (median * maxDeviationPercent) / 100;
  return values.flatMap((value, index) => (Math.abs(value - median) <= most ? [index] : []));
}

/** Sources answer with some hundred bytes, or some kilobytes with all currencies. */
const MAX_BYTES = 262_144;

/**
 * Reads a document of a source, whose address the operator chose. Redirects are not followed.
 * @throws Error that says why there is none; it never has the address, which may contain a key
 */
async function readDocument(url: string, dispatcher: Dispatcher, timeoutMs: number): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      signal,
      headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Sluice' },
    });
    const text = await boundedText(body as AsyncIterable<Buffer>, MAX_BYTES);
    if (text === undefined) throw new Failure(`the response is longer than ${MAX_BYTES} bytes`);
    if (statusCode !== 200) throw new Failure(`the response has the status ${statusCode}`);
    return text;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(signal.aborted ? `no response within ${timeoutMs} ms` : 'the source cannot be reached', { cause: error });
  }
}

class Failure extends Error {}
