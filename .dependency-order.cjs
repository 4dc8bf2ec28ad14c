// The order of imports: the data of the dependency law, whose rules are in .dependency-cruiser.cjs.

/**
 * The rooms of src and the folders of each, the highest first. An import points down these lists only: from a room to one below it, and
 * inside of a room from a folder to one below it. A room without folders is a folder itself. SQL obeys the same order, by room
 * (test/architecture/table-owners.spec.ts).
 */
const ROOMS = {
  testing: [],
  cli: [],
  app: ['demo', 'server'],
  dashboard: [],
  operator: ['console', 'act', 'command', 'reconciliation', 'adjustment'],
  money: [
    'personal-data',
    'payment',
    'lnurl',
    'invoice',
    'onchain',
    'webhook',
    'transaction',
    'wallet',
    'budget',
    'price',
    'lightning',
    'ledger',
  ],
  access: ['oauth', 'signin', 'call', 'api-key', 'identity', 'session', 'factor', 'user', 'notice', 'limit'],
  edge: ['mail', 'page', 'idempotency', 'socket', 'health', 'auth', 'graphql', 'rate-limit', 'http', 'egress'],
  platform: [
    'operator-action',
    'job',
    'events',
    'backup',
    'database',
    'loop',
    'metrics',
    'embedded-postgres',
    'logging',
    'config',
    'kernel',
  ],
};
/** The subfolders of a folder: imports point down each of these lists only. The files beside them are for all of them, or put them together. */
const SUBFOLDERS = {
  dashboard: [
    'live',
    'developer',
    'notice',
    'webhooks',
    'apps',
    'security',
    'keys',
    'history',
    'convert',
    'send',
    'receive',
    'wallet',
    'order',
    'account',
    'pause',
    'limits',
    'activity',
  ],
  'money/payment': ['operator', 'probe', 'begin', 'end', 'rails', 'payout'],
  'money/invoice': ['status', 'settlement', 'issue'],
  'access/signin': ['email', 'password', 'forgot', 'reset', 'register', 'logout', 'confirm', 'company', 'login'],
  'access/oauth': [
    'discovery',
    'userinfo',
    'introspect',
    'logout',
    'revoke',
    'token',
    'authorize',
    'consent',
    'interaction',
    'app',
    'grant',
    'request',
    'dpop',
    'key',
    'http',
    'application',
    'client',
  ],
};
/** The files of `app` put everything together: each imports folders below `cli`, and files after it in this list. */
const APP_ORDER = [
  'serve',
  'bootstrap',
  'open-database',
  'app.module',
  'port-modules',
  'extension',
  'settings',
  'extension-parts',
  'entities',
  'core-module',
];
/** Folders that lie beside the rooms: what the code generator writes, and what runs in programs of other people. */
const BESIDE = ['client', 'generated'];

/** These start an application, so these alone may import the files that put it together. */
const STARTERS = ['cli', 'testing'];
/** The folders that are the edge, or put an application together. */
const KNOW_THE_EDGE = ['edge', 'dashboard', 'operator/console', 'operator/act', 'app', ...STARTERS, ...BESIDE];
/** The files elsewhere that speak GraphQL or HTTP. */
const ROLES_AT_THE_EDGE = '\\.(resolver|controller|module|payload|filter)\\.ts$';
/** Files without such a role that read or answer requests: cookies, parameters, the fields that a query selects, GraphQL errors. */
const FILES_AT_THE_EDGE = [
  ...['sign-in-cookies', 'flash-cookie', 'pre-session', 'page-sessions', 'return-pages', 'binding'],
  ...['parameters', 'form-endpoints', 'selection', 'wallet-filter', 'realtime-price', 'fresh-session'],
  ...['passwords', 'factors'], // they wait for their turn in the queues of http
];

/** The folders of src, the highest first, by their paths below src. */
const FOLDERS = Object.entries(ROOMS).flatMap(([room, folders]) =>
  folders.length === 0 ? [room] : folders.map((folder) => `${room}/${folder}`),
);

module.exports = { ROOMS, FOLDERS, SUBFOLDERS, APP_ORDER, BESIDE, STARTERS, KNOW_THE_EDGE, ROLES_AT_THE_EDGE, FILES_AT_THE_EDGE };
