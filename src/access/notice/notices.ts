import { Injectable } from '@nestjs/common';
import { Mail } from '../../edge/mail/index.js';
import { Config } from '../../platform/config/index.js';
import { columns, Database, DELETED_AT_ONCE, deleteInBatches, sql, type RowOf, type Tx } from '../../platform/database/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { NoticeChoiceEntity, NoticeEntity } from './notice.entity.js';
import { MAIL_CHOICES, noticeText, type NoticeDetails, type NoticeKind } from './notice-texts.js';

const NOTICE = columns(NoticeEntity).only('id', 'kind', 'details', 'at');
const CHOICE = columns(NoticeChoiceEntity);
export type NoticeRow = RowOf<typeof NOTICE>;

export interface NewNotice {
  readonly userId: string;
  readonly kind: NoticeKind;
  readonly details: NoticeDetails;
  /** A second notice of the person with this key is not added. */
  readonly key?: string;
}

const KEPT_DAYS = 365;
const ADD = sql`SELECT notice_add($1, $2, $3::jsonb, $4)`;
const LIST = sql`SELECT ${NOTICE.of('n')} FROM notice n
  WHERE n.user_id = $1 AND ($2::uuid IS NULL OR (n.at, n.id) < (SELECT b.at, b.id FROM notice b WHERE b.id = $2 AND b.user_id = $1))
  ORDER BY n.at DESC, n.id DESC LIMIT $3`;
const UNMAILED = sql`SELECT c.unmailed FROM notice_choice c WHERE c.user_id = $1`;
const CHOOSE = sql`INSERT INTO notice_choice (${CHOICE.names}) VALUES (${CHOICE.parameters()}) ON CONFLICT (user_id) DO UPDATE SET unmailed = excluded.unmailed`;
const TO_MAIL = sql`UPDATE notice n SET mailed = true FROM app_user u
  WHERE n.id = $1 AND NOT n.mailed AND u.id = n.user_id AND u.disabled_at IS NULL
    AND NOT EXISTS (SELECT FROM notice_choice c WHERE c.user_id = n.user_id AND n.kind = ANY (c.unmailed)) AND n.kind <> ALL ($2::text[])
  RETURNING ${NOTICE.of('n')}, u.email`;
const PURGE = sql`DELETE FROM notice WHERE id IN (
  SELECT n.id FROM notice n WHERE n.at < now() - make_interval(days => ${KEPT_DAYS}) LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED) RETURNING 1`;

@Injectable()
export class Notices {
  constructor(
    private readonly database: Database,
    private readonly mail: Mail,
    private readonly config: Config,
  ) {}

  /** Adds a notice to the caller's transaction. SQL calls `notice_add`. */
  async add(tx: Tx, { userId, kind, details, key }: NewNotice): Promise<void> {
    await tx.query(ADD, [userId, kind, JSON.stringify(details), key]);
  }

  /** The newest first. @param before the id of the last one of the page before */
  list(userId: string, before: string | null, limit: number): Promise<NoticeRow[]> {
    return this.database.query<NoticeRow>(LIST, [userId, before !== null && isUuid(before) ? before : null, limit]);
  }

  /** The kinds of which a person wants no mail. */
  async unmailed(userId: string): Promise<readonly NoticeKind[]> {
    return (await this.database.query<Pick<NoticeChoiceEntity, 'unmailed'>>(UNMAILED, [userId]))[0]?.unmailed ?? [];
  }

  /** @param mailed the kinds of `MAIL_CHOICES` of which the person wants mail */
  async chooseMail(userId: string, mailed: readonly string[]): Promise<void> {
    const unmailed = MAIL_CHOICES.filter((kind) => !mailed.includes(kind));
    await this.database.query(CHOOSE, CHOICE.valuesOf({ userId, unmailed }));
  }

  /** Mails a notice once, unless the person does not want that. @internal */
  async mailOne(id: string): Promise<void> {
    if (!this.mail.isAvailable) return;
    await this.database.transaction(async (tx) => {
      const [found] = await tx.query<NoticeRow & { readonly email: string }>(TO_MAIL, [id, ['email_changed', 'more']]);
      if (!found) return;
      const { label, say, link } = noticeText(found.kind);
      const lines = link && [{ label: link[0], url: `${this.config.publicUrl}${link[1](found.details)}` }];
      await this.mail.send(tx, found.email, { subject: label, lines: [say(found.details), ...(lines ?? [])] });
    });
  }

  /** Deletes those of more than a year ago. @internal */
  purge(signal: AbortSignal): Promise<void> {
    return deleteInBatches(this.database, PURGE, [], signal);
  }
}
