/** One thing that the person can put right, in a whole sentence. */
export interface RegistrationFault {
  readonly field: 'email' | 'username' | 'password';
  readonly message: string;
  /** Only of a username that is taken: others that were free a moment ago. */
  readonly proposals?: readonly string[];
}

export type RegistrationOutcome =
  /** Also for an address that is known already: whoever registers must not learn which addresses we have. Nobody is signed in by it. */
  | { readonly kind: 'registered' }
  | { readonly kind: 'invalid'; readonly faults: readonly RegistrationFault[] }
  /** The message names the proposals: two that were free a moment ago, hardly ever fewer. */
  | { readonly kind: 'username_taken'; readonly message: string; readonly proposals: readonly string[] };
