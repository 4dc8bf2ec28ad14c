import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { WaitsElsewhere } from '../../edge/http/index.js';
import { PageForm, seeOther, type Form, type Html, type PageRenderer, type ShellFrame } from '../../edge/page/index.js';
import type { AccountFlow } from '../../money/wallet/index.js';
import { paths } from '../paths.js';
import type { OrderService, Reviewed, TypedOrder } from './order.service.js';
import type { EndedReview, OrderModel } from './order.view.js';

export type OrderForm<Typed, Fault> = Typed & { readonly fault?: Fault | undefined; readonly ended?: EndedReview };

interface OrderViews<Typed, Fault, FormModel, Model> {
  readonly empty: Typed;
  readonly typedIn: (form: Form) => Typed;
  readonly reviewOf: (order: string) => string;
  readonly form: (model: FormModel & { readonly frame: ShellFrame; readonly form: OrderForm<Typed, Fault> }) => Html;
  readonly review: (model: Model & { readonly frame: ShellFrame }) => Html;
}

export abstract class OrderPages<
  Typed,
  Fault extends { readonly flow?: AccountFlow },
  FormModel extends object,
  Model extends Omit<OrderModel, 'frame'>,
> {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: OrderService<TypedOrder<Typed>, Typed, Fault, FormModel, Model>,
    private readonly views: OrderViews<Typed, Fault, FormModel, Model>,
  ) {}

  @Get()
  async form(@Query() { order }: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const typed = typeof order === 'string' ? this.service.typedIn(visitor, order) : undefined;
    await this.show(reply, visitor, { ...(typed ?? this.views.empty), fault: undefined }, 200);
  }

  @Post()
  async check(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const typed = this.views.typedIn(form);
    const checked = await this.service.check(visitor, typed);
    if (checked.kind === 'ready') return seeOther(reply, this.views.reviewOf(checked.order));
    await this.show(reply, visitor, { ...typed, fault: checked }, 422);
  }

  @Get('review')
  @WaitsElsewhere()
  async review(@Query() { order }: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(reply, visitor, typeof order === 'string' ? await this.service.review(visitor, order) : { kind: 'unknown' });
  }

  @Post('review')
  async confirm(
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer(reply, visitor, await this.service.confirm(visitor, form.text('order'), request));
  }

  private async answer(reply: FastifyReply, visitor: Visitor, reviewed: Reviewed<Typed, Model>): Promise<void> {
    if (reviewed.kind === 'begun') return seeOther(reply, paths.transaction(reviewed.transactionId));
    if (reviewed.kind === 'over') return this.show(reply, visitor, { ...reviewed.typed, ended: 'over' }, 410);
    if (reviewed.kind === 'unknown') return this.show(reply, visitor, { ...this.views.empty, ended: 'unknown' }, 410);
    const { model } = reviewed;
    const status = model.error === null ? 200 : 422;
    await this.renderer.send(reply, visitor, (frame) => this.views.review({ ...model, frame }), { status });
  }

  private async show(reply: FastifyReply, visitor: Visitor, form: OrderForm<Typed, Fault>, status: number): Promise<void> {
    const model = await this.service.form(visitor, form.fault?.flow);
    await this.renderer.send(reply, visitor, (frame) => this.views.form({ ...model, frame, form }), { status });
  }
}
