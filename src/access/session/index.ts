// Sessions, and sign-in by password: its rules and rate limits are in sign-in.service.ts.
export { PageSessions } from './page-sessions.js';
export { SessionEntity } from './session.entity.js';
export { SessionOpener, type SignInCaller, type SignInOutcome } from './session-opener.js';
export { SessionModule } from './session.module.js';
export { AMR, FRESH_SECONDS, SessionService, type IdentityProof, type ListedSession } from './session.service.js';
export { SignInTickets, TICKET_SECONDS } from './sign-in-tickets.js';
export { SignInService, type SignInAttempt } from './sign-in.service.js';
export { SessionSettings } from './session.settings.js';
export { StepUp, type StepUpOutcome } from './step-up.js';
