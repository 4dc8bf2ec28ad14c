import { Module } from '@nestjs/common';
import { SignInModule } from '../../access/signin/index.js';
import { UserModule } from '../../access/user/index.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleService } from './console.service.js';

@Module({ imports: [SignInModule, UserModule], controllers: [ConsoleController], providers: [ConsoleService] })
export class ConsoleModule {}
