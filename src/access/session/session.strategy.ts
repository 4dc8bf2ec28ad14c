import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import Custom from 'passport-custom';
import { Authenticator, type Credential, type Principal } from '../../edge/auth/index.js';
import { fragment } from '../../platform/database/index.js';
import { SessionService } from './session.service.js';

/** `Authorization: Bearer <session token>`: the person, with every scope that is not for apps only. */
@Injectable()
export class SessionStrategy extends PassportStrategy(Custom, 'session') implements OnModuleInit {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly sessions: SessionService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.authenticator.use('session', this, fragment`SELECT id FROM session WHERE id = ANY ($1::uuid[]) AND ended_at IS NULL`);
  }

  async validate({ secret }: Credential): Promise<Principal | false> {
    const found = await this.sessions.find(secret);
    // A browser's cookie is valid for pages only: a thief of the cookie cannot use it at the API.
    return found?.purpose === 'api' && found.principal;
  }
}
