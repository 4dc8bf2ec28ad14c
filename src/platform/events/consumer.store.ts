import { Injectable } from '@nestjs/common';
import { changeOne, Database, fragment, mayTakeLong, sql, type Tx } from '../database/index.js';
import { MAX_PAUSE_SECONDS, type ConsumerOptions } from './consumer-options.js';
import { LATEST, type EventPlace } from './event.store.js';
import type { OutboxRow } from './outbox.js';

export interface ConsumerState {
  readonly name: string;
  readonly topic: string;
  /** `overrun`: events that it has not handled may be deleted. */
  readonly state: 'running' | 'overrun';
  /** Age of the oldest event that it has not read; 0 if there is none. */
  readonly lagSeconds: number;
  readonly deadLetters: number;
  readonly attempts: number;
  readonly error: string | null;
}

/** The right to handle the next events of a consumer, for the length of a transaction. */
export interface ConsumerClaim {
  readonly position: bigint;
  readonly handled: number;
  readonly attempts: number;
  readonly hasDueLetter: boolean;
}

/** Above the number of any event of a position. */
const ALL = fragment`2147483647`;
const NEW = fragment`INSERT INTO event_consumer (name, topic, position, handled)
         SELECT $1, $2, CASE WHEN $3 THEN 0 ELSE ${LATEST} END, CASE WHEN $3 THEN 0 ELSE ${ALL} END`;
const REGISTER = sql`${NEW} ON CONFLICT (name) DO UPDATE SET topic = $2 WHERE event_consumer.topic <> $2`;
// The conflict alone would wait for a process that has the row.
const ENSURE = sql`${NEW} WHERE NOT EXISTS (SELECT FROM event_consumer WHERE name = $1) ON CONFLICT DO NOTHING`;
// Another process that handles events of the same consumer has its row locked. A time beyond the longest pause was written while the
// database's clock was ahead.
const CLAIM = sql`SELECT position, handled, attempts,
                EXISTS (SELECT FROM event_dead_letter d WHERE d.consumer = c.name AND d.is_due) AS "hasDueLetter"
           FROM event_consumer c WHERE name = $1 AND state = 'running' AND (next_at <= now() OR next_at > now() + make_interval(secs => ${MAX_PAUSE_SECONDS})) FOR UPDATE SKIP LOCKED`;
const ADVANCE = sql`UPDATE event_consumer SET position = $2, handled = $3, attempts = 0, error = NULL, next_at = '-infinity' WHERE name = $1`;
const FAILED = sql`UPDATE event_consumer SET attempts = attempts + 1, error = $4, next_at = now() + make_interval(secs => $5)
          WHERE name = $1 AND position = $2 AND handled = $3`;
const STATES = sql`SELECT name, topic, state, attempts, error,
                coalesce(extract(epoch FROM now() - (SELECT committed_at FROM event_position p WHERE p.position > c.position ORDER BY p.position LIMIT 1)), 0)::float8 AS "lagSeconds",
                (SELECT count(*)::int FROM event_dead_letter d WHERE d.consumer = c.name) AS "deadLetters"
           FROM event_consumer c ORDER BY name`;
// They wait for a handler, which may have the row for twenty seconds.
const REPLAY = mayTakeLong(sql`WITH due AS (UPDATE event_dead_letter SET is_due = true WHERE consumer = $1)
         UPDATE event_consumer SET state = 'running', next_at = now(), position = CASE state WHEN 'overrun' THEN 0 ELSE position END,
                handled = CASE state WHEN 'overrun' THEN 0 ELSE handled END
          WHERE name = $1 RETURNING name`);
const FORGET = mayTakeLong(sql`DELETE FROM event_consumer WHERE name = $1 RETURNING name`);

const BURY = sql`INSERT INTO event_dead_letter (consumer, topic, key, payload, error)
         SELECT $1, topic, key, payload, $4 FROM event_payloads(ARRAY[$2::bigint], ARRAY[$3::int])`;
const DUE_LETTER = sql`SELECT id, topic, key, payload::text AS payload FROM event_dead_letter
          WHERE consumer = $1 AND is_due ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
const DROP_LETTER = sql`DELETE FROM event_dead_letter WHERE id = $1`;
const KEEP_LETTER = sql`UPDATE event_dead_letter SET is_due = false, error = $2, failed_at = now() WHERE id = $1`;

export interface DeadLetter extends OutboxRow {
  readonly id: bigint;
}

/** The caller records in the transaction of a change who made it, and why. */
type ConsumerChangeWork = (tx: Tx, name: string) => Promise<unknown>;

@Injectable()
export class ConsumerStore {
  constructor(private readonly database: Database) {}

  /** A consumer that is new begins with the next event, or with the oldest that is kept. */
  async register(name: string, topic: string, fromStart: boolean): Promise<void> {
    await this.database.query(REGISTER, [name, topic, fromStart]);
  }

  /** Registers a consumer that is missing. Does not wait for a process that has it. */
  async ensure(tx: Tx, { name, topic, fromStart }: Pick<ConsumerOptions, 'name' | 'topic' | 'fromStart'>): Promise<void> {
    await tx.query(ENSURE, [name, topic, fromStart]);
  }

  /** Undefined while another process has the claim, the next attempt is not due, or the consumer is stopped. */
  async claim(tx: Tx, name: string): Promise<ConsumerClaim | undefined> {
    return (await tx.query<ConsumerClaim>(CLAIM, [name]))[0];
  }

  async advance(tx: Tx, name: string, position: bigint, handled: number): Promise<void> {
    await tx.query(ADVANCE, [name, position, handled]);
  }

  /** Counts a failed attempt, unless another process has handled the event meanwhile. */
  async failed(name: string, { position, handled }: ConsumerClaim, error: string, pauseSeconds: number): Promise<void> {
    await this.database.query(FAILED, [name, position, handled, error, pauseSeconds]);
  }

  list(): Promise<ConsumerState[]> {
    return this.database.query<ConsumerState>(STATES);
  }

  /** An `overrun` consumer continues with the oldest event that is kept. @returns false if there is no such consumer */
  replay(name: string, also?: ConsumerChangeWork): Promise<boolean> {
    return changeOne(this.database, REPLAY, [name], also);
  }

  /** Ends the keeping of events for a consumer that no process has any more. @returns false if there is no such consumer */
  forget(name: string, also?: ConsumerChangeWork): Promise<boolean> {
    return changeOne(this.database, FORGET, [name], also);
  }

  async addLetter(tx: Tx, name: string, { position, nth }: EventPlace, error: string): Promise<void> {
    await tx.query(BURY, [name, position, nth, error]);
  }

  async findDueLetter(tx: Tx, name: string): Promise<DeadLetter | undefined> {
    return (await tx.query<DeadLetter>(DUE_LETTER, [name]))[0];
  }

  async dropLetter(tx: Tx, { id }: DeadLetter): Promise<void> {
    await tx.query(DROP_LETTER, [id]);
  }

  async keepLetter({ id }: DeadLetter, error: string): Promise<void> {
    await this.database.query(KEEP_LETTER, [id, error]);
  }
}
