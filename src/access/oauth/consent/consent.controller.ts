import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageSession } from '../../../edge/auth/index.js';
import { BoundTo, PageController, PageForm, seeOther, type Form } from '../../../edge/page/index.js';
import { InteractionService } from '../interaction/interaction.service.js';
import { pageErrorOf } from '../interaction/pending-interaction.js';
import { ConsentBinding } from './consent-binding.js';
import { choiceIn, ConsentPages, limitIn, typedIn } from './consent-pages.js';

/** `/consent`: asks the person whether an app may use the wallet. A GET never grants anything. */
@PageController('consent')
@PageSession({ optional: true })
export class ConsentController {
  constructor(
    private readonly binding: ConsentBinding,
    private readonly interactions: InteractionService,
    private readonly pages: ConsentPages,
  ) {}

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send(reply, await this.binding.open(request));
  }

  @Post()
  @BoundTo(ConsentBinding)
  async decide(@PageForm() form: Form, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const open = await this.binding.open(request);
    const [typed, decision] = [typedIn(form), form.text('decision')];
    const isAllowed = decision === 'allow';
    const limit = isAllowed ? limitIn(typed, open.interaction) : null;
    const isRefused = isAllowed && (typeof limit === 'string' || choiceIn(typed, open.interaction).kind !== 'chosen');
    if (typeof limit === 'string' || isRefused) return this.pages.send(reply, open, { typed, isRefused });
    const choice = { decision, scopes: typed.scopes, limits: limit ? { [limit.window]: limit.limitSats } : {} };
    const outcome = await this.interactions.decide(open.challenge, request.cookies, open.visitor, choice);
    if (outcome.kind === 'undecided') return this.pages.send(reply, open, { typed });
    if (outcome.kind === 'needs_login' || outcome.kind === 'redirect') return seeOther(reply, outcome.url);
    throw pageErrorOf(outcome);
  }
}
