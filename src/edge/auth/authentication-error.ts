import { CloseCode, PROBLEMS } from '../http/index.js';
import type { Credential } from './credential.js';

const CLOSE_CODES = {
  severalCredentials: CloseCode.badRequest,
  credentialsInvalid: CloseCode.unauthorized,
  accessPaused: CloseCode.forbidden,
  credentialsUnknowable: CloseCode.tryAgainLater,
  busy: CloseCode.tryAgainLater,
} as const;

/** Judges the proofs beside access tokens. */
export interface ProofCheck {
  readonly nonce: string;
  /** @param jkt thumbprint of the key that the token is bound to @throws AuthenticationError */
  check(credential: Credential, jkt: string | undefined): void;
}

/** Why a proof beside a credential was refused. The caller has the credential, so that the answer may say it. */
export interface ProofRefusal {
  readonly code: string;
  readonly description: string;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string;
  /** The nonce with which a proof can be accepted. */
  readonly retryWith: string | undefined;
}

export class AuthenticationError extends Error {
  readonly closeCode: (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];

  /**
   * The message is also the reason of a close frame. With another nonce a socket may connect again.
   * @param problem one for unknown, revoked, expired and malformed: the owner sees the cause on the credential's page
   */
  constructor(
    readonly problem: keyof typeof CLOSE_CODES,
    readonly proof?: ProofRefusal,
  ) {
    super(proof ? `${proof.code}: ${proof.retryWith ?? proof.description}` : PROBLEMS[problem].message);
    this.closeCode = proof?.retryWith === undefined ? CLOSE_CODES[problem] : CloseCode.forbidden;
  }
}
