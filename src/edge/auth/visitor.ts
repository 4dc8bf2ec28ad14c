import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { GqlContext, Principal } from './principal.js';

/** The person who is signed in on the pages of this browser. */
export interface Visitor {
  readonly principal: Principal;
  readonly session: {
    readonly id: string;
    /** OpenID Connect's `auth_time`. */
    readonly authTime: Date;
    /** Seconds until the session ends unless it is used, by the database's clock. */
    readonly leftSeconds: number;
  };
  readonly user: { readonly id: string; readonly email: string; readonly username: string };
  /** The session's token. */
  readonly token: string;
}

export type VisitorFinder = (request: FastifyRequest) => Promise<Visitor | null>;

/** The handler needs a page session that the request does not have, or its form belongs to another session. */
export class PageSessionError extends Error {}

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** The caller, in a resolver, a REST handler or a page: a parameter of the type `Principal`. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal =>
  context.getType<string>() === 'graphql' ? context.getArgByIndex<GqlContext>(2).principal : requestOf(context).principal,
);

/** The signed-in person of a handler with `@PageSession()`: a parameter of the type `Visitor`, or `Visitor | null` where it is optional. */
export const CurrentVisitor = createParamDecorator((_data: unknown, context: ExecutionContext) => requestOf(context).visitor);

declare module 'fastify' {
  interface FastifyRequest {
    /** Null unless the handler has `@PageSession()`. */
    visitor: Visitor | null;
  }
}
