import { Get, Post, Req, Res, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageSession, type Visitor } from '../../../edge/auth/index.js';
import {
  BoundTo,
  PageController,
  PageForm,
  seeOther,
  type Form,
  PageError,
  type CsrfBinding,
  type FormBinding,
  Csrf,
  Pages,
} from '../../../edge/page/index.js';
import { InteractionService } from '../interaction/interaction.service.js';
import { pageErrorOf } from '../interaction/pending-interaction.js';
import type { OpenInteraction } from '../interaction/interaction.outcome.js';
import { ADDED_LIMIT_RANGE, LIMIT_RANGE, windowLimitTyped, type BudgetLimits, type WindowLimit } from '../../limit/index.js';
import { AppService } from '../app/app.service.js';
import { GrantService } from '../grant/grant.service.js';
import { choiceOf, type Choice, type ChoiceFault } from '../interaction/choice.js';
import { consentPage, type ConsentErrors, type TypedConsent } from './consent.view.js';

export interface ReturnedForm {
  readonly typed: TypedConsent;
  /** It was sent to allow something, and has a fault. */
  readonly isRefused?: boolean;
}

export const typedIn = (form: Form): TypedConsent => ({
  scopes: form.list('scope'),
  limit: form.text('limit').trim(),
  window: form.text('window'),
});

@Injectable()
export class ConsentPages {
  constructor(
    private readonly apps: AppService,
    private readonly grants: GrantService,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {}

  async send(reply: FastifyReply, { interaction, visitor: { user } }: OpenConsent, returned?: ReturnedForm): Promise<void> {
    const { client, scopes, lastsUntil, asksAgainDays, redirectUri } = interaction;
    const [app, limits] = await Promise.all([this.apps.find(user.id, client.id), this.grants.limitsOf(user.id, client.id)]);
    const { typed, isRefused } = returned ?? {};
    const page = consentPage({
      frame: this.pages.frame(),
      csrf: this.csrf.token(interaction.csrfBinding),
      action: interaction.consentUrl,
      app: client,
      scopes,
      managesKeys: client.managesKeys,
      username: user.username,
      switchHref: interaction.switchUrl,
      lastsUntil,
      asksAgainDays,
      held: app && { scopes: app.scopes, disconnectHref: `/dashboard/apps/${client.id}/disconnect` },
      limits,
      typed,
      errors: typed && isRefused ? errorsIn(typed, interaction, limits) : {},
    });
    this.pages.send(reply, { kind: 'consent', redirectUri }, page, typed ? 422 : 200);
  }
}

function errorsIn(typed: TypedConsent, interaction: OpenInteraction, limits: BudgetLimits | undefined): ConsentErrors {
  const choice = choiceIn(typed, interaction);
  const limit = limitIn(typed, interaction, limits ? ADDED_LIMIT_RANGE : LIMIT_RANGE);
  return { choice: choice.kind === 'chosen' ? undefined : choice.kind, limit: typeof limit === 'string' ? limit : undefined };
}

export const choiceIn = (typed: TypedConsent, { scopes, client }: OpenInteraction): Choice | ChoiceFault =>
  choiceOf({ scopes, asksForKeys: client.managesKeys }, typed.scopes);

export const limitIn = (typed: TypedConsent, { scopes }: OpenInteraction, rule?: string): WindowLimit | null | string =>
  scopes.some(({ movesMoney }) => movesMoney) ? windowLimitTyped(typed.limit, typed.window, rule) : null;

export interface OpenConsent {
  readonly challenge: string;
  readonly interaction: OpenInteraction;
  readonly visitor: Visitor;
}

/** Binds the consent form to the authorization request, as shown to this session. */
@Injectable()
export class ConsentBinding implements FormBinding {
  private readonly opened = new WeakMap<FastifyRequest, OpenConsent>();

  constructor(private readonly interactions: InteractionService) {}

  async bindingOf(request: FastifyRequest): Promise<CsrfBinding> {
    return (await this.open(request)).interaction.csrfBinding;
  }

  /**
   * The authorization request that this page is about; looked up once.
   * @throws PageError unless it is open, in this browser, and the signed-in person may answer it
   */
  async open(request: FastifyRequest): Promise<OpenConsent> {
    const known = this.opened.get(request);
    if (known) return known;
    const { consent_challenge: challenge } = request.query as Readonly<Record<string, unknown>>;
    if (typeof challenge !== 'string') throw pageErrorOf({ kind: 'ended', client: null });
    const { visitor } = request;
    const found = await this.interactions.find(challenge, request.cookies, visitor);
    if (found.kind !== 'open') throw pageErrorOf(found);
    const { interaction } = found;
    if (!visitor || interaction.needsLogin) {
      throw new PageError({ kind: 'redirect', to: request.method === 'POST' ? interaction.sessionEndedUrl : interaction.loginUrl });
    }
    const open = { challenge, interaction, visitor };
    this.opened.set(request, open);
    return open;
  }
}

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
