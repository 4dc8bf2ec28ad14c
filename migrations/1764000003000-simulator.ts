import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const sql = (name: string): string => readFileSync(new URL(`./sql/${name}.v1.sql`, import.meta.url), 'utf8');

/** The Lightning simulator's world, in a schema of its own: it is not ours, as a real node's database would not be. */
export class Simulator1764000003000 implements MigrationInterface {
  readonly name = 'Simulator1764000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sql('simulator_tables'));
    await runner.query(sql('simulator_payments'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA simulator CASCADE');
  }
}
