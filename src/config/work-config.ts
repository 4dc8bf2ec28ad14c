import type { Environment } from './environment.js';

/** Limits of concurrent work. */
export interface WorkConfig {
  readonly perConnection: number;
  readonly perAddress: number;
  readonly perPrincipal: number;
  readonly perProcess: number;
  /** Memory for bodies that are not complete yet. */
  readonly bodyBytesPerAddress: number;
  readonly bodyBytesPerProcess: number;
  /** Query fields that read the database concurrently; the pool's other connections are for payments and credentials. */
  readonly queriesAtOnce: number;
  /** Concurrent mutations, without those that wait in a batch or for an outcome. */
  readonly mutationsAtOnce: number;
  /** Concurrent pages, and JSON documents that are served like pages. */
  readonly pagesAtOnce: number;
  /** Files that are in the making concurrently, one of an account. Each takes memory for as long as its response is not sent. */
  readonly filesAtOnce: number;
  /** Files that are sent piece by piece concurrently, one of an account. */
  readonly downloadsAtOnce: number;
  /** Query fields that may wait for their turn, of one account and of all. */
  readonly waitingPerAccount: number;
  readonly waiting: number;
  readonly waitMs: number;
}

/** Shares of the pool's connections. */
const SHARE_OF_QUERIES = 3 / 4;
const SHARE_OF_PAGES = 1 / 2;
const FILES_AT_ONCE = 2;
const DOWNLOADS_AT_ONCE = 64;

export const workOf = (env: Environment): WorkConfig => ({
  perConnection: env.WORK_PER_CONNECTION,
  perAddress: env.WORK_PER_ADDRESS,
  perPrincipal: env.WORK_PER_PRINCIPAL,
  perProcess: env.WORK_PER_PROCESS,
  bodyBytesPerAddress: env.BODY_BYTES_PER_ADDRESS,
  bodyBytesPerProcess: env.BODY_BYTES_PER_PROCESS,
  queriesAtOnce: Math.max(1, Math.floor(env.DATABASE_POOL_SIZE * SHARE_OF_QUERIES)),
  mutationsAtOnce: env.DATABASE_POOL_SIZE,
  pagesAtOnce: Math.max(1, Math.floor(env.DATABASE_POOL_SIZE * SHARE_OF_PAGES)),
  filesAtOnce: FILES_AT_ONCE,
  downloadsAtOnce: DOWNLOADS_AT_ONCE,
  waitingPerAccount: env.QUERIES_WAITING_PER_ACCOUNT,
  waiting: env.QUERIES_WAITING,
  waitMs: env.QUERY_WAIT_SECONDS * 1000,
});
