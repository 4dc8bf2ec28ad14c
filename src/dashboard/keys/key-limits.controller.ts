import { Get, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../auth/index.js';
import { PageController, PageForm, type Form } from '../../page/index.js';
import { KeptFields, NotDone } from '../../signin/index.js';
import { LIMIT_FIELDS, LimitsForms } from '../limits/limits-forms.js';
import { KeyLimitsPageService } from './key-limits.service.js';

/** `/dashboard/keys/<id>/limits`: what a key can spend. */
@PageController('dashboard/keys/:id/limits')
@PageSession()
export class KeyLimitsController {
  constructor(
    private readonly forms: LimitsForms,
    private readonly limits: KeyLimitsPageService,
  ) {}

  @Get()
  form(
    @Param('id') id: string,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forms.open(this.limits, { id, visitor, request, reply });
  }

  @Post()
  @KeptFields(LIMIT_FIELDS)
  @NotDone('nothing was saved')
  save(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    return this.forms.save(this.limits, form, { id, visitor, reply });
  }
}
