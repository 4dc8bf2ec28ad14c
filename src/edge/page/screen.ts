import { Injectable, Res, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { concatMap, type Observable } from 'rxjs';
import { Pages, type Draw, type RenderOptions } from './pages.js';

/** A page that a handler answers with, drawn in the frame of the visitor. */
export interface Screen extends RenderOptions {
  readonly draw: Draw;
}

/** The browser goes to another page, which may be reloaded without sending the form again. */
export interface Redirect {
  readonly seeOther: string;
}

export type Answer = Screen | Redirect;

/** The reply, for cookies beside the answer that a handler returns. */
export const Reply = (): ParameterDecorator => Res({ passthrough: true });

/** Sends what a handler returns. One that sends its response by itself returns nothing. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor<Answer | undefined, string | undefined> {
  constructor(private readonly pages: Pages) {}

  intercept(context: ExecutionContext, next: CallHandler<Answer | undefined>): Observable<string | undefined> {
    const http = context.switchToHttp();
    const [{ visitor }, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return next.handle().pipe(
      concatMap(async (answer) => {
        if (answer && 'draw' in answer && visitor) return this.pages.draw(reply, visitor, answer.draw, answer);
        if (answer && 'seeOther' in answer) void reply.code(303).header('location', answer.seeOther);
        return undefined;
      }),
    );
  }
}
