import { Controller, Get, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/index.js';
import { InteractionService, type OpenInteraction } from '../oauth/index.js';
import { Csrf, Pages } from '../page/index.js';
import { refusalOf } from './asking.js';
import { PageAuthenticator, type Visitor } from './page-authenticator.js';
import { challengeIn } from './return-to.js';
import { PageFilter } from './page.filter.js';
import { PageRefusal } from './page-refusal.js';
import { seeOther } from './page-renderer.js';
import { consentPage } from './view/index.js';

type Query = Readonly<Record<string, unknown>>;

/** `/consent`: asks the person whether an app may use the wallet. A GET never grants anything. */
@Controller('consent')
@UseFilters(PageFilter)
export class ConsentController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly interactions: InteractionService,
    private readonly csrf: Csrf,
    private readonly pages: Pages,
  ) {}

  @Get()
  @Public()
  async show(@Query() query: Query, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { interaction, visitor } = await this.open(query, request);
    this.render(reply, interaction, visitor);
  }

  @Post()
  @Public()
  async decide(@Query() query: Query, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { challenge, interaction, visitor } = await this.open(query, request);
    const form = this.authenticator.read(request, interaction.csrfBinding);
    const choice = { decision: form.text('decision'), scopes: form.list('scope') };
    const outcome = await this.interactions.decide(challenge, request.headers.cookie, visitor, choice);
    if (outcome.kind === 'undecided') return this.render(reply, interaction, visitor);
    if (outcome.kind === 'needs_login') return seeOther(reply, againIf(request, outcome.url));
    if (outcome.kind === 'redirect') return seeOther(reply, outcome.url);
    throw refusalOf(outcome);
  }

  /** @throws PageRefusal unless the request is open, in this browser, and the signed-in person may answer it */
  private async open(
    query: Query,
    request: FastifyRequest,
  ): Promise<{ challenge: string; interaction: OpenInteraction; visitor: Visitor }> {
    const challenge = challengeIn(query, 'consent_challenge');
    if (challenge === undefined) throw new PageRefusal({ kind: 'ended', ending: 'ended', client: null });
    const visitor = await this.authenticator.visitor(request);
    const found = await this.interactions.find(challenge, request.headers.cookie, visitor);
    if (found.kind !== 'open') throw refusalOf(found);
    if (!visitor || found.interaction.needsLogin)
      throw new PageRefusal({ kind: 'redirect', to: againIf(request, found.interaction.loginUrl) });
    return { challenge, interaction: found.interaction, visitor };
  }

  private render(reply: FastifyReply, interaction: OpenInteraction, { user }: Visitor): void {
    const { client, scopes, lastsUntil, asksAgainDays, redirectUri } = interaction;
    const page = consentPage({
      frame: this.pages.frame(),
      csrf: this.csrf.token(interaction.csrfBinding),
      action: interaction.consentUrl,
      client: { name: client.name, verified: client.verified, host: client.host },
      scopes,
      managesKeys: client.managesKeys,
      username: user.username,
      switchHref: `${interaction.loginUrl}&switch=1`,
      lastsUntil,
      asksAgainDays,
    });
    this.pages.send(reply, { kind: 'consent', redirectUri }, page);
  }
}

/** The sign-in page then says that an answer without a session was not counted. */
const againIf = ({ method }: FastifyRequest, loginUrl: string): string => (method === 'POST' ? `${loginUrl}&interrupted=again` : loginUrl);
