import { Global, Module } from '@nestjs/common';
import { Loops } from './loops.js';

/** Work that each process repeats. */
@Global()
@Module({ providers: [Loops], exports: [Loops] })
export class LoopModule {}
