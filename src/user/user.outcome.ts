export type PasswordChangeOutcome =
  { readonly kind: 'changed' } | { readonly kind: 'not_found' } | { readonly kind: 'invalid'; readonly message: string };
