// The order of imports: the data of the dependency law, whose rules are in .dependency-cruiser.cjs.

/** Imports point up this list only: a folder imports folders above it, never one below it. */
const ORDER = [
  'kernel',
  'config',
  'logging',
  'embedded-postgres',
  'metrics',
  'loop',
  'http',
  'database',
  'job',
  'events',
  'rate-limit',
  'generated',
  'graphql',
  'auth',
  'health',
  'socket',
  'idempotency',
  'page',
  'ledger',
  'lightning',
  'price',
  'user',
  'session',
  'api-key',
  'signin',
  'oauth',
  'wallet',
  'transaction',
  'invoice',
  'lnurl',
  'payment',
  'dashboard',
  'server',
  'demo',
  'cli',
  'testing',
];
/** The subfolders of a folder: imports point up each of these lists only. The files beside them are for all of them, or put them together. */
const SUBFOLDERS = {
  signin: ['interrupted', 'login', 'logout', 'register'],
  oauth: [
    'client',
    'http',
    'key',
    'request',
    'grant',
    'interaction',
    'consent',
    'authorize',
    'token',
    'app',
    'revoke',
    'userinfo',
    'discovery',
  ],
  dashboard: ['activity', 'wallet', 'receive', 'history', 'keys', 'apps', 'live'],
};
/** The files beside them: each imports folders above `cli`, and root files before it in this list. */
const ROOT_ORDER = ['core-module', 'extension-parts', 'extension', 'app.module', 'bootstrap', 'serve', 'index', 'main'];
module.exports = { ORDER, SUBFOLDERS, ROOT_ORDER };
