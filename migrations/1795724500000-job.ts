import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs in a table of Sluice's own, among them deliveries of webhooks. What waits in the tables of before moves here. */
export class Job1795724500000 implements MigrationInterface {
  readonly name = 'Job1795724500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job (
        id              bigint      GENERATED ALWAYS AS IDENTITY,
        class           text        NOT NULL,
        -- Owners take turns; '' is no owner.
        owner           text        NOT NULL DEFAULT '',
        task            text        NOT NULL,
        key             text,
        payload         jsonb       NOT NULL,
        -- While a process runs it: the end of its claim.
        run_at          timestamptz NOT NULL,
        attempts        integer     NOT NULL DEFAULT 0,
        max_attempts    integer,
        claim           uuid,
        is_failed       boolean     NOT NULL DEFAULT false,
        last_error      text,
        CONSTRAINT job_pk PRIMARY KEY (id)
      );
      CREATE INDEX job_due ON job (class, owner, run_at) WHERE NOT is_failed;
      CREATE UNIQUE INDEX job_key ON job (task, key) WHERE key IS NOT NULL;
      CREATE TABLE job_owner (
        class           text        NOT NULL,
        owner           text        NOT NULL,
        turn_at         timestamptz NOT NULL,
        CONSTRAINT job_owner_pk PRIMARY KEY (class, owner)
      );
      CREATE INDEX job_owner_line ON job_owner (class, turn_at);

      INSERT INTO job (class, owner, task, payload, run_at, attempts)
      SELECT 'webhook' || CASE WHEN q.is_anonymous THEN '_anonymous' ELSE '' END || CASE WHEN d.is_later THEN '_later' ELSE '' END,
             d.owner_id::text, 'webhook', jsonb_build_object('delivery', d.id), CASE WHEN d.claim IS NULL THEN d.next_at ELSE now() END, d.failures
        FROM webhook_delivery d JOIN webhook_queue q ON q.owner_id = d.owner_id WHERE d.state = 'waiting' ORDER BY d.endpoint_id, d.sequence;
      INSERT INTO job_owner (class, owner, turn_at) SELECT class, owner, min(run_at) FROM job GROUP BY class, owner;`);
    await this.moveJobs(runner);
  }

  /** Those of graphile-worker, which a database of 0.3.0-dev has. What is scheduled has no job yet: a start adds it. */
  private async moveJobs(runner: QueryRunner): Promise<void> {
    const [found] = (await runner.query(`
      SELECT to_regclass('sluice_job._private_jobs') IS NOT NULL AS "isThere",
             coalesce(obj_description(to_regnamespace('sluice_job'), 'pg_namespace') LIKE '%"' || current_schema() || '"', true) AS "isOurs"`)) as {
      isThere: boolean;
      isOurs: boolean;
    }[];
    if (!found?.isThere || !found.isOurs) return;
    await runner.query(`
      INSERT INTO job (class, owner, task, key, payload, run_at, attempts, max_attempts, is_failed, last_error)
      SELECT CASE WHEN t.identifier LIKE '%.%' THEN split_part(t.identifier, '.', 1) ELSE 'house' END, coalesce(q.queue_name, ''), t.identifier,
             substr(j.key, length(t.identifier) + 2), j.payload::jsonb, greatest(j.run_at, now()), CASE WHEN j.is_available THEN j.attempts ELSE j.max_attempts END,
             j.max_attempts, j.locked_at IS NULL AND NOT j.is_available, j.last_error
        FROM sluice_job._private_jobs j JOIN sluice_job._private_tasks t ON t.id = j.task_id
        LEFT JOIN sluice_job._private_job_queues q ON q.id = j.job_queue_id
       WHERE j.key IS DISTINCT FROM t.identifier AND NOT j.payload::jsonb ? '_cron' ORDER BY j.id;
      INSERT INTO job_owner (class, owner, turn_at) SELECT class, owner, min(run_at) FROM job WHERE owner <> '' GROUP BY class, owner
      ON CONFLICT DO NOTHING;
      DROP SCHEMA sluice_job CASCADE`);
  }

  /** What waits is lost. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_owner, job');
  }
}
