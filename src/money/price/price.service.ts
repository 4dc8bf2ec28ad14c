import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { unlessAborted } from '../../platform/kernel/unless-aborted.js';
import { Log } from '../../platform/logging/index.js';
import { Loops, type Loop } from '../../platform/loop/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { HttpPrice } from './http-price.js';
import { checkQuote, exchangeUntilOf, PriceSource, type PriceQuote } from './price-source.js';
import { PriceSettings } from './price.settings.js';

const NEVER = new Date(8_640_000_000_000_000);

/** The demo's, for a US dollar: more than one country's display currencies to try. */
const DEMO_RATES =
  'EUR:0.92 GBP:0.79 CHF:0.88 CAD:1.37 AUD:1.52 JPY:151 CNY:7.2 INR:83.5 BRL:5.4 ARS:980 MXN:18.2 CLP:940 KES:129 NGN:1550 ZAR:18.3 TRY:34 PHP:57 IDR:15900 KRW:1350 THB:34.5';
const demoRates = Object.fromEntries(DEMO_RATES.split(' ').map((rate) => [rate.slice(0, 3), Number(rate.slice(4))]));

/** A constant price, or none, from the configuration. */
@Injectable()
export class FixedPrice extends PriceSource {
  constructor(
    private readonly settings: PriceSettings,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    super();
  }

  get isSet(): boolean {
    return this.settings.PRICE_SOURCE === 'fixed';
  }

  override async findQuote(): Promise<PriceQuote | undefined> {
    if (!this.isSet) return undefined;
    const centsPerBtc = BigInt(this.settings.FIXED_PRICE_CENTS_PER_BTC);
    const rates = this.config.mode === 'demo' ? { rates: demoRates } : {};
    return { centsPerBtc, ...rates, at: new Date(this.clock.now()), spreadPpm: 0, expiresAt: NEVER, exchangeUntil: NEVER };
  }
}

const LIMIT_MS = 2_000;
/** The source is asked again when half of the time is over for which its quote is valid, between these bounds. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

/** The price that this process uses now: asked for in advance, so that no payment waits for a source. */
@Injectable()
export class PriceService implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log(PriceService.name);
  private readonly loop: Loop;
  private source: PriceSource;
  private latest: PriceQuote | undefined;
  /** By `Clock.elapsed()`: a price lasts no longer when the database's clock is set back, and no shorter when it is set forth. */
  private untilMs = 0;
  private exchangeUntilMs = 0;
  private readonly bus = new EventEmitter().setMaxListeners(0);
  private isMissing = false;

  constructor(
    fixed: FixedPrice,
    http: HttpPrice,
    private readonly clock: Clock,
    loops: Loops,
    metrics: Metrics,
  ) {
    this.source = http.isConfigured ? http : fixed;
    this.loop = loops.create({
      name: 'price',
      pauseMs: () => this.pauseMs(),
      limitMs: LIMIT_MS,
      round: (signal) => this.ask(signal).finally(() => this.bus.emit('asked')),
      onFailure: ({ message }) => this.noteMissing(message),
    });
    metrics.gauge(
      'sluice_price_exchangeable',
      '1 while there is a price that is recent enough for exchanges between bitcoin and dollars, else 0',
      () => Number(this.exchangeQuote !== undefined),
    );
    metrics.gauge('sluice_price_available', '1 while there is a price to be trusted, else 0', () => Number(this.quote !== undefined));
  }

  async onModuleInit(): Promise<void> {
    await this.ask(AbortSignal.timeout(LIMIT_MS)).catch((error: unknown) => this.noteMissing((error as Error).message));
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Replaces the source. Call it before the application starts. @internal */
  use(source: PriceSource): void {
    this.source = source;
  }

  /** False where the operator has chosen that there are no prices: pages then show no dollars at all. */
  get hasSource(): boolean {
    return !(this.source instanceof FixedPrice) || this.source.isSet;
  }

  /** Undefined while there is no price to be trusted. */
  get quote(): PriceQuote | undefined {
    return this.clock.elapsed() < this.untilMs ? this.latest : undefined;
  }

  /** The same while it is recent enough for money to be exchanged at it. */
  get exchangeQuote(): PriceQuote | undefined {
    return this.clock.elapsed() < this.exchangeUntilMs ? this.quote : undefined;
  }

  /** US cents for one bitcoin, to be stored with a payment or an invoice; null without a price to be trusted. */
  get centsPerBtc(): bigint | null {
    return this.quote?.centsPerBtc ?? null;
  }

  /** Asks the source now, instead of at the end of the pause: for a source that knows when its price changes. */
  refresh(): void {
    this.loop.wake();
  }

  /**
   * Calls `notice` whenever the price may have changed, or may have come or gone.
   * @returns a function that ends it
   */
  onChange(notice: () => void): () => void {
    this.bus.on('asked', notice);
    return () => void this.bus.off('asked', notice);
  }

  private async ask(signal: AbortSignal): Promise<void> {
    const askedAtMs = this.clock.elapsed();
    const quote = await unlessAborted(this.source.findQuote(), signal);
    if (quote) checkQuote(quote);
    // A source that has none withdraws what it said before; one that does not answer leaves its quote valid until it expires.
    if (!signal.aborted) this.latest = quote;
    if (!signal.aborted && quote) {
      const elapsedAt = (time: Date): number => time.getTime() - this.clock.now() + this.clock.elapsed();
      this.untilMs = elapsedAt(quote.expiresAt);
      this.exchangeUntilMs = quote.exchangeUntil ? elapsedAt(quote.exchangeUntil) : exchangeUntilOf(askedAtMs, elapsedAt(quote.at));
    }
    if (!this.quote) return this.noteMissing(signal.aborted ? 'the source did not answer' : 'the source has none');
    if (this.isMissing) this.log.info('price_available', {}, 'There is a price again');
    this.isMissing = false;
  }

  private noteMissing(reason: string): void {
    // Without a source of its own, the organisation has chosen that there is none.
    if (this.quote || this.isMissing || this.source instanceof FixedPrice) return;
    this.isMissing = true;
    this.log.warn(
      'price_unavailable',
      {},
      `There is no price to be trusted: ${reason}; dollars are not shown; payments and invoices in bitcoin are made without a price`,
    );
  }

  private pauseMs(): number {
    const validMs = this.quote ? this.untilMs - this.clock.elapsed() : 0;
    return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, validMs / 2));
  }
}
