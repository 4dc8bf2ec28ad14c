import { Module } from '@nestjs/common';
import { FixedPrice } from './fixed-price.js';
import { PriceResolver } from './price.resolver.js';
import { PriceSource } from './price-source.js';

@Module({ providers: [{ provide: PriceSource, useClass: FixedPrice }, PriceResolver], exports: [PriceSource] })
export class PriceModule {}
