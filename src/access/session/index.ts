// Sessions, and sign-in by password: its rules and rate limits are in sign-in.service.ts.
export { PageSessions } from './page-sessions.js';
export { SessionEntity } from './session.entity.js';
export { SessionModule } from './session.module.js';
export { SessionService } from './session.service.js';
export { SignInService, type SignInAttempt, type SignInOutcome } from './sign-in.service.js';
export { SessionSettings } from './session.settings.js';
