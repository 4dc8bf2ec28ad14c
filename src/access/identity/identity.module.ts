import { Module } from '@nestjs/common';
import { Jobs } from '../../platform/job/index.js';
import { SessionModule, SessionService } from '../session/index.js';
import { AccessPauseService, UserModule } from '../user/index.js';
import { IdentityLogoutController } from './identity-logout.controller.js';
import { IdentityLogouts } from './identity-logout.js';
import { IdentityRemoval } from './identity-removal.js';
import { IdentitySignIn } from './identity-sign-in.js';

@Module({
  imports: [SessionModule, UserModule],
  controllers: [IdentityLogoutController],
  providers: [IdentityLogouts, IdentityRemoval, IdentitySignIn],
  exports: [IdentityRemoval, IdentitySignIn],
})
export class IdentityModule {
  constructor(jobs: Jobs, removal: IdentityRemoval, sessions: SessionService, pauses: AccessPauseService) {
    sessions.joinProved((tx, userId) => pauses.setWithin(tx, userId, 'identity', false));
    jobs.schedule('identity_absence', { everySeconds: 3_600, atStart: true }, ({ signal }) => removal.removeAbsent(signal));
  }
}
