/** One invalid field. */
export interface RegistrationFault {
  readonly field: 'email' | 'username' | 'password';
  /** Only for a username that is taken: others that were free a moment ago. */
  readonly proposals?: readonly string[];
}

export type RegistrationOutcome =
  /** Also for a known address: the response must not reveal which addresses are registered. It signs no person in. */
  | { readonly kind: 'registered' }
  | { readonly kind: 'invalid'; readonly faults: readonly RegistrationFault[] }
  /** The proposals are usually two that were free a moment ago, rarely fewer. */
  | { readonly kind: 'username_taken'; readonly proposals: readonly string[] };
