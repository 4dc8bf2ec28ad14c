import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Strategy } from 'passport';
import { BasicStrategy } from 'passport-http';
import { parseBasic } from './basic-header.js';
import type { Client } from './client.js';
import { ClientService } from './client.service.js';

/** All that the strategy looks at. */
export interface BasicRequest {
  readonly headers: { readonly authorization: string };
}

/**
 * HTTP Basic at the token endpoint. The package is the shell only: it does not form-decode, it cuts a secret at every colon, and it takes any
 * scheme that merely contains "Basic". So the header is read again by our own rules, and what the package made of it is not looked at.
 */
@Injectable()
export class BasicClientStrategy extends PassportStrategy(BasicStrategy, 'oauth-client-basic', 4) {
  constructor(private readonly clients: ClientService) {
    super({ passReqToCallback: true });
  }

  /** The client, or false where name and secret do not fit; throws where that cannot be known. */
  async validate({ headers }: BasicRequest, _id: string, _secret: string): Promise<Client | false> {
    const credentials = parseBasic(headers.authorization);
    return credentials ? this.clients.verify(credentials.id, credentials.secret) : false;
  }

  /** Runs the strategy by its own protocol; each call has an object of its own, because actions are written onto it. */
  identify(authorization: string): Promise<Client | false> {
    return new Promise((resolve, reject) => {
      const call = Object.create(this) as unknown as Strategy;
      call.success = (client) => resolve(client as unknown as Client);
      call.fail = () => resolve(false);
      call.error = (cause: unknown) => reject(cause instanceof Error ? cause : new Error(String(cause)));
      const shown: BasicRequest = { headers: { authorization } };
      call.authenticate(shown as never);
    });
  }
}
