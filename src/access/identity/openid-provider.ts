import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type * as OpenIdClient from 'openid-client';
import { isLoopback } from '../../platform/kernel/loopback.js';
import {
  IdentityProvider,
  type IdentityLogout,
  type IdentityOutcome,
  type IdentityRequest,
  type IdentityStart,
  type ProvedIdentity,
} from './identity-provider.js';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MAX_LOGOUT_SECONDS = 600;
/** Asymmetric ones: a key that is published verifies, and signs nothing. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

type Library = typeof OpenIdClient;
type Claims = Readonly<Record<string, unknown>>;

/** What this browser keeps while the person is at the provider. */
interface Kept {
  readonly verifier: string;
  readonly nonce: string;
  readonly state: string;
  /** The person must authenticate after this time, in milliseconds. */
  readonly freshSince?: number;
}

const SCOPE = 'openid email profile';
const TIMEOUT_SECONDS = 10;
/** By so much the provider's clock may be behind. */
const CLOCK_SECONDS = 60;
/** Of openid-client: the provider was not reached, or it did not answer as OpenID Connect says. Everything else is a refusal. */
const UNAVAILABLE = ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'];

/** OpenID Connect: the code flow with PKCE, state and nonce. The provider is discovered at its first use, and again after a failure. */
export class OpenIdProvider extends IdentityProvider {
  readonly #secret: string | undefined;
  private discovered: Promise<OpenIdClient.Configuration> | undefined;
  private keys: JWTVerifyGetKey | undefined;

  constructor(
    readonly name: string,
    private readonly issuer: string,
    private readonly clientId: string,
    secret: string | undefined,
  ) {
    super();
    this.#secret = secret;
  }

  start({ returnUrl, fresh }: IdentityRequest): Promise<IdentityStart> {
    return this.attempt(async (library, provider) => {
      const kept: Kept = {
        verifier: library.randomPKCECodeVerifier(),
        nonce: library.randomNonce(),
        state: library.randomState(),
        ...(fresh && { freshSince: Date.now() }),
      };
      const to = library.buildAuthorizationUrl(provider, {
        redirect_uri: returnUrl,
        scope: SCOPE,
        state: kept.state,
        nonce: kept.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
        ...(fresh && { prompt: 'login', max_age: '0' }),
      });
      return { kind: 'redirect', to: to.href, state: JSON.stringify(kept) };
    });
  }

  override finish(callbackUrl: URL, state: string): Promise<IdentityOutcome> {
    const { verifier, nonce, freshSince, ...kept } = JSON.parse(state) as Kept;
    return this.attempt(async (library, provider) => {
      const tokens = await library.authorizationCodeGrant(provider, callbackUrl, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: kept.state,
        idTokenExpected: true,
        ...(freshSince !== undefined && { maxAge: Math.ceil((Date.now() - freshSince) / 1000) + CLOCK_SECONDS }),
      });
      const claims = tokens.claims() ?? { iss: '', sub: '' };
      const profile =
        'email' in claims ? claims : { ...(await library.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
      return { kind: 'proved', identity: identityOf(profile) };
    });
  }

  /** OpenID Connect Back-Channel Logout 1.0 section 2.6. */
  override async logout(token: string): Promise<IdentityLogout | null> {
    const { issuer, jwks_uri: address = '' } = (await this.discover(await import('openid-client'))).serverMetadata();
    this.keys ??= createRemoteJWKSet(new URL(address));
    const rules = {
      issuer,
      audience: this.clientId,
      algorithms: ALGORITHMS,
      maxTokenAge: MAX_LOGOUT_SECONDS,
      requiredClaims: ['exp', 'jti'],
    };
    try {
      return logoutOf(issuer, (await jwtVerify(token, this.keys, rules)).payload);
    } catch (error) {
      // Generic: the keys came with another status than 200, or are no JSON.
      const isAway = error instanceof errors.JWKSTimeout || (error as { code?: string }).code === errors.JOSEError.code;
      if (error instanceof errors.JOSEError && !isAway) return null;
      throw error;
    }
  }

  private async attempt<Outcome extends IdentityStart>(
    work: (library: Library, provider: OpenIdClient.Configuration) => Promise<Outcome>,
  ): Promise<Outcome | Extract<IdentityOutcome, { kind: 'refused' }>> {
    const library = await import('openid-client');
    try {
      return await work(library, await this.discover(library));
    } catch (error) {
      const { message, code = '' } = error as Error & { code?: string };
      const isAway = (error instanceof TypeError && code === '') || UNAVAILABLE.includes(code) || (error as Error).name === 'TimeoutError';
      return { kind: 'refused', reason: isAway ? 'unavailable' : 'denied', detail: `${message}${causeOf(error as ProviderError)}` };
    }
  }

  private async discover(library: Library): Promise<OpenIdClient.Configuration> {
    const url = new URL(this.issuer);
    this.discovered ??= library.discovery(url, this.clientId, this.#secret, this.#secret === undefined ? library.None() : undefined, {
      timeout: TIMEOUT_SECONDS,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out: plain http is for this machine alone
      ...(isLoopback(url.hostname) && { execute: [library.allowInsecureRequests] }),
    });
    try {
      return await this.discovered;
    } catch (error) {
      this.discovered = undefined;
      throw error;
    }
  }
}

interface ProviderError extends Error {
  /** Of the provider's own answer (RFC 6749 section 5.2). */
  readonly error?: unknown;
  readonly error_description?: unknown;
}

function causeOf({ error, error_description: description, cause }: ProviderError): string {
  const said = [error, description].filter((text) => typeof text === 'string');
  if (said.length > 0) return `: ${said.join(', ')}`;
  if (cause instanceof Response) return `: ${cause.status} from ${cause.url}`;
  return cause instanceof Error ? `: ${cause.message}` : '';
}

/** An ID token has no such event, and a logout token has no nonce: neither passes for the other. */
function logoutOf(issuer: string, { events, nonce, jti, sub: subject, sid }: JWTPayload): IdentityLogout | null {
  const isLogout = typeof events === 'object' && events !== null && typeof (events as Claims)[LOGOUT_EVENT] === 'object';
  const areTexts = [jti, subject ?? sid, sid ?? subject].every((each) => typeof each === 'string');
  if (!isLogout || nonce !== undefined || !areTexts) return null;
  return { issuer, id: jti as string, subject, sid: sid as string | undefined };
}

function identityOf(claims: Claims): ProvedIdentity {
  const text = (name: string): string | undefined => (typeof claims[name] === 'string' ? claims[name] : undefined);
  const { auth_time: authTime, amr } = claims;
  return {
    issuer: text('iss') ?? '',
    subject: text('sub') ?? '',
    email: text('email') ?? '',
    emailVerified: claims['email_verified'] === true,
    username: text('preferred_username'),
    authTime: new Date(typeof authTime === 'number' ? authTime * 1000 : 0),
    amr: Array.isArray(amr) ? amr.filter((each) => typeof each === 'string') : [],
    sid: text('sid'),
  };
}
