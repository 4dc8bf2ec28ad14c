import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Config } from '../config/index.js';
import { Database, type Statement } from '../database/index.js';

/** A GraphQL answer as it left. */
export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly unknown[];
}

export type Verdict =
  | { readonly kind: 'mine'; /** Tells this use of the key from one a day later. */ readonly since: string }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'running' | 'withheld' | 'conflict' };

const CLAIM: Statement = {
  name: 'idempotency_claim',
  text: 'SELECT verdict AS kind, answer, since FROM idempotency_claim($1, $2, $3, $4)',
};
const KEEP: Statement = {
  name: 'idempotency_keep',
  text: `UPDATE idempotency SET state = CASE WHEN $2::json IS NULL THEN 'withheld' ELSE 'done' END, answer = $2 WHERE scope = $1 AND state = 'running'`,
};
// The row stays, and with it the name of the attempt: what was moved before an answer got lost is not moved again by the next try.
const RELEASE: Statement = {
  name: 'idempotency_release',
  text: `UPDATE idempotency SET claimed_until = '-infinity' WHERE scope = $1 AND state = 'running'`,
};
const FORGET: Statement = {
  name: 'idempotency_forget',
  text: 'DELETE FROM idempotency WHERE created_at < now() - make_interval(secs => $1)',
};

/** Beyond the longest wait of a payment: nobody is working any more on a request that has no answer by then. */
const SPARE_SECONDS = 15;
const FIRST_LOOK_MS = 25;
const LOOK_MS = 400;
const FORGET_EVERY_MS = 3_600_000;

/** Stored answers: a repeated request is answered by what became of the first one, and moves nothing again. */
@Injectable()
export class IdempotencyService implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(IdempotencyService.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.forget(), FORGET_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Whose turn it is. While somebody is at it, this waits, at most as long as a payment waits; then it is still `running`. */
  async claim(scope: Buffer, fingerprint: Buffer): Promise<Verdict> {
    const until = Date.now() + this.config.payment.waitMs;
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LOOK_MS, pause * 2)) {
      const verdict = await this.ask(scope, fingerprint);
      if (verdict.kind !== 'running' || Date.now() >= until) return verdict;
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
    return row ?? { kind: 'running' };
  }

  private async forget(): Promise<void> {
    await this.database
      .query(FORGET, [this.config.idempotency.keptSeconds])
      .catch((error: Error) => this.log.warn(`Old answers were not forgotten: ${error.message}`));
  }
}
