// The pages of the sign-in. Its rules and its rate limits are in src/access/session, because POST /auth/login has the same.
export { requireFreshFactor } from './confirm/fresh-factor.js';
export { FlashCookie } from './flash-cookie.js';
export { PendingRequest, signInUrl, type WaitingApp } from './pending-request.js';
export { SignInCookies } from './sign-in-cookies.js';
export { SignInModule } from './signin.module.js';
