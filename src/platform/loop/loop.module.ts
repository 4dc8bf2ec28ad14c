import { Global, Module } from '@nestjs/common';
import { Loops } from './loop.js';

@Global()
@Module({ providers: [Loops], exports: [Loops] })
export class LoopModule {}
