import { Module } from '@nestjs/common';
import { GlobalsResolver } from './globals.resolver.js';

@Module({ providers: [GlobalsResolver] })
export class ServerModule {}
