// Sessions, and sign-in by password: its rules in sign-in.service.ts, its rate limits in sign-in-limits.ts.
export { PageSessions } from './page-sessions.js';
export { SessionEntity } from './session.entity.js';
export { SessionModule } from './session.module.js';
export { SessionService } from './session.service.js';
export type { SignInOutcome } from './sign-in-limits.js';
export { SignInService, type SignInAttempt } from './sign-in.service.js';
export { SessionSettings } from './session.settings.js';
