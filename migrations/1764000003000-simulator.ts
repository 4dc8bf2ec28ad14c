import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The Lightning simulator's tables, in a schema of their own, because a real node's database would not be Sluice's either. */
export class Simulator1764000003000 implements MigrationInterface {
  readonly name = 'Simulator1764000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL('./1764000003000-simulator.sql', import.meta.url), 'utf8'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA simulator CASCADE');
  }
}
