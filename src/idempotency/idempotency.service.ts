import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Config } from '../config/index.js';
import { Database, type Statement } from '../database/index.js';
import type { Work } from '../http/index.js';
import { Clock } from '../kernel/clock.js';

/** A GraphQL answer as it left. */
export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly unknown[];
}

/** The right to run a request and to say what came of it: renewed until it is kept, released or abandoned. */
export interface Claim {
  readonly scope: Buffer;
  readonly id: string;
}

export type Verdict =
  | { readonly kind: 'mine'; readonly claim: Claim; /** Tells this use of the key from one a day later. */ readonly since: string }
  | { readonly kind: 'replay'; readonly answer: Answer }
  | { readonly kind: 'running' | 'withheld' | 'conflict' };

interface Row {
  readonly kind: Verdict['kind'];
  readonly answer: Answer;
  readonly since: string;
  readonly claim: string;
}

const CLAIM: Statement = {
  name: 'idempotency_claim',
  text: 'SELECT verdict AS kind, answer, since, claim FROM idempotency_claim($1, $2, $3, $4)',
};
// A process that renews late still has the claim, unless another has taken over meanwhile.
const RENEW: Statement = {
  name: 'idempotency_renew',
  text: `UPDATE idempotency i SET claimed_until = now() + make_interval(secs => $3)
           FROM unnest($1::bytea[], $2::uuid[]) AS held (scope, claim) WHERE i.scope = held.scope AND i.claim = held.claim`,
};
const KEEP: Statement = {
  name: 'idempotency_keep',
  text: `UPDATE idempotency SET state = CASE WHEN $3::json IS NULL THEN 'withheld' ELSE 'done' END, answer = $3, claim = NULL, claimed_until = now()
          WHERE scope = $1 AND claim = $2 RETURNING 1`,
};
// The row stays, and with it the name of the attempt: what was moved before an answer got lost is not moved again by the next try.
const RELEASE: Statement = {
  name: 'idempotency_release',
  text: 'UPDATE idempotency SET claim = NULL, claimed_until = now() WHERE scope = $1 AND claim = $2',
};
const FORGET_AT_ONCE = 1_000;
/** In batches, so that no statement is long; a row that another transaction has locked is left to it. */
const FORGET: Statement = {
  name: 'idempotency_forget',
  text: `DELETE FROM idempotency WHERE scope IN (
           SELECT i.scope FROM idempotency i WHERE i.claimed_until < now() - make_interval(secs => $1) LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED)
         RETURNING 1`,
};

/** Beyond the longest wait of a payment. A document may hold many of them: what takes longer is renewed. */
const SPARE_SECONDS = 15;
/** Two renewals may fail, and the claim still stands. */
const RENEWALS_A_LEASE = 3;
const FIRST_LOOK_MS = 25;
const LOOK_MS = 400;
const FORGET_EVERY_MS = 3_600_000;

/** Stored answers: a repeated request is answered by what became of the first one, and moves nothing again. */
@Injectable()
export class IdempotencyService implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(IdempotencyService.name);
  private readonly held = new Set<Claim>();
  /** Looks that repeats of one request wait for together, by what they ask. */
  private readonly looks = new Map<string, Promise<Verdict>>();
  private readonly leaseSeconds: number;
  private timer: NodeJS.Timeout | undefined;
  private forgetting: Promise<void> | undefined;
  private cancelRenewal: (() => void) | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.leaseSeconds = Math.ceil(config.payment.waitMs / 1000) + SPARE_SECONDS;
  }

  /** At start too, which does not wait for it: a process that is often started anew may never reach the first full hour. */
  onModuleInit(): void {
    const forget = (): void => void (this.forgetting ??= this.forget().finally(() => (this.forgetting = undefined)));
    forget();
    this.timer = setInterval(forget, FORGET_EVERY_MS).unref();
  }

  /** Called when the last request has been answered: until then claims are renewed. */
  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.cancelRenewal?.();
    await this.forgetting;
  }

  /**
   * Whose turn it is. While another call runs it, this waits, at most as long as a payment waits; then it is still `running`. So it is for a
   * caller that is gone.
   * @param work the caller's place, given back between the looks
   */
  async claim(scope: Buffer, fingerprint: Buffer, work?: Work): Promise<Verdict> {
    const until = Date.now() + this.config.payment.waitMs;
    let verdict = await this.ask(scope, fingerprint);
    for (let pause = FIRST_LOOK_MS; verdict.kind === 'running'; pause = Math.min(LOOK_MS, pause * 2)) {
      if (Date.now() >= until || work?.isGone) break;
      const look = this.lookLater(scope, fingerprint, Math.min(pause, until - Date.now()));
      verdict = await (work ? work.waitFor(look) : look);
    }
    return verdict;
  }

  /** One look for all that wait for the same: a caller may repeat a request thousands of times while it runs. One of them may get the claim. */
  private lookLater(scope: Buffer, fingerprint: Buffer, pause: number): Promise<Verdict> {
    const key = Buffer.concat([scope, fingerprint]).toString('base64');
    const shared = this.looks.get(key);
    if (shared) return shared.then((verdict) => (verdict.kind === 'mine' ? { kind: 'running' } : verdict));
    const look = delay(pause)
      .then(() => this.ask(scope, fingerprint))
      .finally(() => this.looks.delete(key));
    this.looks.set(key, look);
    return look;
  }

  /**
   * Keeps nothing where another process has taken over, because this one stood still: the other's answer counts.
   * @param answer null where it holds a secret: then only that it was given is remembered
   */
  async keep(claim: Claim, answer: Answer | null): Promise<void> {
    this.held.delete(claim);
    const kept = await this.database.query(KEEP, [claim.scope, claim.id, answer === null ? null : JSON.stringify(answer)]);
    if (kept.length === 0) this.log.warn('An answer came so late that its request had been taken over by a repeat; it is not kept');
  }

  /** What came of it is unknown: the same request may be tried again, as the same attempt. */
  async release(claim: Claim): Promise<void> {
    this.held.delete(claim);
    await this.database.query(RELEASE, [claim.scope, claim.id]);
  }

  /** No call runs it any more, and nothing can be written about it now: the lease ends by itself. */
  abandon(claim: Claim): void {
    this.held.delete(claim);
  }

  private async ask(scope: Buffer, fingerprint: Buffer): Promise<Verdict> {
    const [row] = await this.database.query<Row>(CLAIM, [scope, fingerprint, this.leaseSeconds, this.config.idempotency.keptSeconds]);
    if (!row) return { kind: 'running' };
    if (row.kind === 'replay') return { kind: 'replay', answer: row.answer };
    if (row.kind !== 'mine') return { kind: row.kind };
    const claim = { scope, id: row.claim };
    this.held.add(claim);
    this.renewLater();
    return { kind: 'mine', claim, since: row.since };
  }

  /** While there is something to renew. Each one is timed from the start of the last, which may take as long as the database keeps silent. */
  private renewLater(): void {
    this.cancelRenewal ??= this.clock.timeout((this.leaseSeconds * 1000) / RENEWALS_A_LEASE, () => {
      this.cancelRenewal = undefined;
      if (this.held.size === 0) return;
      this.renewLater();
      void this.renew();
    });
  }

  /** Of all requests that this process runs, in one statement. */
  private async renew(): Promise<void> {
    const held = [...this.held];
    await this.database
      .query(RENEW, [held.map(({ scope }) => scope), held.map(({ id }) => id), this.leaseSeconds])
      .catch((error: Error) => this.log.warn(`Requests under way could not be claimed for longer: ${error.message}`));
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
