import { Get, Post, Res } from '@nestjs/common';
import {
  CurrentVisitor,
  Form,
  InvalidInput,
  PageController,
  PageForm,
  PageRenderer,
  PageSession,
  seeOther,
  type FastifyReply,
  type Visitor,
} from '../../../src/index.js';
import { TippingService } from './tipping.service.js';
import { tipsPage } from './tips.view.js';

/** `/tips`: a page for signed-in people, in Sluice's layout. */
@PageController('tips')
@PageSession()
export class TipsController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly tipping: TippingService,
  ) {}

  @Get()
  async show(@CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const summary = await this.tipping.received(visitor.user.id);
    await this.renderer.send(reply, visitor, (frame) => tipsPage(frame, summary));
  }

  @Post('forget')
  async forget(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    if (form.text('what') !== 'all') throw InvalidInput.of('Only all tips can be forgotten', 'INVALID_INPUT', ['what']);
    await this.tipping.forget(visitor.user.id);
    seeOther(reply, '/tips');
  }
}
