import { DataSource } from 'typeorm';
import { Job1795724500000 } from '../../migrations/1795724500000-job.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Two owners: a known one with a first delivery and a repeat in progress, and a caller without a credential. */
const WEBHOOKS = `
  SET LOCAL session_replication_role = replica;
  INSERT INTO webhook_endpoint (id, account_id, url, secret, sequence, waiting)
    SELECT gen_random_uuid(), gen_random_uuid(), 'https://example.com/', '\\x00', 3, 2 FROM generate_series(1, 2);
  INSERT INTO webhook_delivery (id, endpoint_id, owner_id, sequence, event_type, body, is_later, is_next, failures, next_at, claim)
    SELECT gen_random_uuid(), e.id, e.account_id, n, 'receive.lightning', '{}', n = 2, true, n - 1, now() + interval '1 hour',
           CASE WHEN n = 2 THEN gen_random_uuid() END
      FROM (SELECT *, row_number() OVER (ORDER BY id) AS nth FROM webhook_endpoint) e, generate_series(1, 2) n WHERE e.nth = 1 OR n = 1;
  INSERT INTO webhook_delivery (id, endpoint_id, owner_id, sequence, event_type, body, state, ended_at)
    SELECT gen_random_uuid(), id, account_id, 3, 'receive.lightning', '{}', 'delivered', now() FROM webhook_endpoint;
  INSERT INTO webhook_queue (owner_id, is_anonymous, first_at)
    SELECT account_id, row_number() OVER (ORDER BY id) = 2, now() FROM webhook_endpoint`;
/** What the migration reads of graphile-worker's tables. */
const JOBS = `
  CREATE SCHEMA sluice_job;
  CREATE TABLE sluice_job._private_tasks (id int PRIMARY KEY, identifier text);
  CREATE TABLE sluice_job._private_job_queues (id int PRIMARY KEY, queue_name text);
  CREATE TABLE sluice_job._private_jobs (id bigint PRIMARY KEY, job_queue_id int, task_id int, payload json, attempts int, max_attempts int, key text,
    locked_at timestamptz, run_at timestamptz, last_error text,
    is_available boolean GENERATED ALWAYS AS (locked_at IS NULL AND attempts < max_attempts) STORED);
  INSERT INTO sluice_job._private_tasks VALUES (1, 'invoice_cancel'), (2, 'tipping.mail'), (3, 'ledger_audit'), (4, 'ledger_audit_whole');
  INSERT INTO sluice_job._private_job_queues VALUES (1, 'mails');
  INSERT INTO sluice_job._private_jobs (id, job_queue_id, task_id, payload, attempts, max_attempts, key, locked_at, run_at, last_error) VALUES
    (1, NULL, 1, '{"paymentHash": "ab"}', 3, 25, 'invoice_cancel:ab', NULL, now() + interval '1 hour', 'no node'),
    (2, 1, 2, '{"to": "bob"}', 0, 25, NULL, NULL, now(), NULL),
    (3, NULL, 2, '{"to": "carol"}', 2, 2, NULL, NULL, now(), 'no server'),
    (4, NULL, 3, '{}', 1, 32767, 'ledger_audit', now(), now(), NULL),
    (5, NULL, 4, '{"_cron": {}}', 0, 25, NULL, NULL, now(), NULL)`;

describe('a database of 0.3.0-dev', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase({ migrated: false });
    const migrations = MIGRATIONS.slice(0, MIGRATIONS.indexOf(Job1795724500000));
    dataSource = new DataSource({ type: 'postgres', migrations, migrationsTransactionMode: 'each', extra: database.connection });
    await dataSource.initialize();
    await dataSource.runMigrations();
    await dataSource.transaction((tx) => tx.query(WEBHOOKS));
    await dataSource.query(JOBS);
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('keeps what waits: deliveries by owner and kind, jobs with their attempts, and those that have failed', async () => {
    await dataSource.destroy();
    dataSource = new DataSource({
      type: 'postgres',
      migrations: [...MIGRATIONS],
      migrationsTransactionMode: 'each',
      extra: database.connection,
    });
    await dataSource.initialize();
    await dataSource.runMigrations();
    expect(
      await dataSource.query(`SELECT class, j.attempts, run_at <= now() AS due, owner = e.account_id::text AS owned FROM job j
        JOIN webhook_delivery d ON d.id = (payload->>'delivery')::uuid JOIN webhook_endpoint e ON e.id = d.endpoint_id ORDER BY class`),
    ).toEqual([
      { class: 'webhook', attempts: 0, due: false, owned: true },
      { class: 'webhook_anonymous', attempts: 0, due: false, owned: true },
      { class: 'webhook_later', attempts: 1, due: true, owned: true },
    ]);
    expect(
      await dataSource.query(`SELECT class, owner, task, key, attempts, max_attempts, run_at <= now() AS due, is_failed, last_error FROM job
        WHERE task <> 'webhook' ORDER BY id`),
    ).toEqual([
      {
        class: 'house',
        owner: '',
        task: 'invoice_cancel',
        key: 'ab',
        attempts: 3,
        max_attempts: 25,
        due: false,
        is_failed: false,
        last_error: 'no node',
      },
      {
        class: 'tipping',
        owner: 'mails',
        task: 'tipping.mail',
        key: null,
        attempts: 0,
        max_attempts: 25,
        due: true,
        is_failed: false,
        last_error: null,
      },
      {
        class: 'tipping',
        owner: '',
        task: 'tipping.mail',
        key: null,
        attempts: 2,
        max_attempts: 2,
        due: true,
        is_failed: true,
        last_error: 'no server',
      },
    ]);
    expect(await dataSource.query('SELECT class, count(*)::int AS owners FROM job_owner GROUP BY class ORDER BY class')).toEqual([
      { class: 'tipping', owners: 1 },
      { class: 'webhook', owners: 1 },
      { class: 'webhook_anonymous', owners: 1 },
      { class: 'webhook_later', owners: 1 },
    ]);
    expect(await dataSource.query(`SELECT to_regnamespace('sluice_job') AS gone, to_regclass('webhook_queue') AS too`)).toEqual([
      { gone: null, too: null },
    ]);
  });
});
