import { Global, Module } from '@nestjs/common';
import { Jobs } from '../../platform/job/index.js';
import { Notices } from './notices.js';

@Global()
@Module({ providers: [Notices], exports: [Notices] })
export class NoticeModule {
  constructor(jobs: Jobs, notices: Notices) {
    jobs.task<string>('notice_mail', (id) => notices.mailOne(id));
    jobs.schedule('notice_cleanup', { everySeconds: 86_400, atStart: true }, ({ signal }) => notices.purge(signal));
  }
}
