import { debug, error, fault, info, outage, warn } from './entry.js';

export const SERVER_EVENTS = {
  database_unavailable: warn(
    'The database does not answer, or has rolled a statement back (a deadlock, a lock, a timeout). Callers receive 503, and sockets close with 1013; logged at most once a minute',
    "Check PostgreSQL's log; the embedded one's is `postgres/postgres.log` in the data folder",
  ),
  database_stopped: error(
    'The embedded PostgreSQL stopped. Sluice starts it again; callers receive 503 meanwhile',
    'Check `postgres/postgres.log` in the data folder',
  ),
  database_restarted: info('The embedded PostgreSQL answers again'),
  database_connection_lost: warn('An idle connection to the database ended. Sluice opens another when it needs one'),
  database_pool_exhausted: warn(
    'All database connections of this process are in use. Callers that wait for ten seconds receive 503 and are counted in `sluice_database_pool_full_total`',
    'Look in `pg_stat_activity` for statements that take long or wait for a lock; if there are none, raise `DATABASE_POOL_SIZE`',
  ),
  database_connection_budget: info(
    'The connections that this process may open, by purpose, the processes on this database now, and the connections that the database offers',
  ),
  database_connections_scarce: warn(
    'The processes on this database may open more connections than it offers; under load some callers receive 503',
    'Raise `max_connections` of PostgreSQL (or the limit of the role or database), lower `DATABASE_POOL_SIZE`, or put a pooler in between',
  ),
  database_migrated: info('The database has the tables of this version now (`migrations` names what ran)'),
  database_awaited: warn(
    'PostgreSQL starts up, recovers, shuts down or accepts no connection, or has cut one in the middle of the start. The start waits for it, `seconds` at most (`DATABASE_START_SECONDS`)',
    'Start PostgreSQL, if the start fails then',
  ),
  database_migration_awaited: info('Another process, or a command of the operator, migrates the database. This one waits for it'),
  database_migration_blocked: warn(
    'Another session holds a lock that a migration needs, or has deadlocked with it. Sluice rolls the migration back and retries',
    'Look for long transactions in `pg_stat_activity` and end them',
  ),
  database_schema_newer: info('A newer version of Sluice has migrated the database. This process leaves the SQL functions as they are'),
  demo_delayed: warn('The demo could not be prepared, because the database did not answer or had locked rows. Sluice tries again'),
  demo_keys_created: info('The demo creates its keys and `demo.json`'),
  events_connection_lost: warn('The connection that listens for events was lost. Sluice opens it again and reads what it missed'),
  events_read_failed: warn('Events could not be read. Sluice connects again', 'Check the database if this repeats'),
  events_late: error(
    'This process cannot read events. Live updates wait, and Sluice looks up revocations instead; payments continue',
    'Check the database, and the connection to it (`DATABASE_DIRECT_URL`)',
  ),
  events_consumer_late: error(
    'An event has waited for a durable consumer for more than a minute: webhooks, or work of an extension, stand still',
    'Run `sluice events list` for the reason. Where there is none, look for a transaction that has locked the row of `event_consumer`, and at the clock of the database',
  ),
  events_current: info('Events are read again'),
  events_missed: warn(
    'Events were missed and reading continues at the present, because the database is an older copy of itself or this process was disconnected for an hour',
    'Nothing, if you restored a backup; else check the connection to the database',
  ),
  events_handler_failed: fault('A handler of an event failed by a fault of Sluice or of an extension. Other handlers are not affected'),
  events_handler_slow: warn(
    'A call of a handler has taken more than 20 seconds; `origin` is the place that registered it. Other events of this handler do not wait for it any longer',
    'Find what the handler waits for; use a durable consumer or a job for long work',
  ),
  events_handler_overrun: error(
    'A handler has four calls in progress and 1,000 events that wait; `origin` is the place that registered it. It misses events until it has caught up',
    'Make the handler faster, or use a durable consumer',
  ),
  events_reader_failed: fault(
    'The rows of some events could not be read by a fault of Sluice or of an extension. Handlers did not receive these events; other events are not affected',
  ),
  events_consumer_failed: warn(
    'The handler of a durable consumer failed. Sluice calls it again after a growing pause, ten times in all',
    'Read the error of the line; it is a fault of the extension, or of what the extension needs',
  ),
  events_consumer_unavailable: warn(
    'The events of a durable consumer could not be read. Sluice retries',
    'Check the database if this repeats',
  ),
  events_consumer_overrun: error(
    'A durable consumer has not handled events for longer than they are kept. It is stopped, its position kept',
    'Find out why it was slow, make good what it missed from the tables, then `sluice events replay <consumer>`',
  ),
  events_dead_letter: error(
    'The handler of a durable consumer failed ten times for one event. The event is kept as a dead letter, and the consumer continues',
    'Correct the cause, then `sluice events replay <consumer>`',
  ),
  events_prepared_transactions_allowed: error(
    'The database allows prepared transactions; one that is left open stops every payment',
    'Set `max_prepared_transactions = 0` in PostgreSQL and restart it',
  ),
  graphql_server_warning: warn('Apollo Server logged a warning'),
  graphql_server_error: error('Apollo Server logged an error', 'Report it with the line'),
  graphql_unexpected_error: fault('A resolver failed by a fault of Sluice or of an extension. The caller received `INTERNAL_SERVER_ERROR`'),
  http_unexpected_error: fault('A request failed by a fault of Sluice or of an extension. The caller received 500'),
  http_turn_refused: warn(
    "A caller's queue was full or too slow, and its requests were refused: `database` (fields of queries and of events, pages, idempotency keys) is for connections, `thread` (long GraphQL documents not seen before, JSON bodies above 64 KiB, events of subscriptions) for the event loop, `files` (CSV of the history) for memory. Other callers were answered",
    'Contact the caller if this repeats',
  ),
  health_not_ready: warn(
    '`/health/ready` is 503; the line names what the process waits for',
    'Check what the line names; "Behind a proxy" in docs/operating.md lists the causes',
  ),
  health_degraded: warn(
    '`/health/ready` is 200, and the line names what is degraded',
    'Check what the line names; "Behind a proxy" in docs/operating.md lists the causes',
  ),
  health_ready: info('`/health/ready` is 200 again'),
  job_leader_began: info('This process does what one process at a time does (`role`): it reads a stream of the node for all'),
  job_leader_ended: info('Another process has taken over what one process at a time does (`role`)'),
  job_failed: warn(
    'A job failed. Sluice runs it again after a growing pause, and what is scheduled at its next time',
    'Read the error of the line; `sluice jobs list` shows the job',
  ),
  job_given_up: error(
    'A job failed in its last attempt. It is kept, and not run again by itself',
    'Correct the cause, then `sluice jobs retry <job>` or `sluice jobs forget <job>`',
  ),
  job_freed: warn(
    'The process that ran a job has not renewed its claim, because it has gone or cannot reach the database. This process begins the job again',
    'Find out why the process ended',
  ),
  job_store_unavailable: outage(
    'This process could not read jobs, or not store how one ended. It tries again; other processes run the jobs meanwhile',
  ),
  rate_limit_not_shared: warn(
    'Several processes use the database at the start of this one, and each counts wrong passwords and client secrets for itself: a guesser has as many tries as there are processes times the limit',
    'Set `RATE_LIMIT_STORE=postgres` for all of them; ignore it where the other process is the one that this one replaces',
  ),
  rate_limit_store_failed: warn(
    'The database did not count a wrong password or client secret in time. This process counts for itself until it does; logged at most twice a minute',
    'Check the database if this lasts: several processes permit more guesses meanwhile',
  ),
  rate_limit_purge_failed: warn(
    'Windows of rate limits that have ended could not be deleted. Sluice retries every half minute',
    'Check the database if this repeats',
  ),
  process_variables_unknown: warn(
    'Environment variables that begin with `SLUICE_` (`names`) are none of Sluice’s',
    'Correct their names, or remove them; docs/reference/variables.md lists those that there are',
  ),
  process_uncaught_exception: error(
    'An exception outside of every request, by a fault of Sluice or of an extension, such as one in a timer. The process ends with status 1',
    'Report it with the stack trace of the line, which names the file',
  ),
  process_unhandled_rejection: error(
    'A promise that nothing awaits was rejected, by a fault of Sluice or of an extension, such as a forgotten `await`. The process continues',
    'Report it with the stack trace of the line, which names the file',
  ),
  socket_closed_by_error: debug('A socket was closed by an error of the connection or the client'),
  socket_unexpected_error: fault('A message of a socket failed by a fault of Sluice. The socket is closed with 4500'),
  invoice_webhook_dropped: warn(
    'The webhook of an invoice (`paymentHash`, `walletId`) was not made, because as many webhooks of invoices of its caller wait as may: 10,000, or 1,000 of a caller without a credential (`caller`), and half as many of expired invoices. `sluice_invoice_webhooks_dropped_total` counts them; the log has one line in 30 seconds',
    'No other caller is affected. Set a lower `THROTTLE_ANONYMOUS_INVOICE` or `THROTTLE_INVOICE_FOR_OTHER` if callers flood wallets with invoices',
  ),
  database_clock_set: error(
    'The clock of the database was set by more than a minute (`seconds`), as after a failover to a machine with another time. Histories keep their order; expiries and the windows of limits move by it',
    'Check the time synchronisation of the database servers',
  ),
  webhook_secret_unreadable: error(
    'The secret of a webhook endpoint (`endpointId`) was encrypted under a `SECRET_KEY` that is not configured. Its deliveries are repeated for two days',
    'Set `SECRET_KEY_PREVIOUS` to the key that was replaced, and ask the owner to rotate the secret of the endpoint',
  ),
} as const;
