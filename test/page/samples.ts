import { CORE_SCOPES } from '../../src/auth/index.js';
import * as view from '../../src/dashboard/view/index.js';
import { bitcoin, dollars, type Frame, type Html, type PageKind, type ShellFrame } from '../../src/page/index.js';

/** One page in one state, with what a browser needs to be shown it. */
export interface Sample {
  /** Unique; also the file name of its picture. */
  readonly name: string;
  readonly kind: PageKind;
  readonly status: number;
  readonly html: Html;
}

/** What hostile or unlucky people put where a name belongs. */
export const HOSTILE = {
  markup: `<img src=x onerror="alert(1)">'"><svg onload=alert(1)>`,
  bidi: 'Corner \u202eeffoC\u202c \u2066coffee\u2069\u200f',
  long: 'W'.repeat(10_000),
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(40),
} as const;

const NONCE = 'c2FtcGxlLW5vbmNlLTE2Yg==';
const NOW = new Date('2026-11-21T08:46:00Z');
const at = (iso: string): Date => new Date(iso);
const sats = (amount: number): ReturnType<typeof bitcoin> => bitcoin(BigInt(amount) * 1_000n);

const frame: Frame = { banner: 'demo', now: NOW, zone: 'Europe/Zurich' };
const shell: ShellFrame = { ...frame, email: 'alice@example.test', csrf: 'q7Jd0sWmq7Jd0sWmq7Jd0sWm', nonce: NONCE, events: null };
const csrf = shell.csrf;
const REFERENCE = 'R7QK-2M4D';
const HASH = '9f2c1e7ab04d5583c6e1f0927db8a4410f6c35e2d1987ab3346c0e5f7a21bd90';
const PREIMAGE = '41d0c7e8823b6f95a07e21cc58d394b60e9f7a12b8d3456cf0a9e87d1263b5f4';
const ID = '6740a1f2-58c1-7d3e-9b02-0c4f6a8e1d77';
const INVOICE = `lnbcrt42u1p5vwfe2${'ucftf4ljwflhmxqq87mehjlmm4sa8a2zyu4gnyvd0vr6z0dxh47p0p204nzc3kx3jtvj477h3x4yt7jhwlsqvhslg4ngt2zhptcz'.repeat(3)}`;
const SECRET = 'sluice_9fKb7wQ2vXn4LhT8sYc1RmE6dJp3ZaU5gNo0kViTzBqW8rHu2';

const scopes = (...names: string[]): view.ScopeView[] => CORE_SCOPES.filter(({ name }) => names.includes(name));
const coffee: view.ClientView = { name: 'Corner Coffee', verified: true, host: 'corner-coffee.example' };
const stranger: view.ClientView = { name: 'Ledger Lines', verified: false, host: 'com.ledger-lines.app' };

const gate = { kind: 'gate' } as const;
const dashboard = { kind: 'dashboard', nonce: NONCE } as const;
const error = { kind: 'error' } as const;
const consent = { kind: 'consent', redirectUri: 'https://corner-coffee.example/callback' } as const;
const sample = (name: string, kind: PageKind, html: Html, status = 200): Sample => ({ name, kind, status, html });

const registerModel: view.RegisterModel = {
  frame,
  csrf,
  action: '/register',
  loginHref: '/login',
  addressHost: 'localhost',
  values: { email: '', username: '' },
  errors: {},
  retryAfterSeconds: null,
};
const filled = { email: 'alice.w@example.test', username: 'alice' };

const register: readonly Sample[] = [
  sample('register', gate, view.registerPage(registerModel)),
  sample(
    'register-taken-and-short',
    gate,
    view.registerPage({
      ...registerModel,
      values: filled,
      errors: { username: { kind: 'taken', proposals: ['alice_w', 'alice21'] }, password: { kind: 'short', typed: 6 } },
    }),
    422,
  ),
  sample(
    'register-missing',
    gate,
    view.registerPage({
      ...registerModel,
      errors: { email: { kind: 'missing' }, username: { kind: 'missing' }, password: { kind: 'missing' } },
    }),
    422,
  ),
  sample(
    'register-malformed',
    gate,
    view.registerPage({
      ...registerModel,
      values: { email: 'alice', username: '1 alice' },
      errors: { email: { kind: 'malformed' }, username: { kind: 'malformed' }, password: { kind: 'long', typed: 300 } },
    }),
    422,
  ),
  sample('register-slow', gate, view.registerPage({ ...registerModel, values: filled, retryAfterSeconds: 1_500 }), 429),
];

const loginModel: view.LoginModel = {
  frame,
  csrf,
  action: '/login',
  registerHref: '/register',
  client: null,
  email: '',
  refusal: null,
  arrival: null,
  demoAccounts: { emails: ['alice@example.test', 'bob@example.test', 'operator@example.test'], password: 'sluice-demo' },
};

const login: readonly Sample[] = [
  sample('login', gate, view.loginPage(loginModel)),
  sample('login-production', gate, view.loginPage({ ...loginModel, frame: { ...frame, banner: null }, demoAccounts: null })),
  sample('login-simulated-money', gate, view.loginPage({ ...loginModel, frame: { ...frame, banner: 'simulated' }, demoAccounts: null })),
  sample('login-client', gate, view.loginPage({ ...loginModel, client: coffee, demoAccounts: null })),
  sample('login-client-unverified', gate, view.loginPage({ ...loginModel, client: stranger, demoAccounts: null })),
  sample(
    'login-wrong',
    gate,
    view.loginPage({ ...loginModel, client: coffee, email: 'alice@example.test', refusal: { kind: 'wrong' } }),
    422,
  ),
  sample(
    'login-slow',
    gate,
    view.loginPage({ ...loginModel, email: 'alice@example.test', refusal: { kind: 'slow', retryAfterSeconds: 215 } }),
    429,
  ),
  sample('login-stale', gate, view.loginPage({ ...loginModel, email: 'alice@example.test', refusal: { kind: 'stale' } }), 403),
  sample('login-registered', gate, view.loginPage({ ...loginModel, arrival: 'registered' })),
  sample('login-signed-out', gate, view.loginPage({ ...loginModel, arrival: 'signed-out' })),
];

const consentModel: view.ConsentModel = {
  frame,
  csrf,
  action: '/consent?consent_challenge=sample',
  client: coffee,
  scopes: scopes('read', 'receive', 'write', 'offline', 'openid'),
  managesKeys: false,
  username: 'alice',
  switchHref: '/login?login_challenge=sample',
  lastsUntil: at('2027-11-21T08:46:00Z'),
  asksAgainDays: 30,
};
const native = { kind: 'consent', redirectUri: 'com.ledger-lines.app:/callback' } as const;

const consents: readonly Sample[] = [
  sample('consent', consent, view.consentPage(consentModel)),
  sample(
    'consent-unverified',
    native,
    view.consentPage({ ...consentModel, client: stranger, scopes: scopes('read', 'offline'), asksAgainDays: null }),
  ),
  sample(
    'consent-read-only',
    consent,
    view.consentPage({ ...consentModel, scopes: scopes('read'), lastsUntil: null, asksAgainDays: null }),
  ),
  sample('consent-write-only', consent, view.consentPage({ ...consentModel, scopes: scopes('write', 'openid'), lastsUntil: null })),
  sample(
    'consent-openid-only',
    consent,
    view.consentPage({ ...consentModel, scopes: scopes('openid'), lastsUntil: null, asksAgainDays: null }),
  ),
  sample('consent-manages-keys', consent, view.consentPage({ ...consentModel, scopes: scopes('read', 'write'), managesKeys: true })),
  ...Object.entries(HOSTILE).map(([name, text]) =>
    sample(`consent-hostile-${name}`, consent, view.consentPage({ ...consentModel, client: { ...stranger, name: text }, username: text })),
  ),
];

const errorKinds: readonly view.ErrorKind[] = ['request', 'form', 'missing', 'method', 'size', 'slow', 'fault', 'away'];
const errorModel = { frame, reference: REFERENCE };

const errors: readonly Sample[] = [
  ...errorKinds.map((kind) => {
    const retryAfterSeconds = kind === 'slow' ? 215 : kind === 'away' ? 10 : null;
    return sample(`error-${kind}`, error, view.errorPage({ ...errorModel, kind, retryAfterSeconds }), view.statusOf(kind));
  }),
  sample('error-client', error, view.clientErrorPage(errorModel), 400),
  sample(
    'error-expired',
    error,
    view.expiredErrorPage({ ...errorModel, client: { name: 'Corner Coffee', homeUrl: 'https://corner-coffee.example/' } }),
    400,
  ),
  sample('error-expired-unknown', error, view.expiredErrorPage({ ...errorModel, client: null }), 400),
];

const activity: readonly view.Activity[] = [
  {
    id: ID,
    amount: sats(-21_000),
    state: 'pending',
    at: at('2026-11-21T08:42:07Z'),
    party: 'Riverside Bakery',
    memo: 'Bread for Sunday',
    cause: null,
    by: { kind: 'you' },
  },
  {
    id: ID,
    amount: sats(50_000),
    state: 'received',
    at: at('2026-11-21T07:12:30Z'),
    party: 'bob',
    memo: 'Lunch on Friday',
    cause: null,
    by: null,
  },
  {
    id: ID,
    amount: sats(-4_201),
    state: 'sent',
    at: at('2026-11-20T15:20:11Z'),
    party: 'Corner Coffee',
    memo: 'Two flat whites',
    cause: null,
    by: { kind: 'app', id: ID, name: 'Corner Coffee' },
  },
  {
    id: ID,
    amount: sats(-15_000),
    state: 'failed',
    at: at('2026-11-20T10:05:42Z'),
    party: 'Harbour Books',
    memo: 'Order 7',
    cause: 'no route found',
    by: null,
  },
  {
    id: ID,
    amount: sats(-31_850),
    state: 'sent',
    at: at('2026-11-19T18:30:00Z'),
    party: null,
    memo: null,
    cause: null,
    by: { kind: 'key', id: ID, name: 'Payroll bot' },
  },
  {
    id: ID,
    amount: sats(1_000_000),
    state: 'received',
    at: at('2026-11-02T07:02:19Z'),
    party: null,
    memo: 'Welcome to the demo',
    cause: null,
    by: null,
  },
  {
    id: ID,
    amount: dollars(-205),
    state: 'sent',
    at: at('2025-11-18T07:02:19Z'),
    party: 'bob',
    memo: null,
    cause: null,
    by: { kind: 'you' },
  },
];
const hostileActivity = Object.values(HOSTILE).map((text): view.Activity => ({
  id: ID,
  amount: sats(-2_100_000_000_000),
  state: 'failed',
  at: NOW,
  party: text,
  memo: text,
  cause: text,
  by: { kind: 'app', id: ID, name: text },
}));

const walletModel: view.WalletModel = {
  frame: { ...shell, events: '/dashboard/events' },
  bitcoin: { amount: sats(1_184_250), about: dollars(72_523), held: sats(21_210) },
  dollar: { amount: dollars(25_000), about: sats(408_230), held: null },
  activity,
  lightningAddress: 'alice@localhost',
  receive: view.emptyReceiveForm,
  units: ['sats', 'USD'],
  nodeAway: false,
};
const poor: Pick<view.WalletModel, 'bitcoin' | 'dollar' | 'activity'> = {
  bitcoin: { amount: sats(0), about: dollars(0), held: null },
  dollar: { amount: dollars(0), about: sats(0), held: null },
  activity: [],
};

const wallet: readonly Sample[] = [
  sample('wallet', dashboard, view.walletPage(walletModel)),
  sample('wallet-empty', dashboard, view.walletPage({ ...walletModel, ...poor, units: ['sats'] })),
  sample(
    'wallet-no-price-node-away',
    dashboard,
    view.walletPage({
      ...walletModel,
      bitcoin: { ...walletModel.bitcoin, about: null },
      dollar: { ...walletModel.dollar, about: null },
      units: ['sats'],
      nodeAway: true,
    }),
  ),
  sample(
    'wallet-receive-error',
    dashboard,
    view.walletPage({
      ...walletModel,
      receive: {
        amount: '1.000',
        unit: 'sats',
        memo: 'Two flat whites',
        errors: {
          amount: 'That can be read in two ways. Type 1000 for 1,000 sats, or 1 for 1 sat.',
          memo: 'Use at most 639 bytes. This has 700.',
        },
      },
    }),
    422,
  ),
  sample(
    'wallet-hostile',
    dashboard,
    view.walletPage({
      ...walletModel,
      frame: { ...shell, email: `${'a'.repeat(200)}@example.test` },
      bitcoin: { amount: sats(2_100_000_000_000_000), about: dollars(128_625_000_000_000), held: sats(2_100_000_000_000_000) },
      activity: hostileActivity,
      lightningAddress: `${'a'.repeat(50)}@${'very-long-host-name.'.repeat(4)}example`,
    }),
  ),
];

const receiveModel: view.ReceiveModel = {
  frame: { ...shell, events: '/dashboard/events' },
  paymentHash: HASH,
  request: INVOICE,
  amount: sats(4_200),
  about: dollars(257),
  memo: 'Two flat whites',
  expiresAt: at('2026-11-21T09:41:00Z'),
  state: { kind: 'waiting' },
};
const paid: view.InvoiceState = {
  kind: 'paid',
  amount: sats(4_200),
  at: at('2026-11-21T08:45:11Z'),
  balance: sats(1_188_450),
  transactionId: ID,
};

const receive: readonly Sample[] = [
  sample('receive', dashboard, view.receivePage(receiveModel)),
  sample(
    'receive-any-amount',
    dashboard,
    view.receivePage({ ...receiveModel, amount: null, about: null, memo: null, frame: { ...shell, zone: null } }),
  ),
  sample('receive-paid', dashboard, view.receivePage({ ...receiveModel, state: paid })),
  sample('receive-expired', dashboard, view.receivePage({ ...receiveModel, state: { kind: 'expired' } })),
  sample('receive-cancelled', dashboard, view.receivePage({ ...receiveModel, amount: null, memo: null, state: { kind: 'cancelled' } })),
];

const historyModel: view.HistoryModel = {
  frame: shell,
  activity: [...activity, ...activity],
  olderHref: '/dashboard/history?before=c',
  newerHref: null,
};

const history: readonly Sample[] = [
  sample('history', dashboard, view.historyPage(historyModel)),
  sample(
    'history-middle',
    dashboard,
    view.historyPage({ ...historyModel, frame: { ...shell, zone: null }, newerHref: '/dashboard/history?after=c' }),
  ),
  sample('history-empty', dashboard, view.historyPage({ frame: shell, activity: [], olderHref: null, newerHref: null })),
];

const one = (index: number): view.Activity => activity[index] ?? activity.slice(-1)[0] ?? hostileActivity.slice(-1)[0] ?? raise();
function raise(): never {
  throw new Error('There is no such sample payment');
}

const transactionModel: view.TransactionModel = {
  frame: shell,
  activity: one(2),
  amount: sats(4_200),
  feeMsat: 512n,
  held: null,
  about: dollars(257),
  wallet: 'BTC',
  paymentHash: HASH,
  preimage: PREIMAGE,
};

const transaction: readonly Sample[] = [
  sample('transaction', dashboard, view.transactionPage(transactionModel)),
  sample(
    'transaction-by-key',
    dashboard,
    view.transactionPage({ ...transactionModel, activity: one(4), amount: sats(31_850), feeMsat: 0n, frame: { ...shell, zone: null } }),
  ),
  sample(
    'transaction-received',
    dashboard,
    view.transactionPage({
      ...transactionModel,
      activity: one(1),
      amount: sats(50_000),
      feeMsat: null,
      about: dollars(3_062),
      paymentHash: null,
      preimage: null,
    }),
  ),
  sample(
    'transaction-pending',
    dashboard,
    view.transactionPage({
      ...transactionModel,
      frame: { ...shell, events: '/dashboard/events' },
      activity: one(0),
      amount: sats(21_000),
      feeMsat: null,
      held: sats(21_210),
      about: null,
      preimage: null,
    }),
  ),
  sample(
    'transaction-failed',
    dashboard,
    view.transactionPage({ ...transactionModel, activity: one(3), amount: sats(15_000), feeMsat: null, preimage: null }),
  ),
  ...hostileActivity.map((hostile, index) =>
    sample(
      `transaction-hostile-${Object.keys(HOSTILE)[index] ?? index}`,
      dashboard,
      view.transactionPage({ ...transactionModel, activity: hostile, preimage: null }),
    ),
  ),
];

const refusals: readonly view.Refusal[] = [
  {
    at: at('2026-11-21T07:55:00Z'),
    cause: { kind: 'scope', missing: scopes('receive', 'write') },
    asked: 'lnInvoiceCreate',
    from: '203.0.113.7',
  },
  { at: at('2026-11-20T16:31:00Z'), cause: { kind: 'session-only' }, asked: 'apiKeyCreate', from: '203.0.113.7' },
  { at: at('2026-11-20T09:14:00Z'), cause: { kind: 'throttled' }, asked: null, from: null },
];
const key: view.KeyView = {
  id: ID,
  name: 'Payroll bot',
  fragment: 'sluice_Pq7…w2',
  scopes: scopes('read', 'write'),
  createdAt: at('2026-08-02T10:00:00Z'),
  lastUsedAt: at('2026-11-21T08:02:00Z'),
  expiresAt: at('2027-02-01T00:00:00Z'),
  ended: null,
  lastRefusal: refusals[0] ?? null,
};
const till: view.KeyView = {
  ...key,
  name: 'Shop till',
  fragment: 'sluice_9fK…Tz',
  scopes: scopes('receive'),
  lastUsedAt: at('2026-11-21T08:44:00Z'),
  expiresAt: null,
  lastRefusal: refusals[1] ?? null,
};
const books: view.KeyView = {
  ...key,
  name: 'Bookkeeping',
  fragment: 'sluice_h2M…c8',
  scopes: scopes('read'),
  lastUsedAt: null,
  expiresAt: at('2026-11-28T00:00:00Z'),
  lastRefusal: null,
};
const laptop: view.KeyView = {
  ...books,
  name: 'Old laptop',
  fragment: 'sluice_x0A…Lr',
  lastUsedAt: at('2026-10-31T22:10:00Z'),
  ended: { kind: 'expired', at: at('2026-11-01T00:00:00Z') },
  lastRefusal: { at: at('2026-11-21T06:00:00Z'), cause: { kind: 'expired' }, asked: null, from: '203.0.113.7' },
};
const lost: view.KeyView = {
  ...laptop,
  name: 'Lost phone',
  ended: { kind: 'revoked', at: at('2026-09-01T00:00:00Z') },
  lastRefusal: { at: at('2026-09-02T06:00:00Z'), cause: { kind: 'revoked' }, asked: null, from: '203.0.113.7' },
};
const hostileKeys = Object.values(HOSTILE).map((name): view.KeyView => ({ ...key, name }));
const newKey: view.KeyNewModel = { frame: shell, scopes: scopes('read', 'receive', 'write'), values: view.emptyKeyForm, errors: {} };

const keys: readonly Sample[] = [
  sample('keys', dashboard, view.keysPage({ frame: shell, inUse: [key, till, books], ended: [laptop, lost], revokedName: null })),
  sample('keys-revoked', dashboard, view.keysPage({ frame: shell, inUse: [till], ended: [lost, laptop], revokedName: 'Lost phone' })),
  sample('keys-empty', dashboard, view.keysPage({ frame: shell, inUse: [], ended: [], revokedName: null })),
  sample('keys-hostile', dashboard, view.keysPage({ frame: shell, inUse: hostileKeys, ended: [], revokedName: HOSTILE.markup })),
  sample('key', dashboard, view.keyPage({ frame: shell, key, refusals })),
  sample('key-never-refused', dashboard, view.keyPage({ frame: { ...shell, zone: null }, key: books, refusals: [] })),
  sample('key-ended', dashboard, view.keyPage({ frame: shell, key: laptop, refusals: laptop.lastRefusal ? [laptop.lastRefusal] : [] })),
  sample('key-new', dashboard, view.keyNewPage(newKey)),
  sample(
    'key-new-errors',
    dashboard,
    view.keyNewPage({
      ...newKey,
      values: { name: '', scopes: [], expires: 'never' },
      errors: { name: 'missing', scopes: 'none', expires: 'unknown' },
    }),
    422,
  ),
  sample('key-created', dashboard, view.keyCreatedPage({ frame: shell, key: till, secret: SECRET, apiUrl: 'http://localhost:4000' })),
  sample('key-shown', dashboard, view.keyShownPage({ frame: shell, key: till })),
  sample('key-revoke', dashboard, view.revokeKeyPage({ frame: shell, key })),
  sample('key-gone', dashboard, view.keyGonePage({ frame: shell, key: lost })),
];

const app: view.AppView = {
  id: ID,
  name: 'Corner Coffee',
  verified: true,
  host: 'corner-coffee.example',
  scopes: scopes('read', 'receive', 'write', 'offline'),
  allowedAt: at('2026-11-02T12:00:00Z'),
  lastUsedAt: at('2026-11-20T15:20:11Z'),
  endsAt: at('2027-11-02T12:00:00Z'),
};
const lines: view.AppView = {
  ...app,
  name: 'Ledger Lines',
  verified: false,
  host: 'com.ledger-lines.app',
  scopes: scopes('read', 'offline'),
  lastUsedAt: null,
  endsAt: null,
};
const hostileApps = Object.values(HOSTILE).map((name): view.AppView => ({ ...lines, name, host: name }));

const apps: readonly Sample[] = [
  sample('apps', dashboard, view.appsPage({ frame: shell, apps: [app, lines], disconnectedName: null })),
  sample('apps-disconnected', dashboard, view.appsPage({ frame: shell, apps: [lines], disconnectedName: 'Corner Coffee' })),
  sample('apps-empty', dashboard, view.appsPage({ frame: shell, apps: [], disconnectedName: null })),
  sample('apps-hostile', dashboard, view.appsPage({ frame: shell, apps: hostileApps, disconnectedName: HOSTILE.bidi })),
  sample('app', dashboard, view.appPage({ frame: shell, app, payments: activity.filter(({ by }) => by?.kind === 'app') })),
  sample('app-no-payments', dashboard, view.appPage({ frame: shell, app: { ...app, verified: false }, payments: [] })),
  sample('app-read-only', dashboard, view.appPage({ frame: { ...shell, zone: null }, app: lines, payments: null })),
  sample('app-disconnect', dashboard, view.disconnectAppPage({ frame: shell, app })),
  sample('app-gone', dashboard, view.appGonePage({ frame: shell })),
];

/** Every page in every state. Tests that look at pages look at all of these. */
export const SAMPLES: readonly Sample[] = [
  ...register,
  ...login,
  ...consents,
  ...errors,
  ...wallet,
  ...receive,
  ...history,
  ...transaction,
  ...keys,
  ...apps,
  sample('logout', dashboard, view.logoutPage({ frame: shell })),
];
