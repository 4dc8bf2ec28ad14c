import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { isLoopback } from '../../platform/kernel/loopback.js';
import { Brand } from './brand.js';
import { Csrf } from './csrf.js';
import { type Frame, type ShellFrame, Menu } from './frame.js';
import { securityHeaders, type PageKind } from './headers.js';
import type { Html } from './html.js';
import type { Visitor } from '../auth/index.js';

const NONCE_BYTES = 16;

@Injectable()
export class Pages {
  readonly #config: Config;
  /** Browsers may use addresses where they send no `Sec-Fetch-Site`. */
  readonly #plainHttp: boolean;

  constructor(
    config: Config,
    private readonly csrf: Csrf,
    private readonly clock: Clock,
    private readonly menu: Menu,
    private readonly brand: Brand,
  ) {
    this.#config = config;
    this.#plainHttp = config.publicUrl.startsWith('http:') || (config.mode === 'demo' && !isLoopback(config.host));
  }

  frame(): Frame {
    const simulated = this.#config.simulatedMoney ? 'simulated' : null;
    const { host } = new URL(this.#config.publicUrl);
    const banner = this.#config.mode === 'demo' ? 'demo' : simulated;
    return { brand: this.brand, banner, plainHttp: this.#config.plainHttp, host, now: new Date(this.clock.now()) };
  }

  nonce(): string {
    return randomBytes(NONCE_BYTES).toString('base64');
  }

  send(reply: FastifyReply, kind: PageKind, page: Html, status = 200): void {
    void this.begin(reply, kind, status).send(page.toString());
  }

  /** Draws a page in the visitor's frame, and sets its status and headers. @returns the text to send */
  async draw(reply: FastifyReply, { session, user }: Visitor, draw: Draw, { status, live }: RenderOptions): Promise<string> {
    const nonce = this.nonce();
    const csrf = this.csrf.token(`session:${session.id}`);
    const events = live ? LIVE_EVENTS_PATH : null;
    const page = await draw({
      ...this.frame(),
      email: user.email,
      isOperator: user.isOperator,
      csrf,
      nonce,
      menu: this.menu.entries,
      events,
    });
    this.begin(reply, { kind: 'dashboard', nonce }, status);
    return page.toString();
  }

  private begin(reply: FastifyReply, kind: PageKind, status = 200): FastifyReply {
    return reply.code(status).headers(securityHeaders(kind, this.#plainHttp)).type('text/html; charset=utf-8');
  }
}

/** Server-sent events of the wallet, which live pages listen to. */
export const LIVE_EVENTS_PATH = '/dashboard/events';

export interface RenderOptions {
  readonly status?: number;
  /** The page updates when the wallet changes. */
  readonly live?: boolean;
}

export type Draw = (frame: ShellFrame) => Html | Promise<Html>;

/** Sends pages to signed-in people. */
@Injectable()
export class PageRenderer {
  constructor(private readonly pages: Pages) {}

  /** Draws a page in the visitor's frame, and sends it. */
  async send(
    reply: FastifyReply,
    visitor: Visitor,
    draw: (frame: ShellFrame) => Html | Promise<Html>,
    { status = 200, live = false }: RenderOptions = {},
  ): Promise<void> {
    void reply.send(await this.pages.draw(reply, visitor, draw, { status, live }));
  }
}

/** Redirects to another page, which may be reloaded without sending the form again (RFC 9110 section 15.4.4). */
export const seeOther = (reply: FastifyReply, url: string): void => void reply.code(303).header('location', url).send();
