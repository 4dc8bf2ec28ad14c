import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../edge/auth/index.js';
import { AnyOrigin } from '../../../edge/http/index.js';
import { sendPublic } from '../http/response.js';
import { OAuthErrorFilter } from '../http/oauth-error.filter.js';
import { JWKS_MAX_AGE_SECONDS, SigningKeys } from '../key/signing-keys.js';
import { ROUTES } from '../routes.js';
import { Discovery } from './discovery.js';

const MAX_AGE_SECONDS = 300;

/** Metadata for clients: OpenID Connect Discovery section 4, RFC 8414 section 3, and the key set. */
@Controller()
@UseFilters(OAuthErrorFilter)
export class DiscoveryController {
  constructor(
    private readonly discovery: Discovery,
    private readonly keys: SigningKeys,
  ) {}

  @Get([ROUTES.openidConfiguration, ROUTES.authorizationServer])
  @Public()
  @AnyOrigin()
  describe(@Res() reply: FastifyReply): void {
    sendPublic(reply, this.discovery.describe(), MAX_AGE_SECONDS);
  }

  @Get(ROUTES.jwks)
  @Public()
  @AnyOrigin()
  async jwks(@Res() reply: FastifyReply): Promise<void> {
    sendPublic(reply, { keys: await this.keys.published() }, JWKS_MAX_AGE_SECONDS);
  }
}
