import { DemoMailbox, type KeptMail } from '../../src/edge/mail/index.js';
import { eventually } from '../../src/testing/index.js';
import type { TestApp } from './app.js';

/** The messages that a demo has sent to an address, the newest first. */
export const mailsTo = async (app: TestApp, address: string): Promise<KeptMail[]> =>
  (await new DemoMailbox(app.sluice.config.dataDir).list()).filter(({ to }) => to === address);

/** Waits until no message waits: what was sent is in the mailbox then. */
export const mailsAreSent = (app: TestApp): Promise<unknown> =>
  eventually(
    async () =>
      (await app.pool.query(`SELECT FROM job WHERE task IN ('mail', 'notice_mail', 'password_reset', 'email_change') AND NOT is_failed`))
        .rowCount === 0,
  );

/** The newest message to an address with this subject. */
export async function mailTo(app: TestApp, address: string, subject: string): Promise<KeptMail> {
  await mailsAreSent(app);
  const found = (await mailsTo(app, address)).find((mail) => mail.subject === subject);
  if (!found) throw new Error(`There is no message "${subject}" to ${address}`);
  return found;
}

/** The path of the link of a message. */
export const linkIn = ({ text }: Pick<KeptMail, 'text'>): string => {
  const { pathname, search } = new URL(/^https?:\S+$/m.exec(text)?.[0] ?? '');
  return `${pathname}${search}`;
};
