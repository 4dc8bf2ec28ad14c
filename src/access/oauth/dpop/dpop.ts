import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuthenticationError, Authenticator, type Credential, type ProofCheck } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { hashToken } from '../../../platform/kernel/token.js';
import { OAuthError } from '../oauth-error.js';
import { DPOP_ALGORITHMS, invalidProof, readProof, type Proof } from './proof.js';
import { ProofWindow } from './proof-window.js';

/** How far the clock of a client may be off. The nonce bounds the age of a proof. */
const MAX_SKEW_SECONDS = 60;

/** A request that carries a proof, or should. */
export interface ProvedRequest extends Pick<Credential, 'method' | 'url'> {
  /** The header `DPoP`, or the key of that name in `connection_init`. */
  readonly proof: string | undefined;
}

/** The access token of such a request. */
export interface ProvedToken {
  readonly token: string;
  /** The key that it is bound to. */
  readonly jkt: string | undefined;
  /** Of `Authorization`; undefined: the token came in another place. */
  readonly scheme: Credential['scheme'];
}

/** Without query and fragment, in the form that `URL` gives every address; a socket's address is that of its upgrade. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol.replace(/^ws/, 'http')}//${host}${pathname}`;
}

/** Proofs of possession (RFC 9449): a token that is bound to a key is of no use without the key. */
@Injectable()
export class Dpop implements OnModuleInit, ProofCheck {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly window: ProofWindow,
    private readonly authenticator: Authenticator,
  ) {}

  onModuleInit(): void {
    this.authenticator.useProofs(this);
  }

  get nonce(): string {
    return this.window.nonce;
  }

  /** At the authorization server. @returns the key's thumbprint; null: there is no proof @throws OAuthError invalid_dpop_proof, use_dpop_nonce */
  keyOf(request: ProvedRequest, isRequired: boolean): string | null {
    if (request.proof !== undefined) return this.judge(request).jkt;
    if (isRequired) throw invalidProof('The DPoP header is missing: this client must prove its key');
    return null;
  }

  /** At a resource (RFC 9449 section 7). @throws OAuthError with the challenge unless the token may be used like this */
  checkToken(request: ProvedRequest, { token, jkt, scheme }: ProvedToken): void {
    if (jkt === undefined && scheme !== 'dpop') return;
    try {
      if (jkt === undefined) throw new OAuthError('invalid_token', 'The access token is not bound to a key: send it without DPoP');
      if (request.proof === undefined || scheme === 'bearer')
        throw new OAuthError('invalid_token', 'The access token is bound to a key: send it with a DPoP proof, not as Bearer');
      this.judge(request, { token, jkt });
    } catch (error) {
      throw error instanceof OAuthError ? challenged(error) : error;
    }
  }

  /** The same for a credential of the API. @throws AuthenticationError */
  check({ secret: token, scheme, proofs, method, url }: Credential, jkt: string | undefined): void {
    try {
      this.checkToken({ proof: proofs.dpop, method, url }, { token, jkt, scheme });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      throw new AuthenticationError('credentialsInvalid', {
        code: error.code,
        description: error.message,
        challenge: error.headers['www-authenticate'] ?? '',
        retryWith: error.code === 'use_dpop_nonce' ? this.window.nonce : undefined,
      });
    }
  }

  /** RFC 9449 section 4.3. Last of all the proof is used up. */
  private judge({ proof: text = '', method, url }: ProvedRequest, bound?: { readonly token: string; readonly jkt: string }): Proof {
    const proof = readProof(text);
    if (proof.htm !== method) throw invalidProof('htm is not the method of this request');
    if (!this.isOwn(proof.htu, url)) throw invalidProof('htu is not the address of this request');
    if (typeof proof.iat !== 'number') throw invalidProof('iat is missing');
    const skew = Math.round(Math.abs(this.clock.now() / 1000 - proof.iat));
    if (!(skew <= MAX_SKEW_SECONDS)) throw invalidProof(`iat is ${skew} seconds off the clock of this server`);
    if (bound && proof.ath !== hashToken(bound.token).toString('base64url')) throw invalidProof('ath is not the hash of the access token');
    if (bound && proof.jkt !== bound.jkt) throw new OAuthError('invalid_token', 'The access token is bound to another key');
    const known = typeof proof.nonce === 'string' ? this.window.use(proof, proof.nonce) : 'unknown';
    if (known === 'used') throw invalidProof('jti was used before');
    if (known === 'unknown') throw new OAuthError('use_dpop_nonce', 'Repeat the request with the nonce of the header DPoP-Nonce');
    return proof;
  }

  /** By the configured addresses of this server alone: a caller chooses the `Host` header. */
  private isOwn(htu: unknown, url: string): boolean {
    if (typeof htu !== 'string') return false;
    const [path = ''] = url.split('?');
    const { publicUrl, issuerUrl, apiUrl, websocketUrl } = this.config;
    const own = [publicUrl, issuerUrl, apiUrl, websocketUrl].map((base) => base + path);
    if (own.includes(htu)) return true;
    const named = addressOf(htu);
    return named !== undefined && own.some((each) => addressOf(each) === named);
  }
}

/** RFC 9449 sections 7.1 and 9. */
function challenged({ code, message }: OAuthError): OAuthError {
  const challenge = `DPoP error="${code}", error_description="${message}", algs="${DPOP_ALGORITHMS.join(' ')}"`;
  return new OAuthError(code, message, 401, { 'www-authenticate': challenge });
}
