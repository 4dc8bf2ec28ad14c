import type { JsonWebKey } from 'node:crypto';
import { BoundedMap } from '../../../platform/kernel/bounded-map.js';
import { isSigned, JWS_ALGORITHMS, publicKeyOf, type JwsAlgorithmName, type PublicKey } from '../key/jws.js';
import { OAuthError } from '../oauth-error.js';

/** Supported algorithms of proofs; discovery lists them. */
export const DPOP_ALGORITHMS = Object.keys(JWS_ALGORITHMS) as readonly JwsAlgorithmName[];

/** A proof whose signature is right (RFC 9449 section 4.2). What it says is still to be judged. */
export interface Proof {
  /** The thumbprint of its key: `cnf.jkt` of a token that is bound to it. */
  readonly jkt: string;
  readonly jti: string;
  readonly htm: unknown;
  readonly htu: unknown;
  readonly iat: unknown;
  readonly ath: unknown;
  readonly nonce: unknown;
}

interface ProofHeader extends PublicKey {
  readonly alg: JwsAlgorithmName;
}

export const invalidProof = (description: string): OAuthError => new OAuthError('invalid_dpop_proof', description);

const SHAPE = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const MAX_PROOF = 4_096;
const MAX_JTI = 256;
/** RFC 7517 and RFC 7518 section 6: members of private and of symmetric keys. */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A client's proofs have one header: reading its key costs nearly as much as checking a signature. */
const headers = new BoundedMap<string, ProofHeader>(1_000);

function partOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const part: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof part === 'object' && part !== null && !Array.isArray(part)) return part as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw invalidProof('The DPoP header must be one JWT');
}

function headerOf(text: string): ProofHeader {
  const { typ, alg, jwk, crit } = partOf(text);
  if (typ !== 'dpop+jwt') throw invalidProof('typ must be dpop+jwt');
  const name = DPOP_ALGORITHMS.find((each) => each === alg);
  if (name === undefined) throw invalidProof(`alg must be one of ${DPOP_ALGORITHMS.join(', ')}`);
  if (crit !== undefined) throw invalidProof('crit is not supported');
  if (typeof jwk !== 'object' || jwk === null) throw invalidProof('jwk is missing');
  if (SECRET_MEMBERS.some((member) => member in jwk)) throw invalidProof('jwk must be a public key');
  const known = publicKeyOf(name, jwk as JsonWebKey);
  if (!known) throw invalidProof('jwk must be a public key of alg');
  return { alg: name, ...known };
}

/** @throws OAuthError invalid_dpop_proof */
export function readProof(text: string): Proof {
  const [, head = '', body = '', signature = ''] = (text.length <= MAX_PROOF && SHAPE.exec(text)) || [];
  const header = headers.get(head) ?? headerOf(head);
  if (!isSigned(header.alg, header.key, `${head}.${body}`, Buffer.from(signature, 'base64url')))
    throw invalidProof('The signature does not match jwk');
  if (!headers.has(head)) headers.set(head, header);
  const { jti, htm, htu, iat, ath, nonce } = partOf(body);
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI) throw invalidProof(`jti must have 1 to ${MAX_JTI} characters`);
  return { jkt: header.thumbprint, jti, htm, htu, iat, ath, nonce };
}
