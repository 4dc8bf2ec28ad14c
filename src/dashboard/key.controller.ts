import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyService, type ApiKeyCreateOutcome, type ApiKeyRow } from '../api-key/index.js';
import { Public } from '../auth/index.js';
import { PageAuthenticator, type Visitor } from './page-authenticator.js';
import { KeyPages } from './key-pages.js';
import { PageFilter } from './page.filter.js';
import { PageRefusal } from './page-refusal.js';
import { seeOther, PageRenderer } from './page-renderer.js';
import { FlashCookie } from './flash-cookie.js';
import { EXPIRY_OPTIONS, emptyKeyForm, paths, type KeyNewModel } from './view/index.js';

/** `/dashboard/keys`: the API keys of a person, and why they were refused. */
@Controller('dashboard/keys')
@UseFilters(PageFilter)
export class KeyController {
  constructor(
    private readonly authenticator: PageAuthenticator,
    private readonly renderer: PageRenderer,
    private readonly keys: ApiKeyService,
    private readonly view: KeyPages,
    private readonly flash: FlashCookie,
  ) {}

  @Get()
  @Public()
  async list(@Query() query: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.authenticator.signedIn(request);
    await this.view.upToDate();
    await this.renderer.send(reply, visitor, (frame) => this.view.list(frame, visitor.user.id, query['revoked']));
  }

  @Get('new')
  @Public()
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.authenticator.signedIn(request);
    const kept = this.authenticator.kept(request, reply, visitor, paths.newKey);
    await this.renderer.send(reply, visitor, (frame) => (kept ? this.view.restored(frame, kept) : this.view.form(frame, emptyKeyForm, {})));
  }

  @Post()
  @Public()
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, form } = await this.authenticator.form(request);
    const values = this.view.valuesOf(form);
    const { name, scopes, expires } = values;
    const outcome = await this.keys.create({ userId: visitor.user.id, name, scopes, expireInDays: daysOf(expires) });
    if (outcome.kind !== 'created')
      return this.renderer.send(reply, visitor, (frame) => this.view.form(frame, values, errorsOf(outcome, values)), { status: 422 });
    this.flash.keep(reply, paths.keyCreated(outcome.apiKey.id), outcome.secret);
    seeOther(reply, paths.keyCreated(outcome.apiKey.id));
  }

  @Get(':id')
  @Public()
  async key(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, key } = await this.own(id, request);
    await this.renderer.send(reply, visitor, (frame) => this.view.key(frame, visitor.user.id, key));
  }

  @Get(':id/created')
  @Public()
  async created(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, key } = await this.own(id, request);
    const secret = this.flash.take(request, reply, paths.keyCreated(id));
    await this.renderer.send(reply, visitor, (frame) => this.view.created(frame, key, secret));
  }

  @Get(':id/revoke')
  @Public()
  async ask(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, key } = await this.own(id, request);
    await this.renderer.send(reply, visitor, (frame) => this.view.revoke(frame, key));
  }

  @Post(':id/revoke')
  @Public()
  async revoke(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.authenticator.form(request);
    await this.keys.revoke(visitor.user.id, id);
    seeOther(reply, `${paths.keys}?revoked=${encodeURIComponent(id)}`);
  }

  /** @throws PageRefusal unless it is a key of the signed-in person */
  private async own(id: string, request: FastifyRequest): Promise<{ visitor: Visitor; key: ApiKeyRow }> {
    const visitor = await this.authenticator.signedIn(request);
    await this.view.upToDate();
    const key = await this.keys.find(visitor.user.id, id);
    if (!key) throw new PageRefusal({ kind: 'error', error: 'missing' });
    return { visitor, key };
  }
}

/** NaN for a value that is no option: the service refuses it. */
function daysOf(expires: string): number | null {
  if (expires === 'never') return null;
  return EXPIRY_OPTIONS.some(({ value }) => value === expires) ? Number(expires) : NaN;
}

/** The service names the field and the rule; the page has its own text for each. */
function errorsOf(outcome: Exclude<ApiKeyCreateOutcome, { kind: 'created' }>, { name }: KeyNewModel['values']): KeyNewModel['errors'] {
  if (outcome.kind !== 'invalid') return { name: 'too-many' };
  const wrong = new Set(outcome.faults.map(({ field }) => field));
  return {
    ...(wrong.has('name') && { name: name === '' ? 'missing' : 'malformed' }),
    ...(wrong.has('scopes') && { scopes: 'none' }),
    ...(wrong.has('expireInDays') && { expires: 'unknown' }),
  };
}
