import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Pages, type Html, type ShellFrame } from '../page/index.js';
import type { Visitor } from './page-authenticator.js';
import { paths } from './view/index.js';

export interface ShownAs {
  readonly status?: number;
  /** The page updates when the wallet changes. */
  readonly live?: boolean;
}

/** Sends pages to signed-in people. */
@Injectable()
export class PageRenderer {
  constructor(private readonly pages: Pages) {}

  /** Draws a page in the visitor's frame, and sends it. */
  async send(
    reply: FastifyReply,
    { session, user }: Visitor,
    draw: (frame: ShellFrame) => Html | Promise<Html>,
    { status = 200, live = false }: ShownAs = {},
  ): Promise<void> {
    const frame = this.pages.shell({ id: session.id, email: user.email }, live ? paths.events : null);
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, await draw(frame), status);
  }
}

/** Redirects to another page, which may be reloaded without sending the form again (RFC 9110 section 15.4.4). */
export const seeOther = (reply: FastifyReply, url: string): void => void reply.code(303).header('location', url).send();
