import { Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyService, type ApiKeyCreateOutcome, type ApiKeyRow } from '../api-key/index.js';
import { CurrentVisitor, PageSession, type Visitor } from '../auth/index.js';
import { PageController, PageError, PageForm, PageRenderer, seeOther, type Form } from '../page/index.js';
import { FlashCookie, InterruptedForms, KeptFields } from '../signin/index.js';
import { KeyPages } from './key-pages.js';
import { EXPIRY_OPTIONS, emptyKeyForm, paths, type KeyNewModel } from './view/index.js';

/** `/dashboard/keys`: the API keys of a person, and why they were refused. */
@PageController('dashboard/keys')
@PageSession()
export class KeyController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly keys: ApiKeyService,
    private readonly view: KeyPages,
    private readonly flash: FlashCookie,
    private readonly interrupted: InterruptedForms,
  ) {}

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.view.upToDate();
    await this.renderer.send(reply, visitor, (frame) => this.view.list(frame, visitor.user.id, query['revoked']));
  }

  @Get('new')
  async form(@CurrentVisitor() visitor: Visitor, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const kept = this.interrupted.take(request, reply, visitor, paths.newKey);
    await this.renderer.send(reply, visitor, (frame) => (kept ? this.view.restored(frame, kept) : this.view.form(frame, emptyKeyForm, {})));
  }

  @Post()
  @KeptFields(['name', 'scope', 'expires'], paths.newKey)
  async create(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const values = this.view.valuesOf(form);
    const { name, scopes, expires } = values;
    const outcome = await this.keys.create({ userId: visitor.user.id, name, scopes, expireInDays: daysOf(expires) });
    if (outcome.kind !== 'created')
      return this.renderer.send(reply, visitor, (frame) => this.view.form(frame, values, errorsOf(outcome, values)), { status: 422 });
    this.flash.keep(reply, paths.keyCreated(outcome.apiKey.id), outcome.secret);
    seeOther(reply, paths.keyCreated(outcome.apiKey.id));
  }

  @Get(':id')
  async key(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const key = await this.own(id, visitor);
    await this.renderer.send(reply, visitor, (frame) => this.view.key(frame, visitor.user.id, key));
  }

  @Get(':id/created')
  async created(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = await this.own(id, visitor);
    const secret = this.flash.take(request, reply, paths.keyCreated(id));
    await this.renderer.send(reply, visitor, (frame) => this.view.created(frame, key, secret));
  }

  @Get(':id/revoke')
  async ask(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const key = await this.own(id, visitor);
    await this.renderer.send(reply, visitor, (frame) => this.view.revoke(frame, key));
  }

  @Post(':id/revoke')
  async revoke(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.keys.revoke(visitor.user.id, id);
    seeOther(reply, `${paths.keys}?revoked=${encodeURIComponent(id)}`);
  }

  /** @throws PageError unless it is a key of the signed-in person */
  private async own(id: string, visitor: Visitor): Promise<ApiKeyRow> {
    await this.view.upToDate();
    const key = await this.keys.find(visitor.user.id, id);
    if (!key) throw new PageError({ kind: 'error', error: 'missing' });
    return key;
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
