import { MANAGE_CALLBACKS } from '../../../src/edge/auth/index.js';
import { COMMANDS } from '../../../src/operator/act/index.js';
import { PAGES } from '../../../src/operator/console/console-page.js';
import * as view from './views.js';
import { at, dashboard, HOSTILE, ID, PAYMENTS, sample, scopes, shell, type Sample } from './sample.js';

/** Only the page that shows a key once may contain it. */
export const SAMPLE_SECRET = ['sluice', '9fKb7wQ2vXn4LhT8sYc1RmE6dJp3ZaU5gNo0kViTzBqW8rHu2'].join('_');

const key: view.KeyView = {
  id: ID,
  name: 'Payroll bot',
  hint: 'sluice_Pq7…w2',
  scopes: scopes('read', 'write'),
  createdAt: at('2026-08-02T10:00:00Z'),
  lastUsedAt: at('2026-11-21T08:02:00Z'),
  expiresAt: at('2027-02-01T00:00:00Z'),
  previousUntil: null,
  ended: null,
  lastRefusal: { at: at('2026-11-21T07:55:00Z'), cause: 'Missing permission: Receive or Send' },
};
const till: view.KeyView = {
  ...key,
  name: 'Shop till',
  hint: 'sluice_9fK…Tz',
  scopes: scopes('receive'),
  lastUsedAt: at('2026-11-21T08:44:00Z'),
  expiresAt: null,
  lastRefusal: { at: at('2026-11-20T16:31:00Z'), cause: 'Requires you to be signed in' },
};
const books: view.KeyView = {
  ...key,
  name: 'Bookkeeping',
  hint: 'sluice_h2M…c8',
  scopes: scopes('read'),
  lastUsedAt: null,
  expiresAt: at('2026-11-28T00:00:00Z'),
  lastRefusal: null,
};
const laptop: view.KeyView = {
  ...books,
  id: 'laptop',
  name: 'Old laptop',
  hint: 'sluice_x0A…Lr',
  lastUsedAt: at('2026-10-31T22:10:00Z'),
  ended: { kind: 'expired', at: at('2026-11-01T00:00:00Z') },
  lastRefusal: { at: at('2026-11-21T06:00:00Z'), cause: 'Expired, but still in use' },
};
const lost: view.KeyView = {
  ...laptop,
  name: 'Lost phone',
  ended: { kind: 'revoked', at: at('2026-09-01T00:00:00Z') },
  lastRefusal: { at: at('2026-09-02T06:00:00Z'), cause: 'Revoked, but still in use' },
};
const spent = (limitSats: number | null, spentSats: number): { limitSats: number | null; spentSats: number } => ({ limitSats, spentSats });
const unlimited = { daily: spent(null, 0), weekly: spent(null, 0), monthly: spent(null, 0), annual: spent(null, 0) };
const budget = {
  daily: spent(200_000, 184_500),
  weekly: spent(1_000_000, 412_000),
  monthly: spent(null, 912_000),
  annual: spent(1, 912_000),
};
const calls: view.KeyModel['calls'] = [
  { at: at('2026-11-21T08:02:00Z'), operation: 'lnInvoicePaymentSend', outcome: 'OK', cost: 12, sent: null, registered: null, count: 1 },
  {
    at: at('2026-11-21T07:55:00Z'),
    operation: 'me, globals',
    outcome: 'Missing permission: Receive or Send',
    cost: 4,
    sent: null,
    registered: null,
    count: 1,
  },
  {
    at: at('2026-11-20T16:31:00Z'),
    operation: 'API',
    outcome: 'An old secret, rolled before, but still in use',
    cost: null,
    sent: null,
    registered: null,
    count: 12,
  },
];
const keyModel = { frame: shell, calls, budget, ask: { paymentSats: 10_000, daySats: null }, isSaved: false } as const;
const NO_LIMITS: ReadonlyMap<string, never> = new Map<string, never>();
const LIMITS = new Map([[ID, { daily: 200_000, weekly: 1_000_000, monthly: null, annual: null }]]);
const limits: view.LimitsFormModel = {
  frame: shell,
  budget,
  ask: view.presentAsk({ paymentSats: 10_000, daySats: null }),
  ...view.presentForm(budget),
  errors: {},
};
const keySpender: view.Spender = {
  kind: 'key',
  movesMoney: true,
  name: key.name,
  href: '/dashboard/keys/till',
  action: '/dashboard/keys/till/limits',
  askAction: '/dashboard/keys/till/ask',
};
const hostileKeys = Object.values(HOSTILE).map((name): view.KeyView => ({ ...key, name }));
const newKey: view.KeyNewModel = {
  frame: shell,
  scopes: scopes('read', 'receive', 'write'),
  maxDays: null,
  values: view.emptyKeyForm,
  errors: {},
};

const keys: readonly Sample[] = [
  sample(
    'keys',
    dashboard,
    view.keysPage({
      frame: shell,
      limits: LIMITS,
      inUse: [key, { ...till, id: 'till' }, { ...books, id: 'books' }],
      ended: [laptop, lost],
      revokedName: null,
    }),
  ),
  sample(
    'keys-revoked',
    dashboard,
    view.keysPage({ frame: shell, limits: NO_LIMITS, inUse: [till], ended: [lost, laptop], revokedName: 'Lost phone' }),
  ),
  sample('keys-empty', dashboard, view.keysPage({ frame: shell, limits: NO_LIMITS, inUse: [], ended: [], revokedName: null })),
  sample(
    'keys-hostile',
    dashboard,
    view.keysPage({ frame: shell, limits: LIMITS, inUse: hostileKeys, ended: [], revokedName: HOSTILE.markup }),
  ),
  sample('key', dashboard, view.keyPage({ ...keyModel, key })),
  sample('key-never-refused', dashboard, view.keyPage({ ...keyModel, key: books, calls: [], budget: unlimited })),
  sample('key-ended', dashboard, view.keyPage({ ...keyModel, key: laptop })),
  sample('key-unlimited', dashboard, view.keyPage({ ...keyModel, key, budget: unlimited, isSaved: true })),
  sample('key-limits', dashboard, view.limitsPage(keySpender, limits)),
  sample(
    'key-limits-errors',
    dashboard,
    view.limitsPage(keySpender, {
      ...limits,
      values: { daily: '1.000', weekly: '0', monthly: '', annual: 'all' },
      errors: {
        daily: 'Did you mean 1,000 sats or 1 sat? Enter 1000 or 1.',
        weekly: 'Enter 1 to 2,147,483,647 sats, or nothing for no limit.',
        annual: 'Enter a number of sats, for example 1,000.',
      },
    }),
    422,
  ),
  sample('key-limits-without-effect', dashboard, view.limitsWithoutEffectPage({ ...keySpender, movesMoney: false }, shell)),
  sample('key-without-send', dashboard, view.keyPage({ ...keyModel, key: till })),
  sample(
    'key-ask-errors',
    dashboard,
    view.limitsPage(keySpender, {
      ...limits,
      ask: {
        values: { paymentSats: 'all', daySats: '-1' },
        errors: { paymentSats: 'Enter a number.', daySats: 'Enter a number.' },
        ask: null,
      },
    }),
    422,
  ),
  sample('key-limits-hostile', dashboard, view.limitsPage({ ...keySpender, name: HOSTILE.markup }, limits)),
  sample('key-rolled', dashboard, view.keyPage({ ...keyModel, key: { ...key, previousUntil: at('2026-11-22T08:02:00Z') } })),
  sample('key-roll-errors', dashboard, view.keyPage({ ...keyModel, key, rollError: true }), 422),
  sample('key-new-limited', dashboard, view.keyNewPage({ ...newKey, maxDays: 45 })),
  sample('key-new', dashboard, view.keyNewPage(newKey)),
  sample('key-new-too-many', dashboard, view.keyNewPage({ ...newKey, errors: { name: 'too-many' } }), 422),
  sample(
    'key-new-errors',
    dashboard,
    view.keyNewPage({
      ...newKey,
      values: { name: '', scopes: [], limit: '0', window: 'weekly', expires: 'never' },
      errors: { name: 'missing', scopes: 'none', limit: 'Enter 1 to 2,147,483,647 sats, or nothing for no limit.', expires: 'unknown' },
    }),
    422,
  ),
  sample(
    'key-created',
    dashboard,
    view.keyCreatedPage({ frame: shell, key, limits: LIMITS.get(ID), secret: SAMPLE_SECRET, apiUrl: 'http://localhost:4000' }),
  ),
  sample('key-shown', dashboard, view.keyShownPage({ frame: shell, key: till })),
  sample('key-revoke', dashboard, view.revokeKeyPage({ frame: shell, key: { ...key, scopes: [...key.scopes, MANAGE_CALLBACKS] } })),
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
const DOCUMENT = `https://agent.example/${'tools/'.repeat(37)}app.json`;
const appModel = { frame: shell, budget, ask: { paymentSats: null, daySats: 50_000 }, isSaved: false } as const;
const appSpender: view.Spender = { ...keySpender, kind: 'app', name: app.name };
const hostileApps = Object.values(HOSTILE).map((name): view.AppView => ({ ...lines, name, host: name }));

const reused = { name: 'Corner Coffee', endedAt: at('2026-11-20T15:20:11Z'), because: 'refresh token used again' } as const;
const ended = { id: 'corner', isSuspicion: true, keys: [] };
const BECAUSE = ['authorization code used again', 'refresh token used again', 'password changed', 'revoked by the app'] as const;
const endedApps = BECAUSE.map((because, index) => ({
  ...reused,
  ...ended,
  because,
  isSuspicion: index < 2,
  keys: [{ name: 'Shop till' }],
}));
const hostileEnded = Object.values(HOSTILE).map((name) => ({ ...reused, ...ended, name, keys: [{ name }] }));

const apps: readonly Sample[] = [
  sample('apps', dashboard, view.appsPage({ frame: shell, limits: LIMITS, apps: [app, lines], ended: [], disconnectedName: null })),
  sample(
    'apps-disconnected',
    dashboard,
    view.appsPage({ frame: shell, limits: NO_LIMITS, apps: [lines], ended: [], disconnectedName: 'Corner Coffee' }),
  ),
  sample('apps-empty', dashboard, view.appsPage({ frame: shell, limits: NO_LIMITS, apps: [], ended: [], disconnectedName: null })),
  sample(
    'apps-ended',
    dashboard,
    view.appsPage({ frame: shell, limits: NO_LIMITS, apps: [lines], ended: endedApps, disconnectedName: null }),
  ),
  sample(
    'apps-hostile',
    dashboard,
    view.appsPage({ frame: shell, limits: NO_LIMITS, apps: hostileApps, ended: hostileEnded, disconnectedName: HOSTILE.bidi }),
  ),
  sample('app', dashboard, view.appPage({ ...appModel, app, payments: [PAYMENTS.byApp] })),
  sample('app-no-payments', dashboard, view.appPage({ ...appModel, app: { ...app, verified: false }, payments: [], isSaved: true })),
  sample('app-read-only', dashboard, view.appPage({ ...appModel, app: lines, payments: null, budget: unlimited })),
  sample('app-without-send', dashboard, view.appPage({ ...appModel, app: { ...lines, id: DOCUMENT }, payments: null })),
  sample('app-disconnect', dashboard, view.disconnectAppPage({ frame: shell, app, keys: [], hasLimits: false })),
  sample(
    'app-disconnect-keys',
    dashboard,
    view.disconnectAppPage({ frame: shell, app, keys: [{ name: 'Shop till' }, ...hostileKeys], hasLimits: true }),
  ),
  sample('app-limits', dashboard, view.limitsPage(appSpender, limits)),
  sample(
    'app-limits-errors',
    dashboard,
    view.limitsPage(appSpender, { ...limits, errors: { weekly: 'Enter a number of sats, for example 1,000.' } }),
    422,
  ),
  sample('app-limits-hostile', dashboard, view.limitsPage({ ...appSpender, name: HOSTILE.markup }, limits)),
  sample('app-gone', dashboard, view.appGonePage({ frame: shell })),
];

const pause = { subject: 'all', cause: 'operator', since: at('2026-11-21T08:00:00Z') } as const;
const pauses: readonly Sample[] = [
  sample('pause', dashboard, view.pausePage(shell, [])),
  sample('pause-on', dashboard, view.pausePage(shell, [{ ...pause, cause: 'owner' }, { ...pause, cause: 'identity' }, pause])),
];

const operator = { ...shell, isOperator: true };
const checks = [
  { label: 'Audit of the ledger', href: '/operator/ledger', trouble: null },
  { label: 'Stopped sends', href: '/operator/freezes', trouble: '2' },
];
const listPage = PAGES.find(({ path }) => path === 'payments') as (typeof PAGES)[number];
const showPage = PAGES.find(({ path }) => path === 'user') as (typeof PAGES)[number];
const payment = { id: ID, state: 'in_flight', createdAt: at('2026-11-21T08:00:00Z'), amountMsat: 21_000n, failure: HOSTILE.markup };
const propose = COMMANDS.find(({ name }) => name === 'adjust propose') as (typeof COMMANDS)[number];
const resolve = COMMANDS.find(({ name }) => name === 'payment resolve') as (typeof COMMANDS)[number];
const approve = COMMANDS.find(({ name }) => name === 'client approve') as (typeof COMMANDS)[number];
const level = COMMANDS.find(({ name }) => name === 'account level') as (typeof COMMANDS)[number];
const act = { frame: operator, value: () => '', refusal: null, form: ID };
const shown = { frame: operator, row: '', value: () => '' };
const consolePages: readonly Sample[] = [
  sample('console', dashboard, view.homePage({ frame: operator, checks: checks.slice(0, 1) })),
  sample('console-trouble', dashboard, view.homePage({ frame: operator, checks })),
  sample('console-list', dashboard, view.consolePage({ ...shown, page: listPage, result: { found: [payment], lines: [] } })),
  sample(
    'console-empty',
    dashboard,
    view.consolePage({ ...shown, page: listPage, result: { found: [], lines: ['There are no such payments.'] } }),
  ),
  sample(
    'console-row',
    dashboard,
    view.consolePage({ ...shown, row: 'alice', page: showPage, result: { found: {}, lines: [HOSTILE.markup] } }),
  ),
  sample(
    'console-failure',
    dashboard,
    view.consolePage({ ...shown, page: showPage, result: { found: null, lines: [], failure: 'No user' } }),
    422,
  ),
  sample('console-act', dashboard, view.actPage({ ...act, command: propose })),
  sample('console-act-version', dashboard, view.actPage({ ...act, command: approve, value: () => '3' })),
  sample('console-act-choice', dashboard, view.actPage({ ...act, command: level })),
  sample(
    'console-act-refused',
    dashboard,
    view.actPage({ ...act, command: resolve, value: () => 'on', refusal: 'There is no such payment' }),
    422,
  ),
  sample('console-done', dashboard, view.donePage({ frame: operator, outcome: { command: 'pause', lines: ['Paused.'] } })),
  sample('console-done-before', dashboard, view.donePage({ frame: operator, outcome: { command: 'pause', lines: null } })),
];

/** Access to the wallet: keys, apps, and the session. */
export const ACCESS_SAMPLES: readonly Sample[] = [
  ...keys,
  ...apps,
  ...pauses,
  ...consolePages,
  sample('logout', dashboard, view.logoutPage({ frame: shell })),
];
