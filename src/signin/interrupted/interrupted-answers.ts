import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../auth/index.js';
import type { NewCookie } from '../../http/index.js';
import type { Form } from '../../page/index.js';
import { FlashCookie } from '../flash-cookie.js';
import { formOf, KEPT, keptInput, readKept } from './kept-input.js';

/** The page on which a person answers the request of an app. */
export interface AnswerPage {
  /** Without a query, which names no cookie's path. */
  readonly path: string;
  readonly challenge: string;
}

/** Several requests have one path, so each has a cookie of its own, as that which binds it to the browser. */
const cookieOf = ({ challenge }: AnswerPage): string => `${KEPT.name}-${challenge.slice(0, 10)}`;

/** Answers to requests of apps that arrive after their session has ended: Sluice keeps what they held, as `InterruptedForms` does. */
@Injectable()
export class InterruptedAnswers {
  constructor(private readonly flash: FlashCookie) {}

  /** @param userId whom the page was shown to @returns undefined for what is too long to keep */
  keep(page: AnswerPage, form: Form, fields: readonly string[], userId: string): NewCookie | undefined {
    const kept = keptInput(form, fields, userId);
    return kept === undefined ? undefined : this.flash.encrypt(page.path, JSON.stringify(kept), { ...KEPT, name: cookieOf(page) });
  }

  /** What this person answered before the sign-in, once. */
  take(request: FastifyRequest, reply: FastifyReply, { user }: Visitor, page: AnswerPage): Form | null {
    const kept = readKept(this.flash.take(request, reply, page.path, cookieOf(page)), user.id);
    return kept && formOf(kept);
  }
}
