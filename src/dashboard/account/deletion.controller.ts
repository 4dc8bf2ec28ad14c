import { Get, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { requireFreshFactor, SignInCookies } from '../../access/signin/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { AccountDeletionService, type DeletionRefusal } from '../../money/personal-data/index.js';
import { paths } from '../paths.js';
import { DashboardPages, Reply, type Answer, type Screen } from '../screen.js';
import { deletionPage } from './deletion.view.js';

const screen = (refusal: DeletionRefusal | null): Screen => ({
  draw: (frame) => deletionPage(frame, refusal),
  status: refusal === null ? 200 : 422,
});

@DashboardPages('/account/delete')
export class DeletionController {
  constructor(
    private readonly deletions: AccountDeletionService,
    private readonly cookies: SignInCookies,
  ) {}

  @Get()
  ask(@CurrentVisitor() visitor: Visitor): Screen {
    requireFreshFactor(visitor, paths.deleteAccount);
    return screen(null);
  }

  @Post()
  async delete(@CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Answer> {
    requireFreshFactor(visitor, paths.deleteAccount);
    const outcome = await this.deletions.delete(visitor.user.id);
    if (outcome.kind === 'refused') return screen(outcome.reason);
    this.cookies.clear(reply);
    return { seeOther: '/login?deleted=1' };
  }
}
