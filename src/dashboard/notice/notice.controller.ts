import { Get, Post, Query } from '@nestjs/common';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { Mail } from '../../edge/mail/index.js';
import { PageForm, type Form } from '../../edge/page/index.js';
import { Notices } from '../../access/notice/index.js';
import { PAGE_ROWS } from '../activity/page-links.js';
import { paths } from '../paths.js';
import { DashboardPages, type Answer, type Screen } from '../screen.js';
import { noticesPage } from './notice.view.js';

/** `/dashboard/activity`: what happened to the account. */
@DashboardPages('/activity')
export class NoticeController {
  constructor(
    private readonly notices: Notices,
    private readonly mail: Mail,
  ) {}

  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const before = typeof query['before'] === 'string' ? query['before'] : null;
    const rows = await this.notices.list(user.id, before, PAGE_ROWS + 1);
    const notices = rows.slice(0, PAGE_ROWS);
    const last = rows.length > PAGE_ROWS ? notices.at(-1) : undefined;
    const model = {
      notices,
      unmailed: this.mail.isAvailable ? await this.notices.unmailed(user.id) : null,
      olderHref: last ? `${paths.notices}?before=${last.id}` : null,
      newerHref: before === null ? null : paths.notices,
      isSaved: query['saved'] !== undefined,
    };
    return { draw: (frame) => noticesPage({ ...model, frame }) };
  }

  @Post()
  async choose(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    await this.notices.chooseMail(user.id, form.list('mail'));
    return { seeOther: `${paths.notices}?saved=1` };
  }
}
