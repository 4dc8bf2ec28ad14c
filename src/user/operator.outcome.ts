/** An operator whose password was compared a moment ago. SQL functions check the hash again, in the transaction that acts. */
export interface Operator {
  readonly id: string;
  readonly username: string;
  readonly passwordHash: string;
}

export type OperatorCheckOutcome =
  | { readonly kind: 'operator'; readonly operator: Operator }
  /** There is no such user, they are no operator, or the password is another one. */
  | { readonly kind: 'wrong' }
  /** Too many wrong passwords: none is compared before the oldest of them is so old. */
  | { readonly kind: 'slowed_down'; readonly retryAfterSeconds: number };

/** `already`: nothing had to be changed. */
export type OperatorChangeOutcome = 'changed' | 'already' | 'not_found';
