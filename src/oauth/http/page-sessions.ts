import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { SessionService } from '../../user/index.js';
import { cookieIn, cookieName } from './cookie.js';

/** Who is signed in on our pages: what `SessionService.find` tells, as far as it matters here. */
export interface PageSession {
  readonly session: { readonly id: string; readonly purpose: 'page' | 'api'; readonly authTime: Date };
  readonly user: { readonly id: string };
}

/** The session that a browser's cookie opens. */
@Injectable()
export class PageSessions {
  /** `__Host-sluice` where our address is https, `sluice` where it is plain http. */
  readonly cookieName: string;

  constructor(
    config: Config,
    private readonly sessions: SessionService,
  ) {
    this.cookieName = cookieName('sluice', config.publicUrl);
  }

  /** @param cookieHeader the request's `Cookie` header */
  async find(cookieHeader: string | undefined): Promise<PageSession | null> {
    const token = cookieIn(cookieHeader, this.cookieName);
    return token === undefined ? null : this.open(token);
  }

  /** The same for the token of a session that was opened just now. Sessions of scripts are no page sessions. */
  async open(token: string): Promise<PageSession | null> {
    const found = await this.sessions.find(token);
    return found?.session.purpose === 'page' ? found : null;
  }
}
