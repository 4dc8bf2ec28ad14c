import { Get, Param, Post, Query } from '@nestjs/common';
import { SessionService } from '../../access/session/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { paths } from '../paths.js';
import { DashboardPages, type Redirect, type Screen } from '../screen.js';
import { sessionsPage } from './sessions.view.js';

const ENDED: Redirect = { seeOther: `${paths.sessions}?ended=1` };

/** Where a person is signed in. */
@DashboardPages('/security/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionService) {}

  @Get()
  async list(@Query('ended') ended: unknown, @CurrentVisitor() { user, session }: Visitor): Promise<Screen> {
    const sessions = await this.sessions.list(user.id);
    return { draw: (frame) => sessionsPage({ frame, sessions, currentId: session.id, hasEnded: ended !== undefined }) };
  }

  @Post()
  async endOthers(@CurrentVisitor() { user, session }: Visitor): Promise<Redirect> {
    await this.sessions.endOf(user.id, { except: session.id });
    return ENDED;
  }

  @Post(':id/end')
  async end(@Param('id') id: string, @CurrentVisitor() { user }: Visitor): Promise<Redirect> {
    await this.sessions.endOf(user.id, { only: id });
    return ENDED;
  }
}
