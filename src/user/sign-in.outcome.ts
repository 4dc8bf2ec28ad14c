import type { BucketName, Throttle } from '../auth/index.js';

/** A bucket of wrong answers, and how full it is. */
export interface SignInLimit {
  readonly bucket: BucketName;
  readonly hit: ReturnType<Throttle['hit']>;
}

export type SignInOutcome =
  /** The token is shown to nobody else; only its hash is stored. `device` is for a browser to keep: the value of its device cookie. */
  | { readonly kind: 'signed_in'; readonly token: string; readonly sessionId: string; readonly userId: string; readonly device: string }
  /** One answer for an unknown address and a wrong password. */
  | { readonly kind: 'refused'; readonly limit?: SignInLimit }
  /** Too many wrong answers, or (without a limit) too many people at once. Says nothing about the password. */
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number; readonly limit?: SignInLimit };
