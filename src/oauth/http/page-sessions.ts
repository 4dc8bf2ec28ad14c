import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { SessionService } from '../../user/index.js';
import { cookieIn, cookieName } from './cookie.js';

/** The signed-in person on Sluice's pages: the part of `SessionService.find` that OAuth needs. */
export interface PageSession {
  readonly session: { readonly id: string; readonly purpose: 'page' | 'api'; readonly authTime: Date };
  readonly user: { readonly id: string };
}

/** Finds the session of a browser's cookie. */
@Injectable()
export class PageSessions {
  /** `__Host-sluice` if the public URL is https, `sluice` if it is plain http. */
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

  /** The same for the token of a new session. Sessions of scripts are not page sessions. */
  async open(token: string): Promise<PageSession | null> {
    const found = await this.sessions.find(token);
    return found?.session.purpose === 'page' ? found : null;
  }
}
