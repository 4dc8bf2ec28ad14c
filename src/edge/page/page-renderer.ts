import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Visitor } from '../auth/index.js';
import type { ShellFrame } from './frame.js';
import type { Html } from './html.js';
import { Pages } from './pages.js';

/** Server-sent events of the wallet, which live pages listen to. */
export const LIVE_EVENTS_PATH = '/dashboard/events';

export interface RenderOptions {
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
    visitor: Visitor,
    draw: (frame: ShellFrame) => Html | Promise<Html>,
    { status = 200, live = false }: RenderOptions = {},
  ): Promise<void> {
    const { session, user } = visitor;
    const frame = this.pages.shell({ id: session.id, email: user.email }, live ? LIVE_EVENTS_PATH : null);
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, await draw(frame), status);
  }
}

/** Redirects to another page, which may be reloaded without sending the form again (RFC 9110 section 15.4.4). */
export const seeOther = (reply: FastifyReply, url: string): void => void reply.code(303).header('location', url).send();
