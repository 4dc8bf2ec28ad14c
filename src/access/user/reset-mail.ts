import type { MailText } from '../../edge/mail/index.js';

export const resetMail = (link: string): MailText => ({
  subject: 'Reset your password',
  lines: [
    'A new password was asked for with this e-mail address. Open this page to choose one:',
    { label: 'Choose a new password', url: link },
    'The link works once, for an hour. If you did not ask for it, do nothing: your password stays as it is.',
  ],
});
