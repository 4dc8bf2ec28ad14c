import { Get, Post, Res } from '@nestjs/common';
import {
  CurrentVisitor,
  Form,
  InvalidInput,
  PageController,
  PageForm,
  PageRenderer,
  PageSession,
  RateLimit,
  seeOther,
  type FastifyReply,
  type Visitor,
} from '../../../src/index.js';
import { TippingService } from './tipping.service.js';
import { FORGET, tipsPage } from './tips.view.js';

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
  @RateLimit('tipping.forget')
  async forget(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    if (!form.values.has('word')) throw InvalidInput.of('The field word is missing', 'INVALID_INPUT', ['word']);
    const word = form.text('word');
    if (word === FORGET) {
      await this.tipping.forget(visitor.user.id);
      return seeOther(reply, '/tips');
    }
    const summary = await this.tipping.received(visitor.user.id);
    const refused = { word, error: `Type ${FORGET}, or leave this page` };
    await this.renderer.send(reply, visitor, (frame) => tipsPage(frame, summary, refused), { status: 422 });
  }
}
