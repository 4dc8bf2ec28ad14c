import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import { Loops, type Loop } from '../../platform/loop/index.js';
import { RateLimitSettings } from './rate-limit.settings.js';

/** Rows of the shared store, about 150 bytes each. */
const MAX_SHARED_WINDOWS = 1_000_000;
const PURGE_AT_ONCE = 5_000;
const PURGE_EVERY_MS = 30_000;
const LIMIT_MS = 60_000;
const PURGE = sql`SELECT rate_limit_purge(${MAX_SHARED_WINDOWS}, ${PURGE_AT_ONCE}) AS purged`;

@Injectable()
export class WindowPurge implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log('RateLimit');
  private readonly loop: Loop;

  constructor(
    private readonly database: Database,
    private readonly settings: RateLimitSettings,
    loops: Loops,
  ) {
    this.loop = loops.create({
      name: 'rate_limit_purge',
      pauseMs: PURGE_EVERY_MS,
      limitMs: LIMIT_MS,
      round: (signal) => this.purge(signal),
      onFailure: ({ message }) =>
        this.log.warn('rate_limit_purge_failed', {}, `Could not delete windows of rate limits that have ended: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.RATE_LIMIT_STORE === 'postgres') this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async purge(signal: AbortSignal): Promise<void> {
    for (let purged = PURGE_AT_ONCE; purged === PURGE_AT_ONCE && !signal.aborted;)
      purged = (await this.database.query<{ purged: number }>(PURGE))[0]?.purged ?? 0;
  }
}
