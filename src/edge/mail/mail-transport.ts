/** A message as a transport sends it. The address and the subject are without line breaks, so they fit a header. */
export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Delivers mail. An organisation brings its own by `createApp({ mail })`; without it, `MAIL_URL` decides. */
export abstract class MailTransport {
  /**
   * Sends a message. What rejects is tried again with growing pauses, for two days.
   * @param signal aborted when the process stops or a minute is over
   * @throws Error without the text of the message, because the log has its words
   */
  abstract send(message: MailMessage, signal: AbortSignal): Promise<void>;
}
