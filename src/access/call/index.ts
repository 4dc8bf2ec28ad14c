import { Module } from '@nestjs/common';
import { CallService } from './call.service.js';

export { CallService, type CallRow } from './call.service.js';

@Module({ providers: [CallService], exports: [CallService] })
export class CallModule {}
