import { Injectable } from '@nestjs/common';
import { Mail } from '../../edge/mail/index.js';
import { Database, isUniqueViolation, sql, type Statement, type Tx } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { Jobs } from '../../platform/job/index.js';
import { outsideText } from '../../edge/page/index.js';
import { EmailLinks } from './email-links.js';
import { changedMail, confirmMail, takenMail, undoneMail } from './email-mails.js';
import { UserService } from './user.service.js';

/** `unchanged`: the person had the address already, and it is confirmed now. `taken`: another account has it. */
export type EmailChangeOutcome = 'changed' | 'unchanged' | 'taken' | 'not_found';

interface EmailRequest {
  readonly userId: string;
  readonly address: string;
}

const TASK = 'email_change';
const VERIFY = sql`UPDATE app_user SET email_verified_at = coalesce(email_verified_at, now()) WHERE id = $1 AND email = $2 RETURNING 1`;
const CHANGE = sql`UPDATE app_user u SET email = $2, email_verified_at = now()
   FROM (SELECT o.id, o.email FROM app_user o WHERE o.id = $1 AND o.disabled_at IS NULL FOR NO KEY UPDATE) o
  WHERE u.id = o.id AND u.email <> $2 RETURNING o.email AS "oldEmail"`;
const TAKE_BACK = sql`SELECT t.email AS "oldEmail" FROM user_email_back($1, $2) AS t (email) WHERE t.email IS NOT NULL`;
const NOTE = sql`SELECT notice_add($1, 'email_changed', jsonb_build_object('email', $2::text))`;

/** E-mail addresses of people: to confirm, to change, and to take a change back. */
@Injectable()
export class EmailService {
  constructor(
    private readonly database: Database,
    private readonly mail: Mail,
    private readonly links: EmailLinks,
    private readonly users: UserService,
    private readonly events: Events,
  ) {}

  get isAvailable(): boolean {
    return this.mail.isAvailable;
  }

  /** The link's message; another account's owner learns that the address was asked for. The caller's answer is the same. */
  async sendLink({ userId, address }: EmailRequest): Promise<void> {
    const [user, owner] = await Promise.all([this.users.findById(userId), this.users.findByEmail(address)]);
    const text = owner && owner.id !== user?.id ? takenMail : await this.linkTo(userId, address);
    if (text) await this.mail.send(this.database, address, text);
  }

  private async linkTo(userId: string, address: string): Promise<ReturnType<typeof confirmMail> | null> {
    const link = await this.links.create('confirm', userId, address);
    return link === null ? null : confirmMail(link);
  }

  /** The person has proved to receive mail at the address. */
  async confirm(userId: string, address: string): Promise<EmailChangeOutcome> {
    return this.change(CHANGE, userId, address, async (tx, oldEmail) => {
      const undo = await this.links.create('undo', userId, oldEmail, tx);
      if (undo !== null) await this.mail.send(tx, oldEmail, changedMail(outsideText(address, 254), undo));
    });
  }

  /** Gives the person the former address back, and ends what a new password ends. */
  async undo(userId: string, address: string): Promise<EmailChangeOutcome> {
    const outcome = await this.change(TAKE_BACK, userId, address, async (tx, oldEmail) => {
      await this.mail.send(tx, oldEmail, undoneMail(outsideText(address, 254)));
      await this.users.endSessions(tx, userId);
    });
    await this.events.delivered();
    return outcome;
  }

  private async change(
    statement: Statement,
    userId: string,
    address: string,
    also: (tx: Tx, oldEmail: string) => Promise<unknown>,
  ): Promise<EmailChangeOutcome> {
    try {
      return await this.database.transaction(async (tx) => {
        const [changed] = await tx.query<{ readonly oldEmail: string }>(statement, [userId, address]);
        if (!changed) return (await tx.query(VERIFY, [userId, address])).length > 0 ? 'unchanged' : 'not_found';
        await tx.query(NOTE, [userId, address]);
        await also(tx, changed.oldEmail);
        return 'changed';
      });
    } catch (error) {
      if (isUniqueViolation(error)) return 'taken';
      throw error;
    }
  }
}

/** Requests for a link: the same work whether the address has an account or not, because a job looks at that. */
@Injectable()
export class EmailRequests {
  constructor(
    private readonly database: Database,
    private readonly jobs: Jobs,
    emails: EmailService,
  ) {
    jobs.task<EmailRequest>(TASK, (request) => emails.sendLink(request), { limitSeconds: 30 });
  }

  async add(request: EmailRequest): Promise<void> {
    await this.jobs.add(this.database, TASK, request, { key: `${request.userId} ${request.address}`, maxAttempts: 5 });
  }
}
