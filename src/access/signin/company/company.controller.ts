import { Get, NotFoundException, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, PageSessionError, type Visitor } from '../../../edge/auth/index.js';
import { PageController, seeOther } from '../../../edge/page/index.js';
import { IdentitySignIn } from '../../identity/index.js';
import { StepUp } from '../../session/index.js';
import { SignInFlow } from '../login/sign-in-flow.js';
import { paths, withReturnTo, type ReturnTo } from '../paths.js';
import { ReturnToPipe } from '../return-pages.js';
import { CompanyJourney, type Journey, type JourneyEnd } from './company-journey.js';
import { CompanyPages } from './company-pages.js';
import type { CompanyRefusal } from './company.view.js';

/** `/login/company`: leads to the company's identity provider, which leads back to `/login/company/callback`. */
@PageController('login/company')
@PageSession({ optional: true })
export class CompanyController {
  constructor(
    private readonly journeys: CompanyJourney,
    private readonly identities: IdentitySignIn,
    private readonly flow: SignInFlow,
    private readonly steps: StepUp,
    private readonly pages: CompanyPages,
  ) {}

  @Get()
  async begin(
    @Query(ReturnToPipe) returnTo: ReturnTo,
    @CurrentVisitor() visitor: Visitor | null,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (this.journeys.name === null) throw new NotFoundException();
    const { confirm, fresh } = reply.request.query as Readonly<Record<string, unknown>>;
    const sessionId = confirm === undefined ? undefined : visitor?.session.id;
    const app = await this.flow.waitingApp(returnTo, reply.request);
    const isFresh = fresh !== undefined || sessionId !== undefined || app?.needsFreshSignIn === true;
    const journey: Journey = { ...returnTo, sessionId, fresh: isFresh };
    const begun = await this.journeys.begin(reply, journey);
    if (begun.kind === 'redirect') return seeOther(reply, begun.to);
    await this.arrive(journey, begun, visitor, reply);
  }

  @Get('callback')
  async finish(@CurrentVisitor() visitor: Visitor | null, @Res() reply: FastifyReply): Promise<void> {
    if (this.journeys.name === null) throw new NotFoundException();
    const { journey, end } = await this.journeys.finish(reply);
    await this.arrive(journey, end, visitor, reply);
  }

  private async arrive(journey: Journey, end: JourneyEnd, visitor: Visitor | null, reply: FastifyReply): Promise<void> {
    if (end.kind === 'refused') return this.pages.refuse(reply, journey, end.reason);
    const { identity, provedAt } = end;
    if (journey.sessionId !== undefined) return this.confirm(journey, end, visitor, reply);
    const outcome = await this.identities.signIn(identity, provedAt, this.flow.callerOf(reply.request));
    switch (outcome.kind) {
      case 'signed_in':
        return this.flow.finish(reply, journey, outcome);
      case 'factor_required':
        return this.flow.askForFactor(reply, journey, outcome.ticket);
      case 'vetoed':
        return this.refuse(reply, journey, 'vetoed', outcome.message);
      case 'slowed_down':
      case 'refused':
        return this.refuse(reply, journey, 'disabled');
      default:
        return this.refuse(reply, journey, outcome.kind);
    }
  }

  /** The provider has proved the person, and this server refuses. */
  private refuse(reply: FastifyReply, journey: Journey, reason: CompanyRefusal, message?: string): void {
    this.journeys.note(reason);
    this.pages.refuse(reply, journey, reason, message);
  }

  /** The person of this session has proved again who they are. */
  private async confirm(
    journey: Journey,
    { identity, provedAt }: Extract<JourneyEnd, { kind: 'proved' }>,
    visitor: Visitor | null,
    reply: FastifyReply,
  ): Promise<void> {
    if (visitor?.session.id !== journey.sessionId || !visitor) throw new PageSessionError('The session ended during the proof');
    if ((await this.identities.findOwner(identity)) !== visitor.user.id) return this.pages.refuse(reply, journey, 'other_person');
    const outcome = await this.steps.byProvider(visitor, { authTime: provedAt, amr: identity.amr });
    if (outcome.kind === 'confirmed') return this.flow.goOn(reply, journey, outcome);
    // The person has a factor of this server: its page asks for it.
    seeOther(reply, withReturnTo(paths.confirm, { to: journey.to }));
  }
}
