import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Clock } from '../kernel/clock.js';
import { PriceSource, type PriceQuote } from './price-source.js';

/** The last moment that a Date can be. */
const NEVER = new Date(8_640_000_000_000_000);

/** A constant price, or none, from the configuration. */
@Injectable()
export class FixedPrice extends PriceSource {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async findQuote(): Promise<PriceQuote | undefined> {
    const { fixedCentsPerBtc } = this.config.price;
    if (fixedCentsPerBtc === null) return undefined;
    return { centsPerBtc: BigInt(fixedCentsPerBtc), at: new Date(this.clock.now()), spreadPpm: 0, expiresAt: NEVER };
  }
}
