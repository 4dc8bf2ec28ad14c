import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiKeyService } from '../../access/api-key/index.js';
import type { AskAbove, Budget, LimitsChange } from '../../access/limit/index.js';
import { FlashCookie } from '../../access/signin/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Form } from '../../edge/page/index.js';
import { RateLimit } from '../../edge/rate-limit/index.js';
import { Config } from '../../platform/config/index.js';
import { LimitsPages, type NoForm } from '../limits/limits-pages.js';
import { canEverSend, canSend, limitsWithoutEffectPage, type Spender } from '../limits/limits.view.js';
import { paths } from '../paths.js';
import { DashboardPages, type Answer, type Redirect, type Screen } from '../screen.js';
import { keyCreatedPage, keyShownPage, emptyKeyForm, keyNewPage, type KeyNewModel } from './key-new.view.js';
import { keyGonePage, keyPage, revokeKeyPage, keysPage, type KeyModel, type KeyView } from './key.view.js';
import { KeysPageService } from './keys.service.js';

@DashboardPages('/keys')
export class KeysController extends LimitsPages {
  constructor(
    private readonly service: KeysPageService,
    private readonly keys: ApiKeyService,
    private readonly flash: FlashCookie,
    private readonly config: Config,
  ) {
    super();
  }

  @Get()
  async list(@Query('revoked') revoked: unknown, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const model = await this.service.list(user.id, revoked);
    return { draw: (frame) => keysPage({ ...model, frame }) };
  }

  @Get('new')
  form(): Screen {
    return this.formScreen({ values: emptyKeyForm, errors: {} }, 200);
  }

  @Post()
  @RateLimit('apiKey')
  async create(
    @CurrentVisitor() { user }: Visitor,
    @PageForm() form: Form,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer> {
    const values = this.service.valuesOf(form);
    const outcome = await this.service.create(user.id, values);
    if (outcome.kind !== 'created') return this.formScreen({ values, errors: outcome.errors }, 422);
    return this.secretShown(reply, outcome.id, outcome.secret);
  }

  @Get(':id')
  async key(@Param('id') id: string, @Query('limits') limits: unknown, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const model = await this.modelOf(await this.service.find(user.id, id));
    return { draw: (frame) => keyPage({ frame, ...model, isSaved: limits === 'saved' }) };
  }

  @Post(':id/roll')
  @RateLimit('apiKey')
  async roll(
    @Param('id') id: string,
    @CurrentVisitor() { user }: Visitor,
    @PageForm() form: Form,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer> {
    const overlap = form.text('overlap');
    const outcome = await this.keys.roll(user.id, id, /^\d+$/.test(overlap) ? Number(overlap) : NaN);
    if (outcome.kind === 'rolled') return this.secretShown(reply, id, outcome.secret);
    const key = await this.service.find(user.id, id);
    if (key.ended) return { draw: (frame) => keyGonePage({ frame, key }), status: 410 };
    const model = await this.modelOf(key);
    return { draw: (frame) => keyPage({ frame, ...model, isSaved: false, rollError: true }), status: 422 };
  }

  @Get(':id/created')
  async created(
    @Param('id') id: string,
    @CurrentVisitor() { user }: Visitor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Screen> {
    const key = await this.service.find(user.id, id);
    const secret = this.flash.take(reply, paths.keyCreated(id));
    if (secret === null) return { draw: (frame) => keyShownPage({ frame, key }) };
    const limits = (await this.keys.limitsOf([key.id])).get(key.id);
    const { apiUrl } = this.config;
    return { draw: (frame) => keyCreatedPage({ frame, key, limits, secret, apiUrl }) };
  }

  @Get(':id/revoke')
  async ask(@Param('id') id: string, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const key = await this.service.find(user.id, id);
    return { draw: (frame) => (key.ended ? keyGonePage : revokeKeyPage)({ frame, key }) };
  }

  @Post(':id/revoke')
  async revoke(@Param('id') id: string, @CurrentVisitor() { user }: Visitor): Promise<Redirect> {
    await this.keys.revoke(user.id, id);
    return { seeOther: `${paths.keys}?revoked=${encodeURIComponent(id)}` };
  }

  protected async spender(userId: string, id: string): Promise<Spender | NoForm> {
    const key = await this.service.find(userId, id);
    if (key.ended) return { kind: 'no_form', draw: (frame) => keyGonePage({ frame, key }), status: 200, sentStatus: 410 };
    const movesMoney = canSend(key.scopes);
    const spender: Spender = {
      kind: 'key',
      movesMoney,
      name: key.name,
      href: paths.key(id),
      action: paths.keyLimits(id),
      askAction: paths.keyAsk(id),
    };
    if (canEverSend(spender)) return spender;
    return { kind: 'no_form', draw: (frame) => limitsWithoutEffectPage(spender, frame), status: 200, sentStatus: 422 };
  }

  protected loadBudget(_userId: string, id: string): Promise<Budget> {
    return this.keys.loadBudget(id);
  }

  protected async changeLimits(userId: string, id: string, change: LimitsChange): Promise<boolean> {
    return (await this.keys.changeLimits(userId, id, change)).kind === 'changed';
  }

  protected loadAsk(_userId: string, id: string): Promise<AskAbove> {
    return this.keys.askOf(id);
  }

  protected changeAsk(userId: string, id: string, ask: AskAbove): Promise<boolean> {
    return this.keys.changeAsk(userId, id, ask);
  }

  private async modelOf(key: KeyView): Promise<Pick<KeyModel, 'key' | 'calls' | 'budget' | 'ask'>> {
    const { id } = key;
    return { key, calls: await this.service.calls(id), budget: await this.keys.loadBudget(id), ask: await this.keys.askOf(id) };
  }

  private secretShown(reply: FastifyReply, id: string, secret: string): Redirect {
    this.flash.keep(reply, paths.keyCreated(id), secret);
    return { seeOther: paths.keyCreated(id) };
  }

  private formScreen(model: Omit<KeyNewModel, 'frame' | 'scopes' | 'maxDays'>, status: number): Screen {
    const { maxDays } = this.service;
    const scopes = this.service.scopes();
    return { draw: (frame) => keyNewPage({ ...model, frame, scopes, maxDays }), status };
  }
}
