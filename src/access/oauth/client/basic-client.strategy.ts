import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import { runStrategy } from '../../../edge/auth/index.js';
import { parseBasic } from './basic-header.js';
import type { Client } from './client.js';
import { ClientService } from './client.service.js';

export interface BasicRequest {
  readonly headers: { readonly authorization: string };
}

/**
 * HTTP Basic at the token endpoint. Only the package's protocol is used: it does not form-decode, it cuts a secret at every colon, and it
 * accepts any scheme that contains "Basic". So `parseBasic` reads the header again, and the package's result is ignored.
 */
@Injectable()
export class BasicClientStrategy extends PassportStrategy(BasicStrategy, 'oauth-client-basic', 4) {
  constructor(private readonly clients: ClientService) {
    super({ passReqToCallback: true });
  }

  async validate({ headers }: BasicRequest, _id: string, _secret: string): Promise<Client | false> {
    const credentials = parseBasic(headers.authorization);
    return credentials ? this.clients.verify(credentials.id, credentials.secret) : false;
  }

  identify(authorization: string): Promise<Client | false> {
    return runStrategy<Client>(this, { headers: { authorization } } satisfies BasicRequest);
  }
}
