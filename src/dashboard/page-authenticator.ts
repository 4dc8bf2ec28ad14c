import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/index.js';
import { PageSessions, cookieIn, cookieName, setCookie } from '../oauth/index.js';
import { Csrf, isSameOrigin, parseForm, type CsrfBinding, type Form } from '../page/index.js';
import { SessionService } from '../user/index.js';
import { Interrupted } from './interrupted.js';
import { onwardTo, withOnward } from './return-to.js';
import { PageRefusal } from './page-refusal.js';
import { paths } from './view/index.js';
import type { Visitor } from './visitor.js';

export type { Visitor } from './visitor.js';

const GATE_BYTES = 32;
const GATE_SECONDS = 86_400;

/** Authenticates pages: the signed-in visitor, and whether a form comes from a page of Sluice. */
@Injectable()
export class PageAuthenticator {
  private readonly gateCookie: string;
  private readonly deviceCookie: string;

  constructor(
    private readonly config: Config,
    private readonly csrf: Csrf,
    private readonly pageSessions: PageSessions,
    private readonly sessions: SessionService,
    private readonly interrupted: Interrupted,
  ) {
    this.gateCookie = cookieName('sluice-gate', config.publicUrl);
    this.deviceCookie = cookieName('sluice-device', config.publicUrl);
  }

  /** The visitor, or null: by the page cookie, which only pages read. */
  async visitor(request: FastifyRequest): Promise<Visitor | null> {
    const token = cookieIn(request.headers.cookie, this.pageSessions.cookieName);
    const found = token === undefined ? null : await this.sessions.find(token);
    return found?.session.purpose === 'page' && token !== undefined ? { ...found, token } : null;
  }

  /** @throws PageRefusal that redirects to the sign-in page, and from there back to this one */
  async signedIn(request: FastifyRequest): Promise<Visitor> {
    const visitor = await this.visitor(request);
    if (!visitor) throw new PageRefusal({ kind: 'redirect', to: withOnward(paths.login, onwardTo(request)) });
    return visitor;
  }

  /**
   * The fields of a form that a signed-in person sent from a page of Sluice.
   * @throws PageRefusal
   */
  async form(request: FastifyRequest): Promise<{ visitor: Visitor; form: Form }> {
    const visitor = await this.visitor(request);
    const interrupted = await this.interrupted.refusalOf(request, visitor);
    if (interrupted) throw interrupted;
    const signedIn = visitor ?? (await this.signedIn(request));
    return { visitor: signedIn, form: this.read(request, `session:${signedIn.session.id}`) };
  }

  /** What this visitor sent from that page when the session had ended; once. */
  kept(request: FastifyRequest, reply: FastifyReply, visitor: Visitor, page: string): Form | null {
    return this.interrupted.take(request, reply, visitor, page);
  }

  /**
   * A form's fields, after both proofs of origin: the browser's headers, and the token for its binding.
   * @throws PageRefusal
   */
  read(request: FastifyRequest, binding: CsrfBinding | null): Form {
    if (typeof request.body !== 'string') throw new PageRefusal({ kind: 'error', error: 'request' });
    const form = parseForm(request.body);
    if (form.hasNul) throw new PageRefusal({ kind: 'error', error: 'request' });
    if (!isSameOrigin(request.headers, this.config.publicUrl) || binding === null || !this.csrf.verify(binding, form.text('csrf')))
      throw new PageRefusal({ kind: 'error', error: 'form' });
    return form;
  }

  /** The binding of forms before the sign-in: a cookie of this browser, set on the first visit. */
  gateBinding(request: FastifyRequest, reply: FastifyReply): CsrfBinding {
    const known = this.knownGate(request);
    if (known) return known;
    const id = randomBytes(GATE_BYTES).toString('base64url');
    this.addCookie(reply, setCookie(this.gateCookie, id, this.config.publicUrl, GATE_SECONDS));
    return `interaction:${id}`;
  }

  knownGate(request: FastifyRequest): CsrfBinding | null {
    const id = cookieIn(request.headers.cookie, this.gateCookie);
    return id !== undefined && /^[\w-]{43}$/.test(id) ? `interaction:${id}` : null;
  }

  /** The device cookie that a former sign-in left in this browser. */
  device(request: FastifyRequest): string | undefined {
    return cookieIn(request.headers.cookie, this.deviceCookie);
  }

  /** Sets the cookie of a new session, for as long as an idle session lives, and the device cookie, which outlives it. */
  letIn(reply: FastifyReply, { token, device }: { readonly token: string; readonly device: string }): void {
    const { publicUrl, session } = this.config;
    this.addCookie(reply, setCookie(this.pageSessions.cookieName, token, publicUrl, session.idleSeconds));
    this.addCookie(reply, setCookie(this.deviceCookie, device, publicUrl, session.deviceSeconds));
  }

  letOut(reply: FastifyReply): void {
    this.addCookie(reply, setCookie(this.pageSessions.cookieName, '', this.config.publicUrl, 0));
  }

  private addCookie(reply: FastifyReply, cookie: string): void {
    const before = reply.getHeader('set-cookie');
    reply.header('set-cookie', before === undefined ? cookie : [before, cookie].flat());
  }
}
