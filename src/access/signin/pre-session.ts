import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/index.js';
import { cookieName, cookieOptions } from '../../edge/http/index.js';
import { Csrf, Pages, type CsrfBinding, type FormBinding, type Frame, type Html, type PasskeyAsked } from '../../edge/page/index.js';

const ID_BYTES = 32;
const LIFE_SECONDS = 86_400;

/** The binding of forms before the sign-in: a random cookie of this browser. */
@Injectable()
export class PreSession implements FormBinding {
  private readonly cookieName: string;

  constructor(
    private readonly config: Config,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {
    this.cookieName = cookieName('sluice-presession', config.publicUrl);
  }

  bindingOf({ cookies }: FastifyRequest): CsrfBinding | null {
    const id = cookies[this.cookieName];
    return id !== undefined && /^[\w-]{43}$/.test(id) ? `interaction:${id}` : null;
  }

  /** Sends a page with a form that this browser alone can send. */
  send(reply: FastifyReply, draw: (form: { frame: Frame; csrf: string }) => Html, status: number): void {
    const csrf = this.csrf.token(this.bindingOf(reply.request) ?? this.begin(reply));
    this.pages.send(reply, { kind: 'gate' }, draw({ frame: this.pages.frame(), csrf }), status);
  }

  /** The same with the script of passkeys. @param ask makes the options of the ceremony for this browser */
  sendWithPasskey(
    reply: FastifyReply,
    ask: (binding: CsrfBinding) => string,
    draw: (form: { frame: Frame; csrf: string; passkey: PasskeyAsked }) => Html,
    status: number,
  ): void {
    const [binding, nonce] = [this.bindingOf(reply.request) ?? this.begin(reply), this.pages.nonce()];
    const passkey = { options: ask(binding), nonce };
    this.pages.send(reply, { kind: 'gate', nonce }, draw({ frame: this.pages.frame(), csrf: this.csrf.token(binding), passkey }), status);
  }

  private begin(reply: FastifyReply): CsrfBinding {
    const id = randomBytes(ID_BYTES).toString('base64url');
    reply.setCookie(this.cookieName, id, cookieOptions(this.config.publicUrl, LIFE_SECONDS));
    return `interaction:${id}`;
  }
}
