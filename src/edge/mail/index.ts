// Mail to people: Mail.send adds it in the transaction that causes it, and a transport delivers it.
export { DemoMailbox, type KeptMail } from './demo-mailbox.js';
export { Mail, mayReceiveMail } from './mail.js';
export { MailModule } from './mail.module.js';
export { MailSettings } from './mail.settings.js';
export type { MailLine, MailText } from './mail-text.js';
export { MailTransport, type MailMessage } from './mail-transport.js';
