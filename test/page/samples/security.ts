import * as view from './views.js';
import { at, csrf, dashboard, frame, HOSTILE, ID, NONCE, sample, shell, type Sample } from './sample.js';

const passkey = { options: '{}', nonce: NONCE };
const login = { kind: 'gate', nonce: NONCE } as const;
const code = { frame, csrf, action: '/login/code', startAgainHref: '/login', app: null, refusal: null, passkey };
const confirm = {
  frame: shell,
  action: '/dashboard/confirm',
  backHref: '/dashboard/security',
  refusal: null,
  passkey: null,
  company: null,
  passwordsWork: true,
};
const company = { name: 'Example SSO', href: '/login/company?confirm=1' };
const wrong = { kind: 'wrong' } as const;
const slow = { kind: 'slow' } as const;

const security: view.SecurityModel = {
  frame: shell,
  state: { totp: false, passkeys: 0, recoveryCodes: 0 },
  sessions: 1,
  change: null,
  passwordsWork: true,
};
const registration = {
  id: 'k'.repeat(84),
  secret: 'UQDLGAJVLCAXE6ROOONLBBPV4CPYTTQM',
  uri: 'otpauth://totp/Example%20Pay%20localhost%204000:alice%40example.test?issuer=Example%20Pay&secret=UQDLGAJVLCAXE6ROOONLBBPV4CPYTTQM',
};
const codes = Array.from({ length: 10 }, (_, index) => `abcd-efgh-jkmn-pqr${index % 8}`);
const session = {
  id: ID,
  purpose: 'page' as const,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  address: '192.0.2.44',
  createdAt: at('2026-11-21T07:40:00Z'),
  lastSeenAt: at('2026-11-21T08:45:00Z'),
};
const script = { ...session, id: 'script', purpose: 'api' as const, userAgent: 'curl/8.5.0', address: '2001:db8:1234:5678::' };
const hostile = { ...session, id: 'hostile', userAgent: HOSTILE.markup.replaceAll(' ', ''), address: HOSTILE.bidi };

const phone = { id: 'phone', name: 'My phone', createdAt: at('2026-11-02T10:00:00Z'), lastUsedAt: at('2026-11-21T08:02:00Z') };
const passkeys = {
  frame: shell,
  passkeys: [phone, { ...phone, id: 'key', name: HOSTILE.markup.slice(0, 40), lastUsedAt: null }],
  options: '{}',
  name: 'Firefox on Linux',
  isRefused: false,
};

export const SECURITY_SAMPLES: readonly Sample[] = [
  sample('login-code', login, view.codePage(code)),
  sample(
    'login-code-wrong',
    login,
    view.codePage({ ...code, app: { name: 'Corner Coffee', verified: true, host: 'corner-coffee.example' }, refusal: wrong }),
    422,
  ),
  sample('login-code-slow', login, view.codePage({ ...code, refusal: slow }), 429),
  ...[true, false].flatMap((hasFactor) => {
    const name = hasFactor ? 'confirm-by-code' : 'confirm-by-password';
    return [
      sample(name, dashboard, view.confirmPage({ ...confirm, hasFactor })),
      sample(`${name}-wrong`, dashboard, view.confirmPage({ ...confirm, hasFactor, refusal: wrong }), 422),
      sample(`${name}-slow`, dashboard, view.confirmPage({ ...confirm, hasFactor, refusal: slow }), 429),
    ];
  }),
  sample('confirm-by-company', dashboard, view.confirmPage({ ...confirm, hasFactor: false, company, passwordsWork: false })),
  sample('confirm-by-password-or-company', dashboard, view.confirmPage({ ...confirm, hasFactor: false, company })),
  sample('login-code-passkey-refused', login, view.codePage({ ...code, refusal: { kind: 'passkey' } }), 422),
  sample('confirm-by-passkey', dashboard, view.confirmPage({ ...confirm, hasFactor: true, passkey: '{}' })),
  sample('passkeys', dashboard, view.passkeysPage({ ...passkeys, passkeys: [] })),
  sample('passkeys-refused', dashboard, view.passkeysPage({ ...passkeys, isRefused: true }), 422),
  sample('passkey-remove', dashboard, view.removePasskeyPage(shell, phone)),
  sample('security', dashboard, view.securityPage(security)),
  sample('security-company', dashboard, view.securityPage({ ...security, passwordsWork: false })),
  sample(
    'security-with-app',
    dashboard,
    view.securityPage({ ...security, sessions: 3, change: 'totp-on', state: { totp: true, passkeys: 0, recoveryCodes: 10 } }),
  ),
  sample(
    'security-few-codes',
    dashboard,
    view.securityPage({ ...security, change: 'totp-off', state: { totp: true, passkeys: 1, recoveryCodes: 2 } }),
  ),
  sample('totp', dashboard, view.totpPage(shell, registration, null)),
  sample('totp-wrong', dashboard, view.totpPage(shell, registration, 'Wrong code.'), 422),
  sample('totp-remove', dashboard, view.removeTotpPage(shell)),
  sample('recovery-codes', dashboard, view.codesPage(shell, codes, 10)),
  sample('recovery-codes-renew', dashboard, view.codesPage(shell, null, 4)),
  sample('sessions', dashboard, view.sessionsPage({ frame: shell, sessions: [session], currentId: ID, hasEnded: true })),
  sample(
    'sessions-many',
    dashboard,
    view.sessionsPage({ frame: shell, sessions: [session, script, hostile], currentId: ID, hasEnded: false }),
  ),
];
