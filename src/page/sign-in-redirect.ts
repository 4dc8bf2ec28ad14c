import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../auth/index.js';
import type { Html } from './html.js';
import type { PageRedirect } from './page-error.js';

/** Where a request goes whose page session is missing, or whose form belongs to another one; and what the page says after the sign-in. */
export abstract class SignInRedirect {
  /** @returns null if the form is only refused */
  abstract redirectOf(request: FastifyRequest, visitor: Visitor | null): Promise<PageRedirect | null>;

  /** The notice above the form of this page that arrived after its session had ended, once; null if none did. */
  abstract notice(request: FastifyRequest, reply: FastifyReply, visitor: Visitor): Html | null;
}
