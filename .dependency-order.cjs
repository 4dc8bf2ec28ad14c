// The order of imports: the data of the dependency law, whose rules are in .dependency-cruiser.cjs.

/** Imports point up this list only: a folder imports folders above it, never one below it. */
const ORDER = [
  'kernel',
  'config',
  'logging',
  'embedded-postgres',
  'metrics',
  'loop',
  'egress',
  'http',
  'database',
  'backup',
  'job',
  'events',
  'rate-limit',
  'operator-action',
  'generated',
  'graphql',
  'auth',
  'health',
  'socket',
  'idempotency',
  'page',
  'limit',
  'ledger',
  'lightning',
  'price',
  'user',
  'session',
  'api-key',
  'signin',
  'oauth',
  'budget',
  'wallet',
  'transaction',
  'webhook',
  'invoice',
  'lnurl',
  'payment',
  'adjustment',
  'reconciliation',
  'dashboard',
  'server',
  'demo',
  'cli',
  'testing',
  'client',
];
/**
 * The folders of each room: a statement or SQL function uses tables and functions of its own room and of those before it in this list
 * (test/architecture/table-owners.spec.ts). The root files stand above all rooms.
 */
const ROOMS = {
  platform: [
    'kernel',
    'config',
    'logging',
    'embedded-postgres',
    'metrics',
    'loop',
    'database',
    'backup',
    'job',
    'events',
    'operator-action',
  ],
  edge: ['egress', 'http', 'rate-limit', 'graphql', 'auth', 'health', 'socket', 'idempotency', 'page'],
  access: ['limit', 'user', 'session', 'api-key', 'signin', 'oauth'],
  money: ['ledger', 'lightning', 'price', 'budget', 'wallet', 'transaction', 'webhook', 'invoice', 'lnurl', 'payment'],
  operator: ['adjustment', 'reconciliation'],
  dashboard: ['dashboard'],
  app: ['server', 'demo'],
  above: ['cli', 'testing', 'client'],
};
/** The subfolders of a folder: imports point up each of these lists only. The files beside them are for all of them, or put them together. */
const SUBFOLDERS = {
  signin: ['login', 'logout', 'register'],
  oauth: [
    'client',
    'http',
    'key',
    'request',
    'grant',
    'app',
    'interaction',
    'consent',
    'authorize',
    'token',
    'revoke',
    'userinfo',
    'discovery',
  ],
  dashboard: ['activity', 'limits', 'account', 'wallet', 'receive', 'send', 'convert', 'history', 'keys', 'apps', 'webhooks', 'live'],
};
/** The files beside them: each imports folders above `cli`, and root files before it in this list. */
const ROOT_ORDER = ['core-module', 'entities', 'extension-parts', 'extension', 'app.module', 'bootstrap', 'serve', 'index', 'main'];
module.exports = { ORDER, ROOMS, SUBFOLDERS, ROOT_ORDER };
