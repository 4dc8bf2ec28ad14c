import type { RateLimitResult } from '../../edge/rate-limit/index.js';

export type SignInOutcome =
  /** Only the hash of the token is stored. `device` is the value of the browser's device cookie. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly sessionId: string; readonly userId: string; readonly device: string }
  /** One outcome for an unknown address and a wrong password. */
  | { readonly kind: 'refused'; readonly limit?: RateLimitResult }
  /** Too many wrong answers, or (without a limit) too many concurrent attempts. Says nothing about the password. */
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number; readonly limit?: RateLimitResult };
