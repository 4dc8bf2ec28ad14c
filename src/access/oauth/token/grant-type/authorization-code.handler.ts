import { Injectable } from '@nestjs/common';
import type { Evidence } from '../../../../edge/auth/index.js';
import { Config } from '../../../../platform/config/index.js';
import type { Tx } from '../../../../platform/database/index.js';
import { Log, RefusalLog } from '../../../../platform/logging/index.js';
import type { Form } from '../../../../edge/page/index.js';
import { hashToken, isWellFormedToken, mintToken } from '../../../../platform/kernel/token.js';
import type { Client } from '../../client/client.js';
import { redirectEvidence } from '../../client/redirect-uri.js';
import { invalidGrant, invalidRequest, OAuthError } from '../../oauth-error.js';
import { answersChallenge } from '../../pkce.js';
import { askedResources, Resources } from '../../request/resources.js';
import { hasOffline } from '../../scope-text.js';
import { CodeStore, type RedeemedCode } from '../code.store.js';
import { TokenResponseBuilder, type IssuedTokens, type TokenResponse, type GrantTypeHandler } from '../grant-type-handler.js';

/** `grant_type=authorization_code` (RFC 6749 section 4.1.3, RFC 7636 section 4.5). */
@Injectable()
export class AuthorizationCodeHandler implements GrantTypeHandler {
  readonly type = 'authorization_code';
  private readonly log = new Log('OAuth');
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly codes: CodeStore,
    private readonly responses: TokenResponseBuilder,
    private readonly resources: Resources,
    private readonly config: Config,
  ) {}

  async issue(client: Client, parameters: Form, jkt: string | null): Promise<TokenResponse> {
    const code = parameters.text('code');
    if (code === '') throw invalidRequest('code is missing');
    if (!isWellFormedToken(code, `${this.config.tokenPrefix}_ac`))
      throw this.refused(client, 'not an authorization code', { cause: 'code_unknown' });
    const resources = askedResources(parameters);
    const hash = hashToken(code);
    // From here on the code is spent, whatever else is wrong, except for a missing verifier: that is no attacker's guess.
    const hasVerifier = parameters.text('code_verifier') !== '';
    const issued = await this.codes.redeem(async (tx) => {
      const redeemed = await this.codes.claim(tx, hash, client.id, hasVerifier);
      if (!redeemed) return null;
      const fault = faultOf(redeemed, parameters, jkt);
      if (fault) throw this.refused(client, fault.reason, fault);
      return this.exchange(tx, client, { ...redeemed, audience: this.resources.narrowed(redeemed.audience, resources) }, jkt);
    });
    if (!issued) throw await this.whyUnclaimed(hash, client);
    return this.responses.of(issued);
  }

  private async exchange(tx: Tx, client: Client, code: RedeemedCode, jkt: string | null): Promise<IssuedTokens> {
    // The client may have lost scopes since the consent.
    const scopes = code.scopes.filter((scope) => client.scopes.includes(scope));
    if (scopes.length === 0)
      throw this.refused(client, 'the client has lost all of its scopes', {
        cause: 'scope_unregistered',
        sent: code.scopes.join(' '),
        registered: client.scopes.join(' '),
      });
    const refreshes = hasOffline(scopes) && client.grantTypes.includes('refresh_token');
    const accessToken = mintToken(`${this.config.tokenPrefix}_at`);
    const refreshToken = refreshes ? mintToken(`${this.config.tokenPrefix}_rt`) : null;
    const issued = { ...code, scopes, accessToken, refreshToken, jkt };
    const leftSeconds = await this.codes.issue(tx, { ...issued, refreshJkt: client.confidential ? null : jkt });
    if (leftSeconds === null) throw this.refused(client, 'the grant has ended', { cause: 'grant_ended' });
    return { ...issued, client, leftSeconds };
  }

  private async whyUnclaimed(hash: Buffer, client: Client): Promise<OAuthError> {
    const late = await this.codes.secondsLate(hash, client.id);
    if (late !== null && late < 0)
      return new OAuthError('invalid_grant', 'code_verifier is missing: the authorization request had a code_challenge').because({
        cause: 'verifier_missing',
        sent: 'no code_verifier',
        registered: 'a code_challenge',
      });
    if (late === null && (await this.codes.endIfReplayed(hash, client.id)))
      return this.refused(client, 'used before, so everything issued for it has ended', { cause: 'code_used' });
    const [sent, registered] = [`${Math.ceil(late ?? 0)} s after its end`, 'an end, stated by AUTHORIZATION_CODE_SECONDS'];
    const evidence = late === null ? { cause: 'code_unknown' } : { cause: 'code_expired', sent, registered };
    return this.refused(client, 'unknown, expired or issued to another client', evidence);
  }

  /** In the name of a public client any caller decides how often this happens. */
  private refused({ id: clientId }: Client, reason: string, evidence: Evidence): OAuthError {
    const text = `Rejected authorization code from ${clientId}: ${reason}`;
    this.refusals.note(text, ({ requests }, others) =>
      this.log.warn('oauth_code_rejected', { clientId, reason, requests }, `${text}${others}`),
    );
    return invalidGrant().because(evidence);
  }
}

function faultOf(
  { redirectUri, codeChallenge, dpopJkt }: RedeemedCode,
  parameters: Form,
  jkt: string | null,
): (Evidence & { readonly reason: string }) | undefined {
  const [uri, verifier] = [parameters.text('redirect_uri'), parameters.text('code_verifier')];
  // OAuth 2.1 section 4.1.3 drops the parameter: PKCE replaces it.
  if (uri !== redirectUri && !(uri === '' && codeChallenge !== null))
    return { reason: 'redirect_uri differs from the authorization request', ...redirectEvidence(uri, [redirectUri]) };
  if (dpopJkt !== null && dpopJkt !== jkt)
    return {
      reason: 'dpop_jkt is another key',
      cause: 'dpop_key',
      sent: jkt === null ? 'no DPoP proof' : `a proof of ${jkt}`,
      registered: `dpop_jkt ${dpopJkt}`,
    };
  const sent = `a code_verifier of ${verifier.length} characters`;
  if (codeChallenge === null) {
    if (verifier === '') return undefined;
    return { reason: 'code_verifier without a code_challenge', cause: 'verifier_alone', sent, registered: 'no code_challenge' };
  }
  if (answersChallenge(verifier, codeChallenge)) return undefined;
  const registered = 'a code_challenge of another verifier, or of another method than S256';
  return { reason: 'code_verifier does not match the code_challenge', cause: 'verifier', sent, registered };
}
