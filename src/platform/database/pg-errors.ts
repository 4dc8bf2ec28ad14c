import { LogInterval, type Log } from '../logging/index.js';

/** SQLSTATE codes (PostgreSQL documentation, appendix A) and their meaning for Sluice. */
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const READ_ONLY = '25006';
const DISK_FULL = '53100';
/** Serialization failure, deadlock: the statement was rolled back, and the same statement may succeed. */
const RETRIABLE = new Set(['40001', '40P01']);
/** Also the lock timeout, the statement timeout or a cancellation, and a read-only server: the statement was rolled back. */
const UNDONE = new Set([...RETRIABLE, LOCK_NOT_AVAILABLE, QUERY_CANCELED, READ_ONLY]);
/** Insufficient resources (disk, memory, connections): rolled back too. */
const UNDONE_CLASS = '53';
/** Statement completion unknown; or the server shuts down, crashes, or accepts no connection now. */
const UNKNOWN = new Set(['40003', '57P01', '57P02', '57P03', '57P04', '57P05']);
const CONNECTION_CLASS = '08';
/** Errors of connecting. An open connection can end with some of them too: a router's ICMP "host unreachable" ends it with EHOSTUNREACH. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
const NOT_CONNECTED_TEXT =
  /not currently accepting connections|timeout exceeded when trying to connect|Cannot use a pool after calling end|not queryable/i;
const CONNECTION_LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const OF_A_SOCKET = /^(E[A-Z]{3,}|ERR_(SSL|TLS|STREAM|SOCKET)_\w+)$/;
const CONNECTION_LOST_TEXT = /Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error/i;

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
  readonly where?: string;
  readonly driverError?: DatabaseError;
}

/**
 * The effect of a statement that failed:
 *   not_sent  no connection to send it over: no effect
 *   undone    the server answered that it rolled the statement back: no effect
 *   unknown   no answer from the server: it may have committed, or may commit later
 *   fault     any other error: of the statement or of Sluice
 */
export type StatementOutcome = 'not_sent' | 'undone' | 'unknown' | 'fault';

/** Every connection of the pool was in use for as long as a caller waits for one. The database itself is available. */
export class PoolExhaustedError extends Error {
  constructor() {
    super('All database connections of this process are in use');
  }
}

const NONE_CAME_FREE = 'timeout exceeded when trying to connect';

const notSent = new WeakSet<object>();
const sentAt = new WeakMap<object, number>();

const underlying = (error: unknown): DatabaseError => {
  const outer = (typeof error === 'object' && error !== null ? error : {}) as DatabaseError;
  return outer.driverError ?? outer;
};

export function markNotSent<E>(error: E): E {
  notSent.add(underlying(error));
  return error;
}

export function markSentAt<E>(error: E, at: number): E {
  sentAt.set(underlying(error), at);
  return error;
}

/** Returns the time by the monotonic clock; now, if it was not noted. */
export const sentAtOf = (error: unknown): number => sentAt.get(underlying(error)) ?? performance.now();

export function statementOutcomeOf(error: unknown): StatementOutcome {
  const { code = '', message = '' } = underlying(error);
  if (notSent.has(underlying(error)) || NOT_CONNECTED_TEXT.test(message)) return 'not_sent';
  // The statement was sent over an open connection, and the server may have executed it before the connection broke.
  if (sentAt.has(underlying(error)) && OF_A_SOCKET.test(code)) return 'unknown';
  if (NOT_CONNECTED.has(code)) return 'not_sent';
  const isSqlState = code.length === 5;
  if (UNDONE.has(code) || (isSqlState && code.startsWith(UNDONE_CLASS))) return 'undone';
  if (UNKNOWN.has(code) || CONNECTION_LOST.has(code) || (isSqlState && code.startsWith(CONNECTION_CLASS))) return 'unknown';
  return CONNECTION_LOST_TEXT.test(message) ? 'unknown' : 'fault';
}

/** Did the statement violate a unique constraint (this one, if it is named)? */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const { code, constraint: violated } = underlying(error);
  return code === UNIQUE_VIOLATION && (constraint === undefined || constraint === violated);
};

/** May the caller send the same statement again, because it certainly had no effect? */
export const isRetriable = (error: unknown): boolean => RETRIABLE.has(underlying(error).code ?? '');

/** Did the server end the statement because of others: a deadlock, a lock, a timeout? The database itself is available. */
export const isRolledBack = (error: unknown): boolean =>
  isRetriable(error) || [LOCK_NOT_AVAILABLE, QUERY_CANCELED].includes(underlying(error).code ?? '');

export const isLockTimeout = (error: unknown): boolean => underlying(error).code === LOCK_NOT_AVAILABLE;

/** The row whose lock a statement waited for too long, from the context of PostgreSQL's error. */
export function lockedTupleIn(error: unknown): { readonly relation: string; readonly ctid: string } | undefined {
  if (!isLockTimeout(error)) return undefined;
  const [, ctid, relation] = /tuple (\(\d+,\d+\)) in relation "([^"]+)"/.exec(underlying(error).where ?? '') ?? [];
  return ctid !== undefined && relation !== undefined ? { relation, ctid } : undefined;
}

export const isDiskFull = (error: unknown): boolean => underlying(error).code === DISK_FULL;

export const isReadOnly = (error: unknown): boolean => underlying(error).code === READ_ONLY;

/** Is this connection useless now: lost, silent, or to a read-only server? */
export const isConnectionSpent = (error: unknown): boolean =>
  statementOutcomeOf(error) === 'unknown' || statementOutcomeOf(error) === 'not_sent' || underlying(error).code === READ_ONLY;

/** Did the pool have no connection to give? Only its caller knows whether all are in use or none can be opened. */
export const isWithoutConnection = (error: unknown): boolean => underlying(error).message === NONE_CAME_FREE;

/** PostgreSQL answers, but lets this user not into this database: invalid_authorization_specification, invalid_catalog_name. */
export const isConnectionRefused = (error: unknown): boolean => /^(28|3D)/.test(underlying(error).code ?? '');

/** The server shuts down, has crashed, or starts up or recovers. */
const NOT_SERVING = new Set(['57P01', '57P02', '57P03']);
/** Nothing listens at its address, or it ended while the connection was opened. */
const NOT_LISTENING = new Set(['ECONNREFUSED', 'ENOENT']);

export const isNotServing = (error: unknown): boolean => NOT_SERVING.has(underlying(error).code ?? '');

/** Did the server or the network end a connection that was open? A refusal may be another server's, a missing file anything. */
export const isCut = (error: unknown): boolean =>
  isNotServing(error) ||
  ['ECONNRESET', 'EPIPE'].includes(underlying(error).code ?? '') ||
  CONNECTION_LOST_TEXT.test(underlying(error).message ?? '');

export const isStarting = (error: unknown): boolean => isCut(error) || NOT_LISTENING.has(underlying(error).code ?? '');

/** Is it an outage or a shortage, not a fault of the statement? Then the same request may succeed in a moment. */
export const isUnavailable = (error: unknown): boolean => statementOutcomeOf(error) !== 'fault';

export const outageText = (error: unknown): string =>
  error instanceof PoolExhaustedError
    ? 'The server is busy. Please try again in a moment.'
    : 'The service is temporarily unavailable. Please try again in a moment.';

export const ROLLED_BACK = 'The database has rolled a statement back';

/** Logs an outage at most once a minute, however many callers meet it. `Database` logs a full pool. */
export class OutageLog {
  private readonly interval = new LogInterval(60_000);

  constructor(
    private readonly log: Log,
    private readonly event: 'database_unavailable' | 'auth_lookup_unavailable' = 'database_unavailable',
    private readonly what = 'The database does not answer',
  ) {}

  report(error: unknown): void {
    if (!(error instanceof PoolExhaustedError) && this.interval.isOver())
      this.log.warn(this.event, {}, `${isRolledBack(error) ? ROLLED_BACK : this.what}: ${(error as Error).message}`);
  }
}
