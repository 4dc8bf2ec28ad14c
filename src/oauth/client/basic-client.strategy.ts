import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import { parseBasic } from './basic-header.js';
import type { Client } from './client.js';
import { ClientService } from './client.service.js';

/** All that the strategy looks at. */
export interface BasicRequest {
  readonly headers: { readonly authorization: string };
}

/** What passport asks of a strategy that runs: to call one of these. */
interface Running {
  success(client: Client): void;
  fail(): void;
  error(cause: unknown): void;
  authenticate(request: BasicRequest): void;
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
      const call = Object.create(this) as Running;
      call.success = resolve;
      call.fail = () => resolve(false);
      call.error = (cause: unknown) => reject(cause instanceof Error ? cause : new Error(String(cause)));
      call.authenticate({ headers: { authorization } });
    });
  }
}
