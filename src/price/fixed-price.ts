import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { PriceSource } from './price-source.js';

/** A constant price, from the configuration. */
@Injectable()
export class FixedPrice extends PriceSource {
  constructor(private readonly config: Config) {
    super();
  }

  override centsPerBtc(): bigint {
    return BigInt(this.config.price.fixedCentsPerBtc);
  }
}
