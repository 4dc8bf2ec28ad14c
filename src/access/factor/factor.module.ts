import { Module } from '@nestjs/common';
import { UserModule } from '../user/index.js';
import { Factors } from './factors.js';
import { RecoveryCodes } from './recovery-codes.js';
import { Totp } from './totp.js';

@Module({ imports: [UserModule], providers: [Factors, RecoveryCodes, Totp], exports: [Factors] })
export class FactorModule {}
