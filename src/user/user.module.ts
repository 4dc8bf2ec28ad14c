import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';
import { RegistrationService } from './registration.service.js';
import { UserResolver } from './user.resolver.js';
import { UserService } from './user.service.js';

/** Users, their registration and passwords. */
@Module({
  providers: [Passwords, RegistrationService, UserResolver, UserService],
  exports: [Passwords, RegistrationService, UserService],
})
export class UserModule {}
