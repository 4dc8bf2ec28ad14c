import { pointFromScalar } from 'tiny-secp256k1';

/** The public key of a node, in hex. */
export const publicKeyOf = (key: Uint8Array): string => Buffer.from(pointFromScalar(key, true) ?? []).toString('hex');
