import { Module } from '@nestjs/common';
import { SessionModule } from '../session/index.js';
import { UserModule } from '../user/index.js';
import { IdentitySignIn } from './identity-sign-in.js';

@Module({ imports: [SessionModule, UserModule], providers: [IdentitySignIn], exports: [IdentitySignIn] })
export class IdentityModule {}
