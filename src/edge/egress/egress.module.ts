import { Global, Module } from '@nestjs/common';
import { EgressClient } from './egress-client.js';

/** HTTP requests to addresses that callers of Sluice chose. */
@Global()
@Module({ providers: [EgressClient], exports: [EgressClient] })
export class EgressModule {}
