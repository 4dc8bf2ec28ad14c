import { Get, Post } from '@nestjs/common';
import { AccessPauseService } from '../../access/user/index.js';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Form } from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { DashboardPages, type Redirect, type Screen } from '../screen.js';
import { pausePage } from './pause.view.js';

/** The person's own switch for everything that acts for them but their sessions. */
@DashboardPages('/security/pause')
export class PauseController {
  constructor(private readonly pauses: AccessPauseService) {}

  @Get()
  async show(@CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const pauses = await this.pauses.find(user.id);
    return { draw: (frame) => pausePage(frame, pauses) };
  }

  @Post()
  async change(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Redirect> {
    await this.pauses[form.text('access') === 'resume' ? 'resume' : 'pause'](user.id, 'owner');
    return { seeOther: paths.pause };
  }
}
