import { messageOf } from '../../../src/edge/mail/mail-text.js';
import * as view from './views.js';
import { at, BRAND, csrf, dashboard, frame, gate, HOSTILE, ID, sample, shell, type Sample } from './sample.js';

const email = { frame: shell, isVerified: false, hasMail: true, typed: '', fault: null, done: null } as const;
const password = { frame: shell, keys: ['Till', HOSTILE.markup], ended: ['apps'], fault: null, refusal: null, isSaved: false } as const;
const address = 'alice@example.test';
const notices = [
  { kind: 'password_changed', details: {}, at: at('2026-11-21T08:42:07Z') },
  { kind: 'key_unused', details: { name: HOSTILE.markup, keyId: ID }, at: at('2026-11-20T08:42:07Z') },
  { kind: 'more', details: { count: 3 }, at: at('2026-11-19T08:42:07Z') },
] as const;

const link = { label: 'Choose a new password', url: 'http://localhost:4000/reset-password?token=sample' };
const mails = [
  { subject: 'Reset your password', lines: ['A new password was asked for.', link] },
  { subject: HOSTILE.markup, lines: [HOSTILE.markup] },
];
const kept = mails.map((text) => ({ at: '2026-11-21T08:42:07.000Z', ...messageOf(address, text, BRAND) }));

/** The pages of a person's own account: notices, password, e-mail address. */
export const PERSON_SAMPLES: readonly Sample[] = [
  sample(
    'notices',
    dashboard,
    view.noticesPage({ frame: shell, notices, unmailed: ['app_connected'], olderHref: '/x', newerHref: null, isSaved: true }),
  ),
  sample('notices-empty', dashboard, view.noticesPage({ frame: shell, notices: [], unmailed: null, olderHref: null, newerHref: null })),
  sample('demo-mail', gate, view.demoMailPage(frame, kept)),
  sample('demo-mail-none', gate, view.demoMailPage(frame, [])),
  sample('forgot', gate, view.forgotPage({ frame, csrf, email: '', fault: null })),
  sample('forgot-malformed', gate, view.forgotPage({ frame, csrf, email: 'alice', fault: 'email' }), 422),
  sample('forgot-slow', gate, view.forgotPage({ frame, csrf, email: address, fault: 600 }), 429),
  sample('forgot-sent', gate, view.forgotSentPage(frame, address)),
  sample('password', dashboard, view.passwordPage({ ...password, isSaved: true })),
  sample('password-wrong', dashboard, view.passwordPage({ ...password, refusal: 'wrong' }), 422),
  sample('password-short', dashboard, view.passwordPage({ ...password, fault: view.passwordFault('short') }), 422),
  sample('password-slow', dashboard, view.passwordPage({ ...password, refusal: 300 }), 429),
  sample('email', dashboard, view.emailPage({ ...email, done: 'sent' })),
  sample('email-no-mail', dashboard, view.emailPage({ ...email, hasMail: false, isVerified: true })),
  sample('email-wrong', dashboard, view.emailPage({ ...email, typed: address, fault: 'password' }), 422),
  sample('email-slow', dashboard, view.emailPage({ ...email, fault: 300 }), 429),
  sample('email-confirm', dashboard, view.confirmEmailPage({ frame: shell, address, isNew: true, token: 'sample' })),
  sample('email-undo', gate, view.undoEmailPage({ frame, csrf, address, token: 'sample' })),
  sample('email-undone', gate, view.undoneEmailPage(frame, address, new URL('http://localhost/reset-password?token=sample'))),
];
