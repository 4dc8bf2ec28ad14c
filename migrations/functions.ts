import { readFileSync } from 'node:fs';

/** A file of SQL functions, as `DatabaseOptions` takes it. */
export interface SqlFunctions {
  readonly name: string;
  readonly text: string;
}

/** In the order of their dependencies: PostgreSQL checks the names in the body of a SQL function and in a view when it creates them. */
const NAMES = [
  'schema_compatibility',
  'lock_key',
  'secret_key',
  'event',
  'job',
  'ledger_constants',
  'ledger_account',
  'ledger_operation',
  'ledger_apply',
  'ledger_audit',
  'ledger_audit_advance',
  'simulator',
  'simulator_lookup',
  'simulated_chain',
  'account',
  'price',
  'history',
  'user_email',
  'user_name',
  'user_register',
  'user_operator',
  'user_pause',
  'user_reset',
  'user_leave',
  'operator_action',
  'notice',
  'api_key',
  'session',
  'oauth_logout',
  'oauth_grant',
  'oauth_refresh',
  'oauth_owner',
  'oauth_leak',
  'dealer',
  'spending',
  'budget',
  'budget_ask',
  'account_limit',
  'history_spent',
  'invoice',
  'invoice_settle',
  'invoice_sweep',
  'invoice_claim',
  'invoice_return',
  'deposit',
  'deposit_settle',
  'deposit_review',
  'payment_verdict',
  'payment_approval',
  'payment_line',
  'payment_begin_write',
  'payment_begin',
  'payment',
  'payout',
  'payment_notice',
  'payment_reconcile',
  'payment_freeze',
  'node_payment',
  'adjustment',
  'reconciliation',
  'idempotency',
  'rate_limit',
  'webhook',
  'account_delete',
];

/** Functions resolve names (SET search_path FROM CURRENT) in the schema that they are created in, for every caller, and never in pg_temp. */
const SET_SEARCH_PATH = `SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);\n`;

/** The functions, triggers and views of the database, in their current text. Sluice creates again those whose text has changed. */
export const FUNCTIONS: readonly SqlFunctions[] = NAMES.map((name) => ({
  name,
  text: SET_SEARCH_PATH + readFileSync(new URL(`./functions/${name}.sql`, import.meta.url), 'utf8'),
}));
