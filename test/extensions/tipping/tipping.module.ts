import { Module } from '@nestjs/common';
import { CoreModule } from '../../../src/index.js';
import { TippingResolver } from './tipping.resolver.js';
import { TippingService } from './tipping.service.js';

@Module({ imports: [CoreModule], providers: [TippingResolver, TippingService] })
export class TippingModule {}
