import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { isLoopback } from '../../platform/kernel/loopback.js';
import { Csrf } from './csrf.js';
import type { Frame, ShellFrame } from './frame.js';
import { securityHeaders, type PageKind } from './headers.js';
import type { Html } from './html.js';
import { Menu } from './menu.js';

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
  ) {
    this.#config = config;
    this.#plainHttp = config.publicUrl.startsWith('http:') || (config.mode === 'demo' && !isLoopback(config.host));
  }

  frame(): Frame {
    const simulated = this.#config.simulatedMoney ? 'simulated' : null;
    const { host } = new URL(this.#config.publicUrl);
    return { banner: this.#config.mode === 'demo' ? 'demo' : simulated, host, now: new Date(this.clock.now()) };
  }

  nonce(): string {
    return randomBytes(NONCE_BYTES).toString('base64');
  }

  /** Created for each response, because of its nonce. */
  shell(session: { readonly id: string; readonly email: string }, events: string | null = null): ShellFrame {
    const nonce = this.nonce();
    return {
      ...this.frame(),
      email: session.email,
      csrf: this.csrf.token(`session:${session.id}`),
      nonce,
      menu: this.menu.entries,
      events,
    };
  }

  send(reply: FastifyReply, kind: PageKind, page: Html, status = 200): void {
    void reply.code(status).headers(securityHeaders(kind, this.#plainHttp)).type('text/html; charset=utf-8').send(page.toString());
  }
}
