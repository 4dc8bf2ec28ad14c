/** Grant types (RFC 6749 section 1.3); each has a file in token/grant-type/. Registration, the token endpoint and discovery read this list. */
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

export type GrantType = (typeof GRANT_TYPES)[number];
