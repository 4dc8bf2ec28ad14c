import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import type { NewCookie } from '../../http/index.js';
import { Csrf, isSameOrigin, parseForm, SignInRedirect, type Form, type PageRedirect } from '../../page/index.js';
import { SessionService } from '../../session/index.js';
import { FlashCookie } from '../flash-cookie.js';
import { HOME, paths } from '../paths.js';
import { ReturnPages } from '../return-pages.js';
import { withReturnTo, type ReturnTo } from '../return-to.js';
import { formOf, KEPT, keptInput } from './kept-input.js';

/** A form from an ended session: the page where the person finds it again, and the fields that are kept. */
interface Return {
  readonly page: string;
  readonly fields: readonly string[];
}

/**
 * Forms that arrive after their session has ended, by a sign-out elsewhere or by time. Sluice does not execute them: it keeps what was
 * typed for its author, encrypted in a cookie of the page it belongs to, and the author sends it again.
 */
@Injectable()
export class InterruptedForms extends SignInRedirect {
  constructor(
    private readonly config: Config,
    private readonly csrf: Csrf,
    private readonly sessions: SessionService,
    private readonly flash: FlashCookie,
    private readonly pages: ReturnPages,
  ) {
    super();
  }

  /** A visitor without a session goes to the sign-in page, and from there back. What a form of an ended session held is kept. */
  async redirectOf(request: FastifyRequest, visitor: Visitor | null): Promise<PageRedirect | null> {
    if (!visitor && request.method === 'GET') return { kind: 'redirect', to: withReturnTo(paths.login, this.returnTo(request.url)) };
    const [path = ''] = request.url.split('?', 1);
    if (path === paths.logout) return visitor ? null : { kind: 'redirect', to: `${paths.login}?signed-out=1` };
    const form = typeof request.body === 'string' ? parseForm(request.body) : null;
    const sessionId = form && isSameOrigin(request.headers, this.config.publicUrl) ? this.csrf.sessionOf(form.text('csrf')) : null;
    if (visitor && (sessionId === null || sessionId === visitor.session.id)) return null;
    const userId = sessionId === null ? null : await this.sessions.ownerOf(sessionId);
    // Another person has signed in since: the form is not theirs.
    if (visitor && userId !== visitor.user.id) return null;
    const { page, fields } = this.returnOf(request, path);
    const cookie = form && userId !== null ? this.keep({ page, fields }, userId, form) : undefined;
    if (visitor) return { kind: 'redirect', to: page, cookie };
    const what = fields.length === 0 ? 'again' : cookie === undefined ? 'lost' : 'kept';
    const to = withReturnTo(`${paths.login}?interrupted=${what}`, { to: page === HOME ? undefined : page });
    return { kind: 'redirect', to, cookie };
  }

  /** What this person typed before the sign-in, once. */
  take(request: FastifyRequest, reply: FastifyReply, { user }: Visitor, page: string): Form | null {
    const kept = this.flash.take(request, reply, page, KEPT.name);
    return kept === null ? null : formOf(kept, user.id);
  }

  private returnTo(url: string): ReturnTo {
    return { to: this.pages.includes(url) ? url : undefined };
  }

  /** Typed fields are kept for their page; a form without any is confirmed again on the page that shows its consequences. */
  private returnOf({ routeOptions }: FastifyRequest, path: string): Return {
    const { page, fields } = routeOptions.config.keptForm ?? { fields: [] };
    return { page: page ?? this.pages.nearest(path), fields };
  }

  private keep({ page, fields }: Return, userId: string, form: Form): NewCookie | undefined {
    const text = fields.length === 0 ? undefined : keptInput(form, fields, userId);
    return text === undefined ? undefined : this.flash.encrypt(page, text, KEPT);
  }
}
