import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const sql = (name: string): string => readFileSync(new URL(`./sql/${name}`, import.meta.url), 'utf8');

/** The outbox: events, written in the transaction that they report, read by every process after its commit. */
export class Event1764000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sql('event.v1.sql'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION event_add; DROP TABLE event; DROP FUNCTION event_publish; DROP TABLE event_position');
  }
}
