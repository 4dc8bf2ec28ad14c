import { constants, createPublicKey, hash, sign, verify, type JsonWebKey, type KeyObject, type SigningOptions } from 'node:crypto';
import { orNone } from '../../../platform/kernel/or-none.js';

interface JwsAlgorithm {
  readonly kty: 'EC' | 'OKP' | 'RSA';
  readonly crv?: string;
  /** The members of a public key that its thumbprint covers, in their order (RFC 7638 section 3.2). */
  readonly members: readonly (keyof JsonWebKey)[];
  /** Null: the algorithm hashes itself. */
  readonly digest: 'sha256' | null;
  readonly options: SigningOptions & { readonly dsaEncoding?: 'ieee-p1363' };
  /** Of `at_hash` (OpenID Connect Core section 3.1.3.6): the hash that the signature uses. */
  readonly tokenHash: 'sha256' | 'sha512';
}

const RSA = { kty: 'RSA', members: ['e', 'kty', 'n'], digest: 'sha256', tokenHash: 'sha256' } as const;
const ED25519: JwsAlgorithm = { kty: 'OKP', crv: 'Ed25519', members: ['crv', 'kty', 'x'], digest: null, options: {}, tokenHash: 'sha512' };

/** The signatures that Sluice makes or reads (RFC 7518 section 3.1, RFC 8037, RFC 9864): asymmetric ones alone. */
export const JWS_ALGORITHMS = {
  ES256: {
    kty: 'EC',
    crv: 'P-256',
    members: ['crv', 'kty', 'x', 'y'],
    digest: 'sha256',
    options: { dsaEncoding: 'ieee-p1363' },
    tokenHash: 'sha256',
  },
  EdDSA: ED25519,
  Ed25519: ED25519,
  PS256: { ...RSA, options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } },
  RS256: { ...RSA, options: { padding: constants.RSA_PKCS1_PADDING } },
} as const satisfies Readonly<Record<string, JwsAlgorithm>>;

export type JwsAlgorithmName = keyof typeof JWS_ALGORITHMS;

const algorithmOf = (name: JwsAlgorithmName): JwsAlgorithm => JWS_ALGORITHMS[name];

/** In a thread of its own: an RSA signature would hold up the event loop for a millisecond. */
export function signJws(name: JwsAlgorithmName, key: KeyObject, text: string): Promise<string> {
  const { digest, options } = algorithmOf(name);
  return new Promise((resolve, reject) => {
    sign(digest, Buffer.from(text), { key, ...options }, (error, signature) =>
      error ? reject(error) : resolve(`${text}.${signature.toString('base64url')}`),
    );
  });
}

export function isSigned(name: JwsAlgorithmName, key: KeyObject, text: string, signature: Buffer): boolean {
  const { digest, options } = algorithmOf(name);
  return verify(digest, Buffer.from(text), { key, ...options }, signature);
}

export interface PublicKey {
  readonly key: KeyObject;
  /** RFC 7638, with SHA-256. */
  readonly thumbprint: string;
}

const MIN_RSA_BITS = 2_048;
const MAX_RSA_BITS = 4_096;
/** Nearly every key has 65,537. The owner of a key could choose one as long as the modulus: a check then costs a hundred times as much. */
const MAX_RSA_EXPONENT = 2n ** 31n;

/** Undefined for a key of another algorithm, or none, and for one that is weak or costs too much. */
export function publicKeyOf(name: JwsAlgorithmName, jwk: JsonWebKey): PublicKey | undefined {
  const { kty, crv, members } = algorithmOf(name);
  if (jwk.kty !== kty || jwk.crv !== crv || !members.every((member) => typeof jwk[member] === 'string')) return undefined;
  const canonical = Object.fromEntries(members.map((member) => [member, jwk[member]]));
  const key = orNone(() => createPublicKey({ key: canonical, format: 'jwk' }));
  const { modulusLength: bits = MIN_RSA_BITS, publicExponent: exponent = 0n } = key?.asymmetricKeyDetails ?? {};
  if (!key || bits < MIN_RSA_BITS || bits > MAX_RSA_BITS || exponent > MAX_RSA_EXPONENT) return undefined;
  return { key, thumbprint: hash('sha256', JSON.stringify(canonical), 'base64url') };
}

/** `at_hash`: the left half of the token's hash. */
export function tokenHashOf(name: JwsAlgorithmName, token: string): string {
  const whole = hash(algorithmOf(name).tokenHash, token, 'buffer');
  return whole.subarray(0, whole.length / 2).toString('base64url');
}
