import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import { parseBasic } from './basic-header.js';
import type { Client } from './client.js';
import { ClientService } from './client.service.js';

/** Input of the strategy. */
export interface BasicRequest {
  readonly headers: { readonly authorization: string };
}

/** Passport's protocol: a running strategy calls one of these. */
interface Running {
  success(client: Client): void;
  fail(): void;
  error(cause: unknown): void;
  authenticate(request: BasicRequest): void;
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

  /** The client, or false if id and secret do not match; throws if that cannot be checked. */
  async validate({ headers }: BasicRequest, _id: string, _secret: string): Promise<Client | false> {
    const credentials = parseBasic(headers.authorization);
    return credentials ? this.clients.verify(credentials.id, credentials.secret) : false;
  }

  /** Runs the strategy by its protocol; each call has an object of its own, because actions are written onto it. */
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
