// The pages of the sign-in. Its rules and its rate limits are in src/session, because POST /auth/login has the same.
export { FlashCookie } from './flash-cookie.js';
export { InterruptedAnswers, type AnswerPage } from './interrupted/interrupted-answers.js';
export { InterruptedForms } from './interrupted/interrupted-forms.js';
export { KeptFields, NotDone } from './interrupted/kept-fields.js';
export { restoredNotice } from './interrupted/restored.view.js';
export { PendingRequest, signInUrl, type SignInReason, type WaitingApp } from './pending-request.js';
export { SignInModule } from './signin.module.js';
