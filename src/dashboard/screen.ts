import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { concatMap, type Observable } from 'rxjs';
import { PageSession } from '../edge/auth/index.js';
import { PageController, PageRenderer, type Draw, type RenderOptions } from '../edge/page/index.js';

/** A page that a handler answers with, drawn in the frame of the visitor. */
export interface Screen extends RenderOptions {
  readonly draw: Draw;
}

/** The browser goes to another page, which may be reloaded without sending the form again. */
export interface Redirect {
  readonly seeOther: string;
}

export type Answer = Screen | Redirect;

/** Sends what a handler returns. One that sends its response by itself returns nothing. */
@Injectable()
class AnswerInterceptor implements NestInterceptor<Answer | undefined, string | undefined> {
  constructor(private readonly renderer: PageRenderer) {}

  intercept(context: ExecutionContext, next: CallHandler<Answer | undefined>): Observable<string | undefined> {
    const http = context.switchToHttp();
    const [{ visitor }, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return next.handle().pipe(
      concatMap(async (answer) => {
        if (answer && 'draw' in answer && visitor) return this.renderer.draw(reply, visitor, answer.draw, answer);
        if (answer && 'seeOther' in answer) void reply.code(303).header('location', answer.seeOther);
        return undefined;
      }),
    );
  }
}

/** Pages below `/dashboard` for signed-in people: a handler returns its answer. */
export const DashboardPages = (path: string): ClassDecorator =>
  applyDecorators(PageController(`dashboard${path}`), PageSession(), UseInterceptors(AnswerInterceptor));
