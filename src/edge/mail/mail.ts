import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import type { Tx } from '../../platform/database/index.js';
import { Jobs } from '../../platform/job/index.js';
import { SecretCipher } from '../../platform/kernel/secret-cipher.js';
import { Brand } from '../page/index.js';
import { DemoMailbox } from './demo-mailbox.js';
import { MailSettings } from './mail.settings.js';
import { messageOf, type MailText } from './mail-text.js';
import type { MailMessage, MailTransport } from './mail-transport.js';
import { SmtpTransport, type Sender } from './smtp-transport.js';

const TASK = 'mail';
/** With the engine's pauses, two days. */
const MAX_ATTEMPTS = 17;

/** One plain address: nothing that a header or a list of recipients gives a meaning, although RFC 5322 permits it between quotes. */
export const mayReceiveMail = (address: string): boolean =>
  /^[^\s\p{Cc}\p{Cf}"<>()[\]\\,;:@]+@[^\s\p{Cc}\p{Cf}"<>()[\]\\,;:@]+$/u.test(address);

const senderOf = (from: string, { name }: Brand): Sender => (from.includes('<') ? from : { name, address: from });

@Injectable()
export class Mail {
  readonly #cipher: SecretCipher;
  private transport: MailTransport | null;

  constructor(
    config: Config,
    { MAIL_URL, MAIL_FROM }: MailSettings,
    private readonly jobs: Jobs,
    private readonly brand: Brand,
  ) {
    this.#cipher = new SecretCipher(config.secretKey, config.secretKeyPrevious);
    const demo = config.mode === 'demo' ? new DemoMailbox(config.dataDir) : null;
    this.transport = MAIL_URL === undefined || MAIL_FROM === undefined ? demo : new SmtpTransport(MAIL_URL, senderOf(MAIL_FROM, brand));
    jobs.task<string>(TASK, (sealed, { signal }) => this.deliver(sealed, signal));
  }

  /** False: this server sends no mail, so what needs it is hidden. */
  get isAvailable(): boolean {
    return this.transport !== null;
  }

  /** @internal */
  use(transport: MailTransport): void {
    this.transport = transport;
  }

  /**
   * Adds a message to the caller's transaction: it is sent after the commit, and never if that fails. Without a transport it does nothing, nor for
   * an address that `mayReceiveMail` refuses. The message waits encrypted, because it may have a link or a code.
   * @throws Error for a subject that does not fit a header
   */
  async send(tx: Tx, to: string, text: MailText): Promise<void> {
    if (/\p{Cc}/u.test(text.subject)) throw new Error('The subject of a message has a control character');
    if (!this.isAvailable || !mayReceiveMail(to)) return;
    const sealed = this.#cipher.encrypt(Buffer.from(JSON.stringify(messageOf(to, text, this.brand))), TASK).toString('base64');
    await this.jobs.add(tx, TASK, sealed, { maxAttempts: MAX_ATTEMPTS });
  }

  private async deliver(sealed: string, signal: AbortSignal): Promise<void> {
    const message = JSON.parse(this.#cipher.decrypt(Buffer.from(sealed, 'base64'), TASK).toString()) as MailMessage;
    if (!this.transport) throw new Error('This process has no transport for mail: set MAIL_URL');
    await this.transport.send(message, signal);
  }
}
