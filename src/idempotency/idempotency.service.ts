import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Config } from '../config/index.js';
import { Database } from '../database/index.js';

/** A GraphQL answer as it left. */
export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly unknown[];
}

export type Verdict =
  | { readonly verdict: 'mine'; /** Tells this use of the key from one a day later. */ readonly since: string }
  | { readonly verdict: 'replay'; readonly answer: Answer }
  | { readonly verdict: 'running' | 'withheld' | 'conflict' };

const CLAIM = { name: 'idempotency_claim', text: 'SELECT verdict, answer, since FROM idempotency_claim($1, $2, $3, $4)' };
const KEEP = {
  name: 'idempotency_keep',
  text: `UPDATE idempotency SET state = CASE WHEN $2::json IS NULL THEN 'withheld' ELSE 'done' END, answer = $2, claimed_until = now()
          WHERE scope = $1 AND state = 'running'`,
};
// The row stays, and with it the name of the attempt: what was moved before an answer got lost is not moved again by the next try.
const RELEASE = {
  name: 'idempotency_release',
  text: `UPDATE idempotency SET claimed_until = now() WHERE scope = $1 AND state = 'running'`,
};
const FORGET_AT_ONCE = 1_000;
/** In batches, so that no statement is long; a row that somebody is at is left to them. */
const FORGET = {
  name: 'idempotency_forget',
  text: `DELETE FROM idempotency WHERE scope IN (
           SELECT i.scope FROM idempotency i WHERE i.claimed_until < now() - make_interval(secs => $1) LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED)
         RETURNING 1`,
};

/** Beyond the longest wait of a payment: what has no answer by then has nobody who works on it. */
const SPARE_SECONDS = 15;
const FIRST_LOOK_MS = 25;
const LOOK_MS = 400;
const FORGET_EVERY_MS = 3_600_000;

/** Stored answers: a repeated request is answered by what became of the first one, and moves nothing again. */
@Injectable()
export class IdempotencyService implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(IdempotencyService.name);
  private timer: NodeJS.Timeout | undefined;
  private forgetting: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** At start too, which does not wait for it: a process that is often started anew may never reach the first full hour. */
  onModuleInit(): void {
    const forget = (): void => void (this.forgetting ??= this.forget().finally(() => (this.forgetting = undefined)));
    forget();
    this.timer = setInterval(forget, FORGET_EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.forgetting;
  }

  /** Whose turn it is. Waits for somebody who is at it, at most as long as a payment waits; then still `running`. */
  async claim(scope: Buffer, fingerprint: Buffer): Promise<Verdict> {
    const until = Date.now() + this.config.payment.waitMs;
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LOOK_MS, pause * 2)) {
      const verdict = await this.ask(scope, fingerprint);
      if (verdict.verdict !== 'running' || Date.now() >= until) return verdict;
      await delay(Math.min(pause, Math.max(0, until - Date.now())));
    }
  }

  /** @param answer null where it holds a secret: then only that it was given is remembered */
  async keep(scope: Buffer, answer: Answer | null): Promise<void> {
    await this.database.query(KEEP, [scope, answer === null ? null : JSON.stringify(answer)]);
  }

  /** Nobody knows what came of it: the same request may be tried again, as the same attempt. */
  async release(scope: Buffer): Promise<void> {
    await this.database.query(RELEASE, [scope]);
  }

  private async ask(scope: Buffer, fingerprint: Buffer): Promise<Verdict> {
    const lease = Math.ceil(this.config.payment.waitMs / 1000) + SPARE_SECONDS;
    const [row] = await this.database.query<Verdict>(CLAIM, [scope, fingerprint, lease, this.config.idempotency.keptSeconds]);
    return row ?? { verdict: 'running' };
  }

  private async forget(): Promise<void> {
    try {
      const gone = (): Promise<unknown[]> => this.database.query(FORGET, [this.config.idempotency.keptSeconds]);
      while ((await gone()).length === FORGET_AT_ONCE && !this.stopped);
    } catch (error) {
      this.log.warn(`Old answers were not forgotten: ${(error as Error).message}`);
    }
  }
}
