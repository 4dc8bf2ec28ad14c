import { Module } from '@nestjs/common';
import { UserModule } from '../user/index.js';
import { Factors } from './factors.js';
import { Passkeys } from './passkeys.js';
import { RecoveryCodes } from './recovery-codes.js';
import { Totp } from './totp.js';

@Module({ imports: [UserModule], providers: [Factors, Passkeys, RecoveryCodes, Totp], exports: [Factors, Passkeys] })
export class FactorModule {}
