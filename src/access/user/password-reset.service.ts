import { Injectable } from '@nestjs/common';
import { Mail } from '../../edge/mail/index.js';
import { Database } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';
import { resetMail } from './email-mails.js';
import { RESET_LINK_HOURS, ResetLinkService } from './reset-link.service.js';
import { UserService } from './user.service.js';

const TASK = 'password_reset';

interface ResetRequest {
  readonly email: string;
}

/** Resets of passwords by mail. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    private readonly mail: Mail,
    private readonly users: UserService,
    private readonly links: ResetLinkService,
  ) {
    jobs.task<ResetRequest>(TASK, ({ email }) => this.send(email), { limitSeconds: 30 });
  }

  get isAvailable(): boolean {
    return this.mail.isAvailable;
  }

  /** Asks for a link. It does the same work for an address without an account: a job looks the person up. @param email in its normal form */
  async request(email: string): Promise<void> {
    await this.jobs.add(this.database, TASK, { email } satisfies ResetRequest, { key: email, maxAttempts: 5 });
  }

  private async send(email: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    if (!user || user.disabledAt !== null) return;
    const { link } = await this.links.create(user.id, RESET_LINK_HOURS.default);
    await this.mail.send(this.database, user.email, resetMail(link));
  }
}
