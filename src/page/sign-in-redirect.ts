import type { FastifyRequest } from 'fastify';

/** Answers requests of browsers without a page session. */
export abstract class SignInRedirect {
  /** @returns the address of the sign-in page for this request */
  abstract redirectOf(request: FastifyRequest): string;
}
