import { Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Passkeys } from '../../access/factor/index.js';
import { AMR } from '../../access/session/index.js';
import { requireFreshFactor } from '../../access/signin/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { deviceName, PageForm, type Form } from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { DashboardPages, Reply, type Answer, type Redirect, type Screen } from '../screen.js';
import { changed, FactorChanges } from './factor-changes.js';
import { passkeysPage, removePasskeyPage } from './passkeys.view.js';

const bindingOf = ({ session }: Visitor): string => `session:${session.id}`;

@DashboardPages('/security/passkeys')
export class PasskeysController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly changes: FactorChanges,
  ) {}

  @Get()
  list(@CurrentVisitor() visitor: Visitor, @Req() request: FastifyRequest): Promise<Screen> {
    requireFreshFactor(visitor, paths.passkeys);
    return this.screen(visitor, request, false);
  }

  @Post()
  async add(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Reply() reply: FastifyReply): Promise<Answer> {
    requireFreshFactor(visitor, paths.passkeys);
    const outcome = await this.passkeys.add(visitor.user.id, bindingOf(visitor), form.text('name'), form.text('response'));
    if (outcome.kind === 'refused') return this.screen(visitor, reply.request, true);
    return this.changes.added(visitor, reply, AMR.passkey, outcome.codes, 'passkey-on');
  }

  @Get(':id/remove')
  async ask(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Answer> {
    requireFreshFactor(visitor, paths.passkeys);
    const passkey = (await this.passkeys.list(visitor.user.id)).find((each) => each.id === id);
    return passkey ? { draw: (frame) => removePasskeyPage(frame, passkey) } : { seeOther: paths.passkeys };
  }

  @Post(':id/remove')
  async remove(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Redirect> {
    requireFreshFactor(visitor, paths.passkeys);
    if (!(await this.passkeys.remove(visitor.user.id, id))) return { seeOther: paths.passkeys };
    await this.changes.renew(visitor, reply, []);
    return changed('passkey-off');
  }

  private async screen(visitor: Visitor, request: FastifyRequest, isRefused: boolean): Promise<Screen> {
    const [passkeys, options] = await Promise.all([
      this.passkeys.list(visitor.user.id),
      this.passkeys.creationOptions(visitor.user, bindingOf(visitor)),
    ]);
    const name = deviceName(request.headers['user-agent'] ?? '');
    return { draw: (frame) => passkeysPage({ frame, passkeys, options, name, isRefused }), status: isRefused ? 422 : 200 };
  }
}
