/** 32 bytes as lower-case hex: a payment hash, a preimage, a payment secret. */
export const HEX_32 = /^[0-9a-f]{64}$/;

/** The rule of the compatible API, for lower-case text. A username never looks like a phone number or a bitcoin address. */
export const USERNAME = /^(?![13_]|bc1|lnbc1)(?=.*[a-z])[0-9a-z_]{3,50}$/;

/** The same form in any case. `toLowerCase` before the test would accept letters outside of ASCII that have an ASCII lower case. */
export const inAnyCase = ({ source }: RegExp): RegExp => new RegExp(source, 'i');
