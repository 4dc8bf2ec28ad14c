import { Module } from '@nestjs/common';
import { CoreModule } from '../../../src/index.js';
import { TippingResolver } from './tipping.resolver.js';
import { TippingService } from './tipping.service.js';
import { TipsController } from './tips.controller.js';

@Module({ imports: [CoreModule], controllers: [TipsController], providers: [TippingResolver, TippingService] })
export class TippingModule {}
