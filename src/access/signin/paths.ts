export const HOME = '/dashboard';

export const paths = {
  register: '/register',
  login: '/login',
  code: '/login/code',
  company: '/login/company',
  confirm: '/dashboard/confirm',
  security: '/dashboard/security',
  sessions: '/dashboard/security/sessions',
  reset: '/reset-password',
  forgot: '/forgot-password',
  password: '/dashboard/security/password',
  email: '/dashboard/security/email',
  confirmEmail: '/dashboard/security/email/confirm',
  undoEmail: '/undo-email-change',
  /** GET asks for confirmation, POST signs out. */
  logout: '/logout',
} as const;

type Query = Readonly<Record<string, unknown>>;

/** Where a sign-in leads; the addresses of the sign-in pages carry it. */
export interface ReturnTo {
  readonly challenge?: string | undefined;
  readonly to?: string | undefined;
}

export function challengeIn(query: Query): string | undefined {
  const challenge = query['login_challenge'];
  return typeof challenge === 'string' && /^[\w-]{43}$/.test(challenge) ? challenge : undefined;
}

/** The address of a sign-in page with this destination. An app's request takes precedence over a page. */
export function withReturnTo(path: string, { challenge, to }: ReturnTo): string {
  const lead = challenge !== undefined ? `login_challenge=${challenge}` : to !== undefined ? `to=${encodeURIComponent(to)}` : null;
  return lead === null ? path : `${path}${path.includes('?') ? '&' : '?'}${lead}`;
}
