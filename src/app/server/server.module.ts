import { Module } from '@nestjs/common';
import { GlobalsResolver } from './globals.resolver.js';

/** Information about this server. */
@Module({ providers: [GlobalsResolver] })
export class ServerModule {}
