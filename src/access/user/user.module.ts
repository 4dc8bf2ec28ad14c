import { Module } from '@nestjs/common';
import { OperatorActionModule } from '../../platform/operator-action/index.js';
import { InvitationCleanupJob } from './invitation-cleanup.job.js';
import { InvitationService } from './invitation.service.js';
import { OperatorService } from './operator.service.js';
import { Passwords } from './passwords.js';
import { ProfileResolver } from './profile.resolver.js';
import { ProfileService } from './profile.service.js';
import { RegistrationService } from './registration.service.js';
import { UserResolver } from './user.resolver.js';
import { UserService } from './user.service.js';

@Module({
  imports: [OperatorActionModule],
  providers: [
    InvitationCleanupJob,
    InvitationService,
    OperatorService,
    Passwords,
    ProfileResolver,
    ProfileService,
    RegistrationService,
    UserResolver,
    UserService,
  ],
  exports: [InvitationService, OperatorService, Passwords, RegistrationService, UserService],
})
export class UserModule {}
