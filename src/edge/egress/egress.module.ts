import { Global, Module } from '@nestjs/common';
import { EgressClient } from './egress-client.js';

@Global()
@Module({ providers: [EgressClient], exports: [EgressClient] })
export class EgressModule {}
