import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import { Csrf, isSameOrigin, parseForm, SignInRedirect, type Form, type Html, type PageRedirect } from '../../page/index.js';
import { SessionService } from '../../session/index.js';
import { FlashCookie } from '../flash-cookie.js';
import { HOME, paths } from '../paths.js';
import { ReturnPages } from '../return-pages.js';
import { withReturnTo, type ReturnTo } from '../return-to.js';
import { formOf, KEPT, keptInput, readKept, type KeptInput } from './kept-input.js';
import { restoredNotice, type InterruptedInput } from './restored.view.js';

/** A form from an ended session: the page where the person finds it again, the fields that are kept, and what it did not do. */
interface Return {
  readonly page: string;
  readonly fields: readonly string[];
  readonly outcome: string;
}

/** What the page after the sign-in says of a form, and shows again. */
interface InterruptedForm extends KeptInput {
  readonly outcome: string;
  readonly input: InterruptedInput;
}

/**
 * Forms that arrive after their session has ended, by a sign-out elsewhere or by time. Sluice does not execute them: it keeps what was
 * typed for its author, encrypted in a cookie of the page it belongs to. The page says that the form did nothing, and the author sends it again.
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
    const target = this.returnOf(request, path);
    const { page, fields } = target;
    const kept = form && userId !== null ? interrupted(form, target, userId) : null;
    const cookie = kept ? this.flash.encrypt(page, JSON.stringify(kept), KEPT) : undefined;
    if (visitor) return { kind: 'redirect', to: page, cookie };
    const input = kept?.input ?? (fields.length === 0 ? 'again' : 'lost');
    const to = withReturnTo(`${paths.login}?interrupted=${input}`, { to: page === HOME ? undefined : page });
    return { kind: 'redirect', to, cookie };
  }

  /** What this person typed before the sign-in. The response deletes it. */
  take(request: FastifyRequest, reply: FastifyReply, visitor: Visitor, page: string): Form | null {
    const form = this.find(request, visitor, page);
    this.flash.drop(request, reply, page, KEPT.name);
    return form;
  }

  /** The same, for a handler that leads to the page which shows it. */
  find(request: FastifyRequest, { user }: Visitor, page: string): Form | null {
    const form = this.read(request, user.id, page);
    return form?.input === 'kept' ? formOf(form) : null;
  }

  override notice(request: FastifyRequest, reply: FastifyReply, { user }: Visitor): Html | null {
    const [page = ''] = request.url.split('?', 1);
    const form = request.method === 'GET' ? this.read(request, user.id, page) : null;
    if (!form || !isShownAt(request, form)) return null;
    this.flash.drop(request, reply, page, KEPT.name);
    return restoredNotice(form.outcome, form.input);
  }

  private read(request: FastifyRequest, userId: string, page: string): InterruptedForm | null {
    return readKept<InterruptedForm>(this.flash.read(request, page, KEPT.name), userId);
  }

  private returnTo(url: string): ReturnTo {
    return { to: this.pages.includes(url) ? url : undefined };
  }

  /** Typed fields are kept for their page; a form without any is confirmed again on the page that shows its consequences. */
  private returnOf({ routeOptions }: FastifyRequest, path: string): Return {
    const { keptForm, notDone = 'nothing was changed' } = routeOptions.config;
    return { page: keptForm?.page ?? this.pages.nearest(path), fields: keptForm?.fields ?? [], outcome: notDone };
  }
}

function interrupted(form: Form, { fields, outcome }: Return, userId: string): InterruptedForm {
  if (fields.length === 0) return { userId, outcome, input: 'again', fields: [] };
  const kept = keptInput(form, fields, userId);
  return kept ? { ...kept, outcome, input: 'kept' } : { userId, outcome, input: 'lost', fields: [] };
}

/** An address that names another value of a field than the form had shows another form. */
const isShownAt = ({ query }: FastifyRequest, { fields }: InterruptedForm): boolean =>
  fields.every(([name, [value]]) => [undefined, value].includes((query as Readonly<Record<string, string | undefined>>)[name]));
