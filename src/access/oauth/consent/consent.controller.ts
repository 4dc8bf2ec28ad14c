import { Get, Post, Req, Res, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PageSession, type Visitor } from '../../../edge/auth/index.js';
import {
  BoundTo,
  Csrf,
  PageController,
  PageError,
  PageForm,
  Pages,
  seeOther,
  type CsrfBinding,
  type Form,
  type FormBinding,
} from '../../../edge/page/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { ADDED_LIMIT_RANGE, LIMIT_RANGE } from '../../limit/index.js';
import { AppService } from '../app/app.service.js';
import { ClientService } from '../client/client.service.js';
import { choiceOf, type Choice, type ChoiceFault } from '../interaction/choice.js';
import {
  InteractionService,
  signInUrl,
  TestAccountError,
  type Decision,
  type OpenInteraction,
} from '../interaction/interaction.service.js';
import { sendResponse } from '../request/authorization-response.js';
import { ROUTES } from '../routes.js';
import { consentLimits, limitTextsIn } from './consent-limits.js';
import { consentPage, type TypedConsent } from './consent.view.js';

const typedIn = (form: Form, { budgets }: OpenInteraction): TypedConsent => ({
  scopes: form.list('scope'),
  limits: limitTextsIn(form, budgets),
  window: form.text('window'),
});

const choiceIn = (typed: TypedConsent, { scopes, client }: OpenInteraction): Choice | ChoiceFault =>
  choiceOf(scopes, client.managesKeys, typed.scopes);

interface OpenConsent {
  readonly challenge: string;
  readonly interaction: OpenInteraction;
  readonly visitor: Visitor;
  readonly csrf: string;
}

/** Binds the consent form to the authorization request, as shown to this session. */
@Injectable()
export class ConsentBinding implements FormBinding {
  private readonly opened = new WeakMap<FastifyRequest, OpenConsent>();

  constructor(
    private readonly interactions: InteractionService,
    private readonly csrf: Csrf,
    private readonly clients: ClientService,
  ) {}

  async bindingOf(request: FastifyRequest): Promise<CsrfBinding> {
    return (await this.open(request)).interaction.csrfBinding;
  }

  /** The page's authorization request, looked up once. @throws PageError unless the signed-in person may answer it in this browser */
  async open(request: FastifyRequest): Promise<OpenConsent> {
    const known = this.opened.get(request);
    if (known) return known;
    const { consent_challenge: challenge } = request.query as Readonly<Record<string, unknown>>;
    if (typeof challenge !== 'string') throw new PageError({ kind: 'ended', ending: 'ended', client: null });
    const { visitor } = request;
    const interaction = await this.interactions.open(challenge, request.cookies, visitor).catch((error: unknown) => {
      if (error instanceof TestAccountError) this.clients.noteEvidence(error.clientId, ROUTES.authorize, { cause: 'test_account' });
      throw error;
    });
    if (!visitor || interaction.needsLogin) {
      const to = signInUrl(challenge, request.method === 'POST' ? 'session-ended' : undefined);
      throw new PageError({ kind: 'redirect', to });
    }
    const open = { challenge, interaction, visitor, csrf: this.csrf.token(interaction.csrfBinding) };
    this.opened.set(request, open);
    return open;
  }
}

/** `/consent`: asks the person whether an app may use the wallet. A GET never grants anything. */
@PageController('consent')
@PageSession({ optional: true })
export class ConsentController {
  private readonly decisions;

  constructor(
    private readonly binding: ConsentBinding,
    private readonly interactions: InteractionService,
    private readonly apps: AppService,
    private readonly pages: Pages,
    metrics: Metrics,
  ) {
    this.decisions = metrics.counter('sluice_oauth_consents_total', 'Answers of people to apps: allow, or deny', ['decision']);
  }

  @Get()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.render(reply, await this.binding.open(request));
  }

  @Post()
  @BoundTo(ConsentBinding)
  async decide(@PageForm() form: Form, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const open = await this.binding.open(request);
    const { challenge, visitor, interaction } = open;
    const [typed, decision] = [typedIn(form, interaction), form.text('decision')];
    const answer = async (given: Decision): Promise<void> => {
      const next = await this.interactions.decide(challenge, request.cookies, visitor, given);
      if (typeof next === 'string') return seeOther(reply, next);
      this.decisions.inc({ decision: given === 'deny' ? 'deny' : 'allow' });
      sendResponse(reply, this.pages, next);
    };
    if (decision === 'deny') return answer('deny');
    if (decision !== 'allow') return this.render(reply, open, typed);
    const [choice, { change, errors }] = [choiceIn(typed, interaction), consentLimits(typed.limits, typed.window, interaction)];
    if (choice.kind !== 'chosen' || Object.keys(errors).length > 0) return this.render(reply, open, typed, true);
    await answer({ ...choice, limits: change });
  }

  /** @param isRefused it was sent to allow something, and has a fault */
  private async render(
    reply: FastifyReply,
    { challenge, interaction, csrf, visitor: { user } }: OpenConsent,
    typed?: TypedConsent,
    isRefused = false,
  ): Promise<void> {
    const { client } = interaction;
    const [app, limits] = await Promise.all([this.apps.find(user.id, client.id), this.apps.limitsOf(user.id, [client.id])]);
    const choice = typed && isRefused && choiceIn(typed, interaction);
    const rule = limits.size > 0 ? ADDED_LIMIT_RANGE : LIMIT_RANGE;
    const page = consentPage({
      ...interaction,
      frame: this.pages.frame(),
      challenge,
      csrf,
      username: user.username,
      held: app && app.scopes,
      limits: limits.get(client.id),
      typed,
      errors: {
        choice: choice && choice.kind !== 'chosen' ? choice.kind : undefined,
        limits: typed && isRefused ? consentLimits(typed.limits, typed.window, interaction, rule).errors : {},
      },
    });
    this.pages.send(reply, { kind: 'consent', redirectUri: interaction.redirectUri }, page, typed ? 422 : 200);
  }
}
