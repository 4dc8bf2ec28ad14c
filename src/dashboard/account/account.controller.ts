import { Get, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { AccountPageService } from './account.service.js';
import { accountPage, type AccountModel } from './account.view.js';

@PageController('dashboard/account')
@PageSession()
export class AccountController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: AccountPageService,
  ) {}

  @Get()
  async account(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.show(reply, visitor, { isSaved: query['currency'] === 'saved' });
  }

  @Post('currency')
  async chooseCurrency(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const isChosen = await this.service.chooseCurrency(visitor.user.id, form.text('currency'));
    if (isChosen) return seeOther(reply, `${paths.account}?currency=saved`);
    await this.show(reply, visitor, { hasFault: true }, 422);
  }

  private async show(reply: FastifyReply, visitor: Visitor, form: Pick<AccountModel, 'isSaved' | 'hasFault'>, status = 200): Promise<void> {
    const model = await this.service.read(visitor.user.id);
    await this.renderer.send(reply, visitor, (frame) => accountPage({ ...model, ...form, frame }), { status });
  }
}
