import { deviceName, outsideText } from '../../edge/page/index.js';
import { WINDOW_NAMES, windowTyped } from '../limit/index.js';

/** What a text of a notice reads: JSON that the statement which causes it has written. */
export type NoticeDetails = Readonly<Record<string, string | number>>;

interface NoticeText {
  /** Of the kind; also the subject of the mail. */
  readonly label: string;
  /** `own`: what causes it sends a message of its own. */
  readonly mail: 'always' | 'choice' | 'own';
  readonly say: (details: NoticeDetails) => string;
  /** Where the person acts on it: a label, and a path of this server. */
  readonly link?: readonly [label: string, path: (details: NoticeDetails) => string];
}

const name = (details: NoticeDetails, of = 'name'): string => `“${outsideText(String(details[of] ?? ''))}”`;
const part = (details: NoticeDetails, of: string): string => encodeURIComponent(String(details[of] ?? ''));
const days = (count: unknown): string => (count === 1 ? '1 day' : `${String(count)} days`);
/** As the page of the app names it. */
const stateOfApp = (state: unknown): string => (state === 'waiting' ? 'waiting for approval' : String(state));
const isKey = (details: NoticeDetails): boolean => details['of'] === 'key';

const LEAK_PAGES: Readonly<Record<string, string>> = { key: 'keys', app: 'developer' };

const NOT_YOU = 'If this was not you, reset your password now: that signs out every browser.';
const RESET = ['Reset your password', () => '/forgot-password'] as const;
const APP = ['Open this app', (details: NoticeDetails) => `/dashboard/apps/${part(details, 'clientId')}`] as const;

const TEXTS = {
  password_changed: {
    label: 'Your password was changed',
    mail: 'always',
    say: () => `Your password was changed. ${NOT_YOU}`,
    link: RESET,
  },
  factor_changed: {
    label: 'Your second factor was changed',
    mail: 'always',
    say: ({ what = 'Your second factor was changed' }) => `${outsideText(String(what), 200)}. ${NOT_YOU}`,
    link: RESET,
  },
  sign_in: {
    label: 'Sign-in from a new browser',
    mail: 'always',
    say: (details) =>
      `A new browser signed in to your account (${outsideText(deviceName(String(details['userAgent'] ?? '')))}, address ${outsideText(String(details['address'] ?? ''))}). ${NOT_YOU}`,
    link: RESET,
  },
  identity_linked: {
    label: 'A company sign-in was added',
    mail: 'always',
    say: (details) =>
      `You can now sign in with ${outsideText(String(details['name'] ?? ''))}, because it has verified your e-mail address.`,
    link: ['Open the page Security', () => '/dashboard/security'],
  },
  token_reused: {
    label: 'An app was disconnected for safety',
    mail: 'always',
    say: (details) =>
      `A token of the app ${name(details)} was used twice or found in public, so another party may have it. The app was disconnected, and keys that it created were revoked. Check your history, then connect it again from the app.`,
    link: ['Open your history', () => '/dashboard/history'],
  },
  secret_leaked: {
    label: 'A secret was found in public',
    mail: 'always',
    say: (details) => {
      if (isKey(details)) return `A secret of your API key ${name(details)} was found in public, and does not work any more.`;
      if (details['of'] === 'app')
        return `A secret of your app ${name(details)} was found in public, and does not work any more. Create another one.`;
      return 'The token of one of your sessions was found in public. That session has ended.';
    },
    link: [
      'Open its page',
      ({ of = '', id }) => `/dashboard/${LEAK_PAGES[of] ?? 'security'}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`,
    ],
  },
  email_changed: {
    label: 'Your e-mail address was changed',
    mail: 'own',
    say: (details) => `Your e-mail address was changed to ${outsideText(String(details['email'] ?? ''), 254)}.`,
  },
  app_connected: {
    label: 'A new app was connected',
    mail: 'choice',
    say: (details) => `You connected the app ${name(details)}. If you don’t know it, disconnect it.`,
    link: APP,
  },
  app_paid: {
    label: 'First payment of an app',
    mail: 'choice',
    say: (details) => `The app ${name(details)} paid from your wallet for the first time. If you did not expect it, disconnect it.`,
    link: APP,
  },
  budget_used: {
    label: 'A spending limit is nearly used',
    mail: 'choice',
    say: (details) =>
      `Your ${isKey(details) ? 'API key' : 'app'} ${name(details)} has spent ${details['percent'] === 100 ? 'all' : '80 %'} of its limit for ${WINDOW_NAMES[windowTyped(String(details['part'])) ?? 'daily']}.`,
    link: ['Open its limits', (details) => `/dashboard/${isKey(details) ? 'keys' : 'apps'}/${part(details, 'id')}`],
  },
  payment_waits: {
    label: 'A payment waits for your approval',
    mail: 'choice',
    say: (details) =>
      `${name(details)} asks you for a payment of ${Number(details['sats']).toLocaleString('en-US')} sats to ${outsideText(String(details['payee'] || 'an invoice'), 120)}.${details['memo'] ? ` Description: ${name(details, 'memo')}.` : ''} It is not sent unless you approve it within an hour.`,
    link: ['Look at this payment', (details) => `/dashboard/history/${part(details, 'id')}`],
  },
  payout_late: {
    label: 'A payment waits to be sent',
    mail: 'choice',
    say: ({ sats, address }) =>
      `Your payment of ${Number(sats).toLocaleString('en-US')} sats to ${outsideText(String(address), 100)} has not left yet: the fees of the bitcoin network are too high for it now, or this server cannot send it at present. It leaves by itself once that has changed.`,
    link: ['Open this payment', (details) => `/dashboard/history/${part(details, 'id')}`],
  },
  application_state: {
    label: 'The state of your app changed',
    mail: 'choice',
    say: (details) =>
      outsideText(`Your app ${name(details)} is now ${stateOfApp(details['state'])}. ${String(details['reason'] ?? '')}`, 600),
    link: ['Open your app', (details) => `/dashboard/developer/${part(details, 'id')}`],
  },
  key_expires: {
    label: 'An API key expires soon',
    mail: 'choice',
    say: (details) =>
      `Your API key ${name(details)} expires within ${days(details['days'])}. Create a new one before that if something uses it.`,
    link: ['Open this key', (details) => `/dashboard/keys/${part(details, 'keyId')}`],
  },
  key_unused: {
    label: 'An API key is unused',
    mail: 'choice',
    say: (details) => `Your API key ${name(details)} was not used for 90 days. Revoke it if nothing needs it.`,
    link: ['Revoke this key', (details) => `/dashboard/keys/${part(details, 'keyId')}/revoke`],
  },
  more: {
    label: 'More events',
    mail: 'own',
    say: ({ count }) => `${String(count)} more ${count === 1 ? 'event' : 'events'} of that day ${count === 1 ? 'is' : 'are'} not listed.`,
  },
} as const satisfies Readonly<Record<string, NoticeText>>;

export type NoticeKind = keyof typeof TEXTS;

/** A newer version of Sluice may have stored a kind that this one does not know. */
const UNKNOWN: NoticeText = { label: 'An event', mail: 'own', say: () => 'A newer version of this server describes it.' };

export const noticeText = (kind: NoticeKind): NoticeText => (Object.hasOwn(TEXTS, kind) ? TEXTS[kind] : UNKNOWN);

/** The kinds whose mail a person may turn off. */
export const MAIL_CHOICES = (Object.keys(TEXTS) as NoticeKind[]).filter((kind) => TEXTS[kind].mail === 'choice');
