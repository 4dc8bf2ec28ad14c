import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { StepUp } from '../../access/session/index.js';
import { FlashCookie, SignInCookies } from '../../access/signin/index.js';
import type { Visitor } from '../../edge/auth/index.js';
import { paths } from '../paths.js';
import type { Redirect } from '../screen.js';
import type { SecurityChange } from './security.view.js';

export const changed = (change: SecurityChange): Redirect => ({ seeOther: `${paths.security}?changed=${change}` });

/** What follows a change of a person's factors. */
@Injectable()
export class FactorChanges {
  constructor(
    private readonly steps: StepUp,
    private readonly cookies: SignInCookies,
    private readonly flash: FlashCookie,
  ) {}

  /** @param codes of a first factor, which are shown once */
  async added(
    visitor: Visitor,
    reply: FastifyReply,
    amr: readonly string[],
    codes: readonly string[] | null,
    change: SecurityChange,
  ): Promise<Redirect> {
    await this.renew(visitor, reply, amr);
    return codes ? this.showCodes(reply, codes) : changed(change);
  }

  /** The change ended the proofs of all sessions; who made it has just proved who they are. */
  async renew(visitor: Visitor, reply: FastifyReply, amr: readonly string[]): Promise<void> {
    const outcome = await this.steps.renew(visitor, amr);
    if (outcome.kind === 'confirmed') this.cookies.set(reply, outcome);
  }

  showCodes(reply: FastifyReply, codes: readonly string[]): Redirect {
    return this.flash.show(reply, paths.recoveryCodes, codes.join(' '));
  }
}
