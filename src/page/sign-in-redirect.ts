import type { FastifyRequest } from 'fastify';
import type { Visitor } from '../auth/index.js';
import type { PageRedirect } from './page-error.js';

/** Where a request goes whose page session is missing, or whose form belongs to another one. */
export abstract class SignInRedirect {
  /** @returns null if the form is only refused */
  abstract redirectOf(request: FastifyRequest, visitor: Visitor | null): Promise<PageRedirect | null>;
}
