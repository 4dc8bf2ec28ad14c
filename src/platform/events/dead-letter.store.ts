import { sql, type Database, type Tx } from '../database/index.js';
import type { EventPlace } from './event.store.js';
import type { OutboxRow } from './outbox.js';

export interface DeadLetter extends OutboxRow {
  readonly id: bigint;
}

const BURY = sql`INSERT INTO event_dead_letter (consumer, topic, key, payload, error)
         SELECT $1, topic, key, payload, $4 FROM event_payloads(ARRAY[$2::bigint], ARRAY[$3::int])`;
const DUE_LETTER = sql`SELECT id, topic, key, payload::text AS payload FROM event_dead_letter
          WHERE consumer = $1 AND is_due ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
const DROP_LETTER = sql`DELETE FROM event_dead_letter WHERE id = $1`;
const KEEP_LETTER = sql`UPDATE event_dead_letter SET is_due = false, error = $2, failed_at = now() WHERE id = $1`;

export class DeadLetterStore {
  constructor(private readonly database: Database) {}

  async add(tx: Tx, name: string, { position, nth }: EventPlace, error: string): Promise<void> {
    await tx.query(BURY, [name, position, nth, error]);
  }

  async findDue(tx: Tx, name: string): Promise<DeadLetter | undefined> {
    return (await tx.query<DeadLetter>(DUE_LETTER, [name]))[0];
  }

  async drop(tx: Tx, { id }: DeadLetter): Promise<void> {
    await tx.query(DROP_LETTER, [id]);
  }

  async keep({ id }: DeadLetter, error: string): Promise<void> {
    await this.database.query(KEEP_LETTER, [id, error]);
  }
}
