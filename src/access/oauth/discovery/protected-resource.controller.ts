import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { apiResourceOf, Public, RESOURCE_METADATA, ScopeCatalogue } from '../../../edge/auth/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import { Brand } from '../../../edge/page/index.js';
import { Config } from '../../../platform/config/index.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { sendPublic } from '../http/response.js';

const MAX_AGE_SECONDS = 300;

/** Metadata of the wallet API (RFC 9728): an agent that knows only its address finds the authorization server here. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class ProtectedResourceController {
  constructor(
    private readonly config: Config,
    private readonly catalogue: ScopeCatalogue,
    private readonly brand: Brand,
  ) {}

  /** Also without the path: the host has one protected resource, and agents that do not insert the path ask there. */
  @Get([`${RESOURCE_METADATA}/graphql`, RESOURCE_METADATA])
  @Public()
  @AnyOrigin()
  describe(@Res() reply: FastifyReply): void {
    const { config, catalogue, brand } = this;
    const metadata = {
      resource: apiResourceOf(config),
      authorization_servers: [config.issuerUrl],
      scopes_supported: catalogue.ofKeys().map(({ name }) => name),
      bearer_methods_supported: ['header'],
      resource_name: brand.name,
      resource_documentation: `${config.publicUrl}/docs/api.md`,
    };
    sendPublic(reply, metadata, MAX_AGE_SECONDS);
  }
}
