import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, DELETED_AT_ONCE, deleteInBatches, sql } from '../../platform/database/index.js';
import type { Work } from '../http/index.js';
import { Jobs } from '../../platform/job/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Log } from '../../platform/logging/index.js';
import { IdempotencySettings } from './idempotency.settings.js';

export interface StoredResponse {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly unknown[];
}

/** A lease on a request: the right to run it and to store its response, renewed until it is kept, released or abandoned. */
export interface Claim {
  readonly scope: Buffer;
  readonly id: string;
}

export type ClaimResult =
  | { readonly kind: 'mine'; readonly claim: Claim; /** Distinguishes this use of the key from one a day later. */ readonly since: string }
  | { readonly kind: 'replay'; readonly answer: StoredResponse }
  | { readonly kind: 'running' | 'withheld' | 'conflict' };

interface ClaimRow {
  readonly kind: ClaimResult['kind'];
  readonly answer: StoredResponse;
  readonly since: string;
  readonly claim: string;
}

const CLAIM = sql`SELECT verdict AS kind, answer, since, claim FROM idempotency_claim($1, $2, $3, $4)`;
// A process that renews late still has the claim, unless another has taken over meanwhile.
const RENEW = sql`UPDATE idempotency i SET claimed_until = now() + make_interval(secs => $3)
           FROM unnest($1::bytea[], $2::uuid[]) AS held (scope, claim) WHERE i.scope = held.scope AND i.claim = held.claim`;
const KEEP = sql`UPDATE idempotency SET state = CASE WHEN $3::json IS NULL THEN 'withheld' ELSE 'done' END, answer = $3, claim = NULL, claimed_until = now()
          WHERE scope = $1 AND claim = $2 RETURNING 1`;
// The row keeps the request's id, so that a retry does not move again what moved before a response was lost.
const RELEASE = sql`UPDATE idempotency SET claim = NULL, claimed_until = now() WHERE scope = $1 AND claim = $2`;
/** In batches, so that no statement is long; rows that another transaction has locked are skipped. */
const PURGE = sql`DELETE FROM idempotency WHERE scope IN (
           SELECT i.scope FROM idempotency i WHERE i.claimed_until < now() - make_interval(secs => $1) LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED)
         RETURNING 1`;

/** Lease beyond the longest wait of one payment. A document may hold many payments: a request that takes longer renews its lease. */
const SPARE_SECONDS = 15;
/** Two renewals may fail before the claim expires. */
const RENEWALS_A_LEASE = 3;
const FIRST_LOOK_MS = 25;
const LOOK_MS = 400;
const PURGE_EVERY_SECONDS = 3_600;

@Injectable()
export class IdempotencyService implements OnApplicationShutdown {
  private readonly log = new Log(IdempotencyService.name);
  private readonly held = new Set<Claim>();
  /** Polls that retries of one request share, by scope and fingerprint. */
  private readonly looks = new Map<string, Promise<ClaimResult>>();
  private readonly leaseSeconds: number;
  private cancelRenewal: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly settings: IdempotencySettings,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    // Also at start: an installation that runs for minutes at a time may never reach the first full hour.
    jobs.schedule('idempotency_cleanup', { everySeconds: PURGE_EVERY_SECONDS, atStart: true }, ({ signal }) => this.purge(signal), {
      limitSeconds: PURGE_EVERY_SECONDS,
    });
    this.leaseSeconds = Math.ceil(settings.waitMs / 1000) + SPARE_SECONDS;
  }

  /** Claims are renewed until the last request has been answered. */
  onApplicationShutdown(): void {
    this.cancelRenewal?.();
  }

  /**
   * While another call runs the request, this polls for at most the wait of a payment, then returns `running`. Its slot in the limit on
   * work in progress is released between the polls.
   * @throws TurnRefusedError
   */
  async claim(scope: Buffer, fingerprint: Buffer, work?: Work): Promise<ClaimResult> {
    const until = Date.now() + this.settings.waitMs;
    let verdict = await this.ask(scope, fingerprint, work);
    for (let pause = FIRST_LOOK_MS; verdict.kind === 'running'; pause = Math.min(LOOK_MS, pause * 2)) {
      if (Date.now() >= until || work?.isGone) break;
      const look = this.lookLater(scope, fingerprint, Math.min(pause, until - Date.now()), work);
      verdict = await (work ? work.waiting(look) : look);
    }
    return verdict;
  }

  /** One poll for all retries of a request: a client may send thousands while it runs. At most one of them gets the claim. */
  private lookLater(scope: Buffer, fingerprint: Buffer, pause: number, work?: Work): Promise<ClaimResult> {
    const key = Buffer.concat([scope, fingerprint]).toString('base64');
    const shared = this.looks.get(key);
    if (shared) return shared.then((verdict) => (verdict.kind === 'mine' ? { kind: 'running' } : verdict));
    const look = delay(pause)
      .then(() => this.ask(scope, fingerprint, work, { isGone: false }))
      .finally(() => this.looks.delete(key));
    this.looks.set(key, look);
    return look;
  }

  /** Stores nothing if another process has taken over the claim. Null: the answer holds a secret, so only the fact that it was sent is stored. */
  async keep(claim: Claim, answer: StoredResponse | null): Promise<void> {
    this.held.delete(claim);
    const kept = await this.database.query(KEEP, [claim.scope, claim.id, answer === null ? null : JSON.stringify(answer)]);
    if (kept.length === 0)
      this.log.warn('idempotency_response_discarded', {}, 'Response discarded: the lease expired and a retry claimed the key');
  }

  /** A retry runs the request again with the same id. */
  async release(claim: Claim): Promise<void> {
    this.held.delete(claim);
    await this.database.query(RELEASE, [claim.scope, claim.id]);
  }

  /** The lease expires by itself. */
  abandon(claim: Claim): void {
    this.held.delete(claim);
  }

  /** In the caller's turn for the database. Retries share a poll, so the poll of a caller that has gone is made too. */
  private async ask(
    scope: Buffer,
    fingerprint: Buffer,
    work?: Work,
    caller: { readonly isGone: boolean } | undefined = work,
  ): Promise<ClaimResult> {
    const call = (): Promise<ClaimRow[]> =>
      this.database.query<ClaimRow>(CLAIM, [scope, fingerprint, this.leaseSeconds, this.settings.IDEMPOTENCY_SECONDS]);
    const [row] = await (work ? work.all.database.run(work.owner, call, caller) : call());
    if (!row) return { kind: 'running' };
    if (row.kind === 'replay') return { kind: 'replay', answer: row.answer };
    if (row.kind !== 'mine') return { kind: row.kind };
    const claim = { scope, id: row.claim };
    this.held.add(claim);
    this.renewLater();
    return { kind: 'mine', claim, since: row.since };
  }

  /** While this process holds claims. The interval starts with the last renewal, which may wait as long as a database call lasts. */
  private renewLater(): void {
    this.cancelRenewal ??= this.clock.timeout((this.leaseSeconds * 1000) / RENEWALS_A_LEASE, () => {
      this.cancelRenewal = undefined;
      if (this.held.size === 0) return;
      this.renewLater();
      void this.renew();
    });
  }

  private async renew(): Promise<void> {
    const held = [...this.held];
    await this.database
      .query(RENEW, [held.map(({ scope }) => scope), held.map(({ id }) => id), this.leaseSeconds])
      .catch((error: Error) =>
        this.log.warn(
          'idempotency_lease_not_renewed',
          { requests: held.length },
          `Leases of ${held.length} running requests not renewed: ${error.message}`,
        ),
      );
  }

  private purge(signal: AbortSignal): Promise<void> {
    return deleteInBatches(this.database, PURGE, [this.settings.IDEMPOTENCY_SECONDS], signal);
  }
}
