import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { PriceSource, type PriceQuote } from './price-source.js';
import { PriceSettings } from './price.settings.js';

/** The last moment that a Date can be. */
const NEVER = new Date(8_640_000_000_000_000);

/** A constant price, or none, from the configuration. */
@Injectable()
export class FixedPrice extends PriceSource {
  constructor(
    private readonly settings: PriceSettings,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async findQuote(): Promise<PriceQuote | undefined> {
    const { PRICE_SOURCE, FIXED_PRICE_CENTS_PER_BTC } = this.settings;
    if (PRICE_SOURCE !== 'fixed') return undefined;
    return { centsPerBtc: BigInt(FIXED_PRICE_CENTS_PER_BTC), at: new Date(this.clock.now()), spreadPpm: 0, expiresAt: NEVER };
  }
}
