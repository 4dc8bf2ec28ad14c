// Second factors of people: authenticator apps, recovery codes, passkeys. The sign-in is in src/access/session, because POST /auth/login has the same.
export { FactorModule } from './factor.module.js';
export { Factors, hasFactor, type FactorCheck, type FactorState, type GuessLimit } from './factors.js';
export { PasskeyEntity } from './passkey.entity.js';
export { MAX_PASSKEY_NAME, Passkeys, type ListedPasskey } from './passkeys.js';
export type { TotpRegistration } from './totp.js';
