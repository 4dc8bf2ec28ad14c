import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import { Csrf, isSameOrigin, parseForm, type Form, type Html, type PageRedirect } from '../../page/index.js';
import { InterruptedAnswers, restoredNotice, signInUrl } from '../../signin/index.js';
import type { OpenInteraction } from './interaction.outcome.js';

const PATH = '/consent';
/** What a person enters on the consent page, and the limits that they saw. */
const FIELDS = ['scope', 'limit', 'window', 'based'];

/** Above a consent that was kept over a sign-in. */
export const KEPT_ANSWER_NOTICE: Html = restoredNotice('nothing was allowed');

/** Answers that arrived when their session had ended. They are not counted; what was entered is kept for its author. */
@Injectable()
export class KeptAnswers {
  constructor(
    private readonly answers: InterruptedAnswers,
    private readonly csrf: Csrf,
    private readonly config: Config,
  ) {}

  /** Keeps the answer in this request. @returns the way to the sign-in page, which says whether it was kept */
  keep(request: FastifyRequest, challenge: string, { shownTo }: OpenInteraction): PageRedirect {
    const form = typeof request.body === 'string' ? parseForm(request.body) : null;
    const isTheirs =
      form && shownTo && isSameOrigin(request.headers, this.config.publicUrl) && this.csrf.verify(shownTo.csrfBinding, form.text('csrf'));
    const cookie = isTheirs ? this.answers.keep({ path: PATH, challenge }, form, FIELDS, shownTo.userId) : undefined;
    return { kind: 'redirect', to: signInUrl(challenge, cookie ? 'kept' : 'lost'), cookie };
  }

  /** What this person answered before the sign-in, once. */
  take(request: FastifyRequest, reply: FastifyReply, visitor: Visitor, challenge: string): Form | null {
    return this.answers.take(request, reply, visitor, { path: PATH, challenge });
  }
}
