import { Module } from '@nestjs/common';
import { OperatorActions } from './operator-action.service.js';

@Module({ providers: [OperatorActions], exports: [OperatorActions] })
export class OperatorActionModule {}
