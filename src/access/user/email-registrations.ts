import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Mail } from '../../edge/mail/index.js';
import { Config } from '../../platform/config/index.js';
import { columns, Database, sql, type RowOf } from '../../platform/database/index.js';
import { Mac } from '../../platform/kernel/mac.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { codeMail, takenMail } from './email-mails.js';
import { EmailRegistrationEntity } from './email-registration.entity.js';
import { EmailService, type EmailChangeOutcome } from './email.service.js';
import { UserService } from './user.service.js';

const MINUTES = 15;
const MAX_TRIES = 5;
const NEW = columns(EmailRegistrationEntity).only('userId', 'id', 'address', 'codeMac');
const STORED = columns(EmailRegistrationEntity).only('address', 'codeMac');
const ADD = sql`INSERT INTO email_registration (${NEW.names}, expires_at) VALUES (${NEW.parameters()}, now() + make_interval(mins => ${MINUTES}))
  ON CONFLICT (user_id) DO UPDATE
     SET id = excluded.id, address = excluded.address, code_mac = excluded.code_mac, tries = 0, expires_at = excluded.expires_at`;
/** One statement, so that concurrent guesses cannot pass the limit. */
const TRY = sql`UPDATE email_registration r SET tries = r.tries + 1
   WHERE r.user_id = $1 AND r.id = $2 AND r.tries < ${MAX_TRIES} AND r.expires_at > now() RETURNING ${STORED.of('r')}`;
const END = sql`DELETE FROM email_registration WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2) RETURNING 1`;

/** For programs: a code of six digits proves that a person receives mail at an address. Pages send a link instead. */
@Injectable()
export class EmailRegistrations {
  readonly #mac: Mac;

  constructor(
    { secretKey, secretKeyPrevious }: Config,
    private readonly database: Database,
    private readonly mail: Mail,
    private readonly users: UserService,
    private readonly emails: EmailService,
  ) {
    this.#mac = new Mac('sluice e-mail code v1', secretKey, secretKeyPrevious);
    users.joinPasswordChange((tx, userId) => tx.query(END, [userId, null]));
  }

  /** Sends a code; another account's owner of the address learns instead that it was asked for. @returns the id, the same way for both */
  async add(userId: string, address: string): Promise<string> {
    const id = newId();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const owner = await this.users.findByEmail(address);
    await this.database.transaction(async (tx) => {
      await tx.query(ADD, NEW.valuesOf({ userId, id, address, codeMac: this.#mac.of(id, code) }));
      await this.mail.send(tx, address, owner && owner.id !== userId ? takenMail : codeMail(code));
    });
    return id;
  }

  /** `wrong`: after five of them the registration has ended, as `not_found` says. */
  async validate(userId: string, id: string, code: string): Promise<EmailChangeOutcome | 'wrong'> {
    const [found] = isUuid(id) ? await this.database.query<RowOf<typeof STORED>>(TRY, [userId, id]) : [];
    if (!found) return 'not_found';
    if (!this.#mac.verify(found.codeMac, id, code)) return 'wrong';
    const isEnded = (await this.database.query(END, [userId, id])).length > 0;
    return isEnded ? this.emails.confirm(userId, found.address) : 'not_found';
  }
}
