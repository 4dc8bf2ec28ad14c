import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { apiResourceOf, Public, RESOURCE_METADATA, ScopeCatalogue } from '../../../edge/auth/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import { Brand } from '../../../edge/page/index.js';
import { sendPublic } from '../http/response.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { ID_TOKEN_ALGS, PUBLISHED_MAX_AGE_SECONDS, SigningKeys } from '../key/signing-keys.js';
import { ROUTES } from '../routes.js';
import { AUTHORIZATION_DETAILS_TYPES } from '../authorization-details.js';
import { PROMPTS, RESPONSE_MODES } from '../request/authorization-request.js';
import { DPOP_ALGORITHMS } from '../dpop/proof.js';
import { ASSERTION_ALGORITHMS } from '../client/client-assertions.js';
import { CLIENT_AUTH_METHODS } from '../client/client-authenticator.js';
import { Config } from '../../../platform/config/index.js';
import { ClientDocuments } from '../application/client-documents.js';
import { GRANT_TYPES } from '../application/application.js';
import { ACR_VALUES, ID_TOKEN_CLAIMS } from '../token/grant-type-handler.js';
import { USER_CLAIMS } from '../user-claims.js';
import { CODE_CHALLENGE_METHODS } from '../pkce.js';

/** Metadata for clients: OpenID Connect Discovery section 4, RFC 8414 section 3, RFC 9728, and the key set. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class DiscoveryController {
  constructor(
    private readonly config: Config,
    private readonly catalogue: ScopeCatalogue,
    private readonly keys: SigningKeys,
    private readonly documents: ClientDocuments,
    private readonly brand: Brand,
  ) {}

  @Get([ROUTES.openidConfiguration, ROUTES.authorizationServer])
  @Public()
  @AnyOrigin()
  describe(@Res() reply: FastifyReply): void {
    sendPublic(reply, this.metadata(), PUBLISHED_MAX_AGE_SECONDS);
  }

  @Get(ROUTES.jwks)
  @Public()
  @AnyOrigin()
  async jwks(@Res() reply: FastifyReply): Promise<void> {
    sendPublic(reply, { keys: await this.keys.published() }, PUBLISHED_MAX_AGE_SECONDS);
  }

  /**
   * Of the wallet API: an agent that knows only its address finds the authorization server here. Also without the path: the host has one
   * protected resource, and agents that do not insert the path ask there.
   */
  @Get([`${RESOURCE_METADATA}/graphql`, RESOURCE_METADATA])
  @Public()
  @AnyOrigin()
  describeApi(@Res() reply: FastifyReply): void {
    const metadata = {
      resource: apiResourceOf(this.config),
      authorization_servers: [this.config.issuerUrl],
      scopes_supported: this.catalogue.ofKeys().map(({ name }) => name),
      bearer_methods_supported: ['header'],
      resource_name: this.brand.name,
      resource_documentation: `${this.config.publicUrl}/docs/api.md`,
    };
    sendPublic(reply, metadata, PUBLISHED_MAX_AGE_SECONDS);
  }

  /** Derived from the running code: nothing unsupported is listed. Built for each request: the URL may be known only after the start. */
  private metadata(): Readonly<Record<string, unknown>> {
    const { config, catalogue } = this;
    const at = (path: string): string => `${config.issuerUrl}${path}`;
    return {
      issuer: config.issuerUrl,
      authorization_endpoint: at(ROUTES.authorize),
      pushed_authorization_request_endpoint: at(ROUTES.pushedRequest),
      token_endpoint: at(ROUTES.token),
      userinfo_endpoint: at(ROUTES.userinfo),
      end_session_endpoint: at(ROUTES.logout),
      jwks_uri: at(ROUTES.jwks),
      revocation_endpoint: at(ROUTES.revoke),
      introspection_endpoint: at(ROUTES.introspect),
      scopes_supported: catalogue.all().map(({ name }) => name),
      response_types_supported: ['code'],
      response_modes_supported: RESPONSE_MODES,
      grant_types_supported: GRANT_TYPES,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ID_TOKEN_ALGS,
      token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
      revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
      acr_values_supported: ACR_VALUES,
      introspection_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS.filter((method) => method !== 'none'),
      introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
      code_challenge_methods_supported: CODE_CHALLENGE_METHODS,
      claims_supported: [...ID_TOKEN_CLAIMS, ...USER_CLAIMS],
      prompt_values_supported: PROMPTS,
      require_pushed_authorization_requests: false,
      // Requests by value and by reference of OpenID Connect. If absent, the second would mean true (OpenID Connect Discovery section 3).
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
      authorization_details_types_supported: AUTHORIZATION_DETAILS_TYPES,
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      ...(this.documents.areUsed && { client_id_metadata_document_supported: true }),
    };
  }
}
