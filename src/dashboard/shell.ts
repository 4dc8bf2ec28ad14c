import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Pages, type Html, type ShellFrame } from '../page/index.js';
import type { Visitor } from './gate.js';
import { paths } from './view/index.js';

export interface ShownAs {
  readonly status?: number;
  /** The page follows what happens to the wallet. */
  readonly live?: boolean;
}

/** The way a page reaches somebody who is signed in. */
@Injectable()
export class Shell {
  constructor(private readonly pages: Pages) {}

  /** Draws a page in its visitor's frame, and answers with it. */
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

/** Leads on to another page, which may be reloaded without sending the form again (RFC 9110 section 15.4.4). */
export const seeOther = (reply: FastifyReply, url: string): void => void reply.code(303).header('location', url).send();
