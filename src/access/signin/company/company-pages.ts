import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Pages } from '../../../edge/page/index.js';
import { SignInWays } from '../sign-in-ways.js';
import { companyRefusedPage, REFUSALS, type CompanyRefusal } from './company.view.js';
import type { Journey } from './company-journey.js';

const RETRY_SECONDS = 10;

/** The page of a sign-in that did not come about. It changes nothing. */
@Injectable()
export class CompanyPages {
  constructor(
    private readonly pages: Pages,
    private readonly ways: SignInWays,
  ) {}

  /** @param message a policy's own words */
  refuse(reply: FastifyReply, { sessionId, fresh, ...returnTo }: Journey, reason: CompanyRefusal, message: string | null = null): void {
    const again = this.ways.company(returnTo, sessionId !== undefined ? 'confirm' : fresh ? 'fresh' : undefined);
    const { status } = REFUSALS[reason];
    if (status === 503) reply.header('retry-after', RETRY_SECONDS);
    const model = { frame: this.pages.frame(), reason, message, again, passwordsWork: this.ways.passwordsWork };
    this.pages.send(reply, { kind: 'gate' }, companyRefusedPage(model), status);
  }
}
