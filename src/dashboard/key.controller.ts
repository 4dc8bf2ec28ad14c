import { Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyService, type ApiKeyRow } from '../api-key/index.js';
import { Public } from '../auth/index.js';
import { Pages, type Html, type ShellFrame } from '../page/index.js';
import { Gate, type Visitor } from './gate.js';
import { KeyPages } from './key-pages.js';
import { PageFilter } from './page.filter.js';
import { PageRefusal } from './page-refusal.js';
import { ShownOnce } from './shown-once.js';
import { EXPIRY_OPTIONS, KEY_NAME_LENGTH, emptyKeyForm, paths, type KeyNewModel } from './view/index.js';

/** `/dashboard/keys`: what can spend, and why did it stop? */
@Controller('dashboard/keys')
@UseFilters(PageFilter)
export class KeyController {
  constructor(
    private readonly gate: Gate,
    private readonly pages: Pages,
    private readonly keys: ApiKeyService,
    private readonly view: KeyPages,
    private readonly shownOnce: ShownOnce,
  ) {}

  @Get()
  @Public()
  async list(@Query() query: Record<string, unknown>, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.gate.signedIn(request);
    await this.send(reply, visitor, (frame) => this.view.list(frame, visitor.user.id, query['revoked']));
  }

  @Get('new')
  @Public()
  async form(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visitor = await this.gate.signedIn(request);
    await this.send(reply, visitor, (frame) => this.view.form(frame, emptyKeyForm, {}));
  }

  @Post()
  @Public()
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, form } = await this.gate.form(request);
    const values = this.view.valuesOf(form);
    const errors = errorsOf(values);
    if (Object.keys(errors).length > 0) return this.send(reply, visitor, (frame) => this.view.form(frame, values, errors), 422);
    const expireInDays = values.expires === 'never' ? null : Number(values.expires);
    const outcome = await this.keys.create({ userId: visitor.user.id, name: values.name, scopes: values.scopes, expireInDays });
    if (outcome.kind !== 'created') return this.send(reply, visitor, (frame) => this.view.form(frame, values, { name: 'long' }), 422);
    this.shownOnce.keep(reply, paths.keyCreated(outcome.apiKey.id), outcome.secret);
    void reply.code(303).header('location', paths.keyCreated(outcome.apiKey.id)).send();
  }

  @Get(':id')
  @Public()
  async key(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, key } = await this.own(id, request);
    await this.send(reply, visitor, (frame) => this.view.key(frame, visitor.user.id, key));
  }

  @Get(':id/created')
  @Public()
  async created(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, key } = await this.own(id, request);
    const secret = this.shownOnce.take(request, reply, paths.keyCreated(id));
    await this.send(reply, visitor, (frame) => this.view.created(frame, key, secret));
  }

  @Get(':id/revoke')
  @Public()
  async ask(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor, key } = await this.own(id, request);
    await this.send(reply, visitor, (frame) => this.view.revoke(frame, key));
  }

  @Post(':id/revoke')
  @Public()
  async revoke(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { visitor } = await this.gate.form(request);
    await this.keys.revoke(visitor.user.id, id);
    void reply
      .code(303)
      .header('location', `${paths.keys}?revoked=${encodeURIComponent(id)}`)
      .send();
  }

  /** @throws PageRefusal unless it is a key of whoever is signed in */
  private async own(id: string, request: FastifyRequest): Promise<{ visitor: Visitor; key: ApiKeyRow }> {
    const visitor = await this.gate.signedIn(request);
    const key = await this.keys.find(visitor.user.id, id);
    if (!key) throw new PageRefusal({ kind: 'error', error: 'missing' });
    return { visitor, key };
  }

  private async send(
    reply: FastifyReply,
    { session, user }: Visitor,
    draw: (frame: ShellFrame) => Html | Promise<Html>,
    status = 200,
  ): Promise<void> {
    const frame = this.pages.shell({ id: session.id, email: user.email });
    this.pages.send(reply, { kind: 'dashboard', nonce: frame.nonce }, await draw(frame), status);
  }
}

function errorsOf({ name, scopes, expires }: KeyNewModel['values']): KeyNewModel['errors'] {
  return {
    ...(name === '' && { name: 'missing' as const }),
    ...([...name].length > KEY_NAME_LENGTH && { name: 'long' as const }),
    ...(scopes.length === 0 && { scopes: 'none' as const }),
    ...(!EXPIRY_OPTIONS.some(({ value }) => value === expires) && { expires: 'unknown' as const }),
  };
}
