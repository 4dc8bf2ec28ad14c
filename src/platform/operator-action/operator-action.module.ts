import { Module } from '@nestjs/common';
import { OperatorActions } from './operator-action.service.js';

/** The log of what operators have done. */
@Module({ providers: [OperatorActions], exports: [OperatorActions] })
export class OperatorActionModule {}
