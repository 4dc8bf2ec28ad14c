import { Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../edge/page/index.js';
import { FlashCookie } from '../../access/signin/index.js';
import { paths } from '../paths.js';
import { keyCreatedPage, keyShownPage } from './key-created.view.js';
import { emptyKeyForm, keyNewPage, type KeyNewModel } from './key-new.view.js';
import { keyGonePage, keyPage, revokeKeyPage } from './key.view.js';
import { KeysPageService } from './keys.service.js';
import { keysPage } from './keys.view.js';

@PageController('dashboard/keys')
@PageSession()
export class KeysController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: KeysPageService,
    private readonly flash: FlashCookie,
  ) {}

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const model = await this.service.list(visitor.user.id, query['revoked']);
    await this.renderer.send(reply, visitor, (frame) => keysPage({ ...model, frame }));
  }

  @Get('new')
  async form(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.showForm(reply, visitor, { values: emptyKeyForm, errors: {} });
  }

  @Post()
  async create(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const values = this.service.valuesOf(form);
    const outcome = await this.service.create(visitor.user.id, values);
    if (outcome.kind !== 'created') return this.showForm(reply, visitor, { values, errors: outcome.errors }, 422);
    this.flash.keep(reply, paths.keyCreated(outcome.id), outcome.secret);
    seeOther(reply, paths.keyCreated(outcome.id));
  }

  @Get(':id')
  async key(
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
    @CurrentVisitor() visitor: Visitor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = await this.service.find(visitor.user.id, id);
    const refusals = await this.service.refusals(visitor.user.id, id);
    const budget = await this.service.budget(key.id);
    const isSaved = query['limits'] === 'saved';
    await this.renderer.send(reply, visitor, (frame) => keyPage({ frame, key, refusals, budget, isSaved }));
  }

  /** Shows the secret the first time only. */
  @Get(':id/created')
  async created(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const key = await this.service.find(visitor.user.id, id);
    const secret = this.flash.take(request, reply, paths.keyCreated(id));
    const limits = await this.service.limitsOf(key.id);
    const { apiUrl } = this.service;
    await this.renderer.send(reply, visitor, (frame) =>
      secret === null ? keyShownPage({ frame, key }) : keyCreatedPage({ frame, key, limits, secret, apiUrl }),
    );
  }

  @Get(':id/revoke')
  async ask(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const key = await this.service.find(visitor.user.id, id);
    await this.renderer.send(reply, visitor, (frame) => (key.ended ? keyGonePage : revokeKeyPage)({ frame, key }));
  }

  @Post(':id/revoke')
  async revoke(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.service.revoke(visitor.user.id, id);
    seeOther(reply, `${paths.keys}?revoked=${encodeURIComponent(id)}`);
  }

  private showForm(reply: FastifyReply, visitor: Visitor, model: Omit<KeyNewModel, 'frame' | 'scopes'>, status = 200): Promise<void> {
    const scopes = this.service.scopes();
    return this.renderer.send(reply, visitor, (frame) => keyNewPage({ ...model, frame, scopes }), { status });
  }
}
