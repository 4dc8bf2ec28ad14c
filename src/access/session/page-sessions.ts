import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Authenticator, type Visitor } from '../../edge/auth/index.js';
import { Config } from '../../platform/config/index.js';
import { cookieName, cookieOptions, type Cookies, type NewCookie } from '../../edge/http/index.js';
import { SessionService } from './session.service.js';

@Injectable()
export class PageSessions implements OnModuleInit {
  /** `__Host-sluice` if the public URL is https, `sluice` if it is plain http. */
  readonly cookieName: string;

  constructor(
    private readonly config: Config,
    private readonly sessions: SessionService,
    private readonly authenticator: Authenticator,
  ) {
    this.cookieName = cookieName('sluice', config.publicUrl);
  }

  onModuleInit(): void {
    this.authenticator.useVisitors(({ cookies }) => this.find(cookies));
  }

  async find(cookies: Cookies): Promise<Visitor | null> {
    const token = cookies[this.cookieName];
    return token === undefined ? null : this.open(token);
  }

  /** The same for the token of a new session. Sessions of scripts are not page sessions. */
  async open(token: string): Promise<Visitor | null> {
    const found = await this.sessions.find(token);
    return found?.purpose === 'page' ? { ...found, token } : null;
  }

  /** Signs out. @returns the cookie by which the browser forgets the session */
  async end(visitor: Visitor | null): Promise<NewCookie> {
    if (visitor) await this.sessions.end(visitor.session.id);
    return { name: this.cookieName, value: '', options: cookieOptions(this.config.publicUrl, 0) };
  }
}
