import type { MailText } from '../../edge/mail/index.js';

export const confirmMail = (link: string): MailText => ({
  subject: 'Confirm your e-mail address',
  lines: [
    'Open this page to confirm that you receive mail at this address:',
    { label: 'Confirm the address', url: link },
    'The link works once, for a day, where you are signed in. If you did not ask for it, do nothing.',
  ],
});

export const takenMail: MailText = {
  subject: 'Your e-mail address is in use',
  lines: [
    'Another account wanted to use this e-mail address. It belongs to your account, and nothing was changed. You need to do nothing.',
  ],
};

export const changedMail = (address: string, link: string): MailText => ({
  subject: 'Your e-mail address was changed',
  lines: [
    `Your account now uses the address ${address}. If that was you, you need to do nothing.`,
    'If it was not you, undo it within 7 days. That signs out every browser, and lets you choose a new password:',
    { label: 'Undo the change', url: link },
  ],
});

export const undoneMail = (address: string): MailText => ({
  subject: 'The change of your e-mail address was undone',
  lines: [
    `Your account uses the address ${address} again, and every browser was signed out. If that was you, you need to do nothing.`,
    `If it was not you, another person reads the mail of ${address}: contact the operator of this server now.`,
  ],
});

export const codeMail = (code: string): MailText => ({
  subject: 'Your code',
  lines: [
    `Your code is ${code}. It works once, for 15 minutes.`,
    'It makes this address the one of your account. If you did not ask for it, do nothing, and give it to no one.',
  ],
});
