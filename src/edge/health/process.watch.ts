import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Database } from '../../platform/database/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { Log } from '../../platform/logging/index.js';

/** A label per path would let clients create any number of labels. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['graphql', /^\/graphql/],
  ['oauth', /^\/(oauth2|userinfo|\.well-known\/(openid|oauth|jwks))/],
  ['lnurl', /^\/\.well-known\/lnurlp/],
  ['health', /^\/(health|metrics)/],
  ['page', /^\/(dashboard|login|register|consent|logout|auth|assets|$)/],
];

function kindOf({ routeOptions: { url } }: FastifyRequest): string {
  if (url === undefined) return 'unknown';
  return KINDS.find(([, start]) => start.test(url))?.[0] ?? 'other';
}

@Injectable()
export class ProcessWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 });
  private readonly requests;

  constructor(database: Database, metrics: Metrics) {
    metrics.labelledGauge('sluice_database_connections', 'Connections of the pool, and callers that wait for one', 'state', () => ({
      ...database.poolState,
    }));
    const full = metrics.counter('sluice_database_pool_full_total', 'Callers that found all connections of the pool in use for too long');
    database.onFullPool(() => full.inc());
    metrics.gauge('sluice_process_uptime_seconds', 'Run time of the process', () => process.uptime());
    metrics.gauge('sluice_process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
    metrics.gauge('sluice_process_heap_used_bytes', 'Memory that objects take', () => process.memoryUsage().heapUsed);
    metrics.gauge('sluice_process_cpu_seconds', 'Processor time that the process has used, of user and system', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    metrics.gauge('sluice_process_event_loop_delay_seconds', 'The 99th percentile of timer delays since the last scrape', () => {
      const seconds = this.delay.percentile(99) / 1e9;
      this.delay.reset();
      return Number.isFinite(seconds) ? seconds : 0;
    });
    this.requests = metrics.counter('sluice_http_requests_total', 'Requests that were answered, by kind of address and class of status', [
      'kind',
      'status',
    ]);
  }

  onModuleInit(): void {
    this.delay.enable();
  }

  attach(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      this.requests.inc({ kind: kindOf(request), status: `${Math.floor(reply.statusCode / 100)}xx` });
      done();
    });
  }

  onApplicationShutdown(): void {
    this.delay.disable();
  }
}

/**
 * Node would end the process at a rejected promise that nothing awaits: one forgotten `await` of an extension would stop every payment,
 * and again after each restart. After an exception the state of the process is unknown, so Node ends it.
 */
export function reportUncaught(): void {
  const log = new Log('Process');
  process.on('unhandledRejection', (error) =>
    log.error('process_unhandled_rejection', {}, 'A promise that nothing awaits was rejected; the server continues', error),
  );
  process.on('uncaughtExceptionMonitor', (error) =>
    log.error('process_uncaught_exception', {}, 'Nothing catches an exception; the process ends', error),
  );
}
