import { IsEmail, IsOptional } from 'class-validator';
import { Setting, url, type Environment } from '../../platform/config/index.js';

export class MailSettings {
  static readonly title = 'Mail';

  @Setting(
    '`smtp://user:password@host:587` or `smtps://…:465` of the server that sends mail; `?requireTLS=true` refuses one without TLS. Without it a demo writes messages to its data folder, and production sends none: what needs mail is hidden',
  )
  @IsOptional()
  @url('smtp', 'smtps')
  MAIL_URL?: string;

  @Setting('the sender: `pay@example.com`, which gets the name `BRAND_NAME`, or `Example Pay <pay@example.com>`; required with `MAIL_URL`')
  @IsOptional()
  @IsEmail({ allow_display_name: true }, { message: '$property must be an e-mail address, with or without a name before it' })
  MAIL_FROM?: string;

  problems(_environment: Environment): readonly string[] {
    return this.MAIL_URL !== undefined && this.MAIL_FROM === undefined ? ['MAIL_FROM must be set with MAIL_URL'] : [];
  }
}
