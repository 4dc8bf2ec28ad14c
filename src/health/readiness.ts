import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/index.js';

const PING: Statement = { name: 'health_ping', text: 'SELECT 1' };

/** Whether traffic should come here: not before everything that has to be done at start is done, and not while we are leaving. */
@Injectable()
export class Readiness {
  private readonly pending = new Set<string>();
  private leaves = false;

  constructor(private readonly database: Database) {}

  /** Something has to be done before we are ready. @returns call when it is done */
  await(what: string): () => void {
    this.pending.add(what);
    return () => void this.pending.delete(what);
  }

  /** From now on: not ready. */
  leave(): void {
    this.leaves = true;
  }

  get isLeaving(): boolean {
    return this.leaves;
  }

  /** What stands in the way; empty when ready. */
  async obstacles(): Promise<string[]> {
    const obstacles = [...(this.leaves ? ['leaving'] : []), ...this.pending];
    if (obstacles.length === 0) await this.database.query(PING).catch(() => obstacles.push('database'));
    return obstacles;
  }
}
