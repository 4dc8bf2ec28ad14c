import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../edge/auth/index.js';
import { RESPONSE_MODES, RESPONSE_TYPES } from '../authorize/check/response-type.check.js';
import { PROMPTS } from '../request/authorization-request.js';
import { CLIENT_AUTH_METHODS } from '../client/client-authenticator.js';
import { Config } from '../../../platform/config/index.js';
import { GRANT_TYPES } from '../grant-type.js';
import { ID_TOKEN_CLAIMS } from '../key/id-token.js';
import { SIGNING_ALGORITHM } from '../key/signing-keys.js';
import { CODE_CHALLENGE_METHODS } from '../pkce.js';
import { ROUTES } from '../routes.js';

/** The document is derived from the running code: nothing unsupported is listed. URLs come from the configuration only. */
@Injectable()
export class Discovery {
  constructor(
    private readonly config: Config,
    private readonly catalogue: ScopeCatalogue,
  ) {}

  /** Built for each request, because the URL may be known only after the server listens. */
  describe(): Readonly<Record<string, unknown>> {
    const { config, catalogue } = this;
    const at = (path: string): string => `${config.issuerUrl}${path}`;
    return {
      issuer: config.issuerUrl,
      authorization_endpoint: at(ROUTES.authorize),
      token_endpoint: at(ROUTES.token),
      userinfo_endpoint: at(ROUTES.userinfo),
      jwks_uri: at(ROUTES.jwks),
      revocation_endpoint: at(ROUTES.revoke),
      scopes_supported: catalogue.all().map(({ name }) => name),
      response_types_supported: RESPONSE_TYPES,
      response_modes_supported: RESPONSE_MODES,
      grant_types_supported: GRANT_TYPES,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
      token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      code_challenge_methods_supported: CODE_CHALLENGE_METHODS,
      claims_supported: ID_TOKEN_CLAIMS,
      prompt_values_supported: PROMPTS,
      // If absent, the second would mean true (OpenID Connect Discovery section 3).
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
    };
  }
}
