import { Module } from '@nestjs/common';
import { Jobs } from '../../platform/job/index.js';
import { OperatorActionModule } from '../../platform/operator-action/index.js';
import { AccessPauseService } from './access-pause.service.js';
import { EmailLinks } from './email-links.js';
import { EmailRegistrations } from './email-registrations.js';
import { EmailRequests, EmailService } from './email.service.js';
import { InvitationService } from './invitation.service.js';
import { OperatorService } from './operator.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { Passwords } from './passwords.js';
import { AuthorizationResolver } from './authorization.resolver.js';
import { UserResolver } from './user.resolver.js';
import { ProfileService, UserService } from './user.service.js';
import { RegistrationService } from './registration.service.js';
import { ResetLinkService } from './reset-link.service.js';

const SERVICES = [
  AccessPauseService,
  EmailLinks,
  EmailRegistrations,
  EmailRequests,
  EmailService,
  InvitationService,
  OperatorService,
  PasswordResetService,
  Passwords,
  ProfileService,
  RegistrationService,
  ResetLinkService,
  UserService,
];

@Module({ imports: [OperatorActionModule], providers: [...SERVICES, AuthorizationResolver, UserResolver], exports: SERVICES })
export class UserModule {
  constructor(jobs: Jobs, invitations: InvitationService) {
    jobs.schedule('invitation_cleanup', { everySeconds: 3_600, atStart: true }, ({ signal }) => invitations.purge(signal));
  }
}
