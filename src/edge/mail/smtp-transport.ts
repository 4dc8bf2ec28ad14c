import type { MailMessage, MailTransport } from './mail-transport.js';

const LIMIT_MS = 20_000;
const LIMITS = { connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS };

/** With its name, or without one. */
export type Sender = string | { readonly name: string; readonly address: string };

/** SMTP. Its library is loaded with the first message: no start and no command waits for it. */
export class SmtpTransport implements MailTransport {
  readonly #url: string;

  constructor(
    url: string,
    private readonly from: Sender,
  ) {
    this.#url = url;
  }

  async send({ to, subject, text, html }: MailMessage, signal: AbortSignal): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ url: this.#url, ...LIMITS, disableFileAccess: true, disableUrlAccess: true });
    try {
      // An address as an object is not parsed: it stays one address.
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await transport.sendMail({ from: this.from, to: { name: '', address: to }, subject, text, html, headers, signal });
    } catch (error) {
      // The server's own words can contain the address and parts of the message.
      const { code = 'no code', responseCode } = error as { readonly code?: string; readonly responseCode?: number };
      throw new Error(`SMTP failed: ${code}${responseCode === undefined ? '' : `, answer ${responseCode}`}`, { cause: error });
    }
  }
}
