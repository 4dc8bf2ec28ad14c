import { Get, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import { PageController, PageForm, type Form } from '../../edge/page/index.js';
import { LimitsForms } from '../limits/limits-forms.js';
import { KeyLimitsPageService } from './key-limits.service.js';

@PageController('dashboard/keys/:id/limits')
@PageSession()
export class KeyLimitsController {
  constructor(
    private readonly forms: LimitsForms,
    private readonly limits: KeyLimitsPageService,
  ) {}

  @Get()
  form(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    return this.forms.show(this.limits, { id, visitor, reply });
  }

  @Post()
  save(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    return this.forms.save(this.limits, form, { id, visitor, reply });
  }
}
