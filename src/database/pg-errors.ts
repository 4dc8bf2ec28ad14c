/** SQLSTATE codes (PostgreSQL documentation, appendix A) and what they mean to us. */
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY = '25006';
const DISK_FULL = '53100';
/** Serialization failure, deadlock: the statement left nothing behind, and the same one may succeed. */
const RETRIABLE = new Set(['40001', '40P01']);
/** Also the lock time-out, the server's own time-out or a cancellation, and a server that is read-only: the statement was undone. */
const UNDONE = new Set([...RETRIABLE, LOCK_NOT_AVAILABLE, '57014', READ_ONLY]);
/** Disk, memory or connections are used up: undone too. */
const UNDONE_CLASS = '53';
/** Statement completion unknown; the server ends, crashes, or takes no connection now. */
const UNKNOWN = new Set(['40003', '57P01', '57P02', '57P03', '57P04', '57P05']);
const CONNECTION_CLASS = '08';
/** Errors of connecting. A connection that stands can end with some of them too: a router that says "no such host" ends it with EHOSTUNREACH. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
const NOT_CONNECTED_TEXT =
  /not currently accepting connections|timeout exceeded when trying to connect|Cannot use a pool after calling end|not queryable/i;
const CONNECTION_LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
/** What the system, or the encryption, says of a connection. */
const OF_A_SOCKET = /^(E[A-Z]{3,}|ERR_(SSL|TLS|STREAM|SOCKET)_\w+)$/;
const CONNECTION_LOST_TEXT = /Connection terminated|Query read timeout|Client has encountered a connection error/i;

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
  readonly where?: string;
  readonly driverError?: DatabaseError;
}

/**
 * What became of a statement that was answered by an error.
 *   never_sent  there was no connection to send it over: nothing has happened
 *   undone      the server has answered that it rolled the statement back: nothing has happened
 *   unknown     no answer of the server: it may have committed, or commit later
 *   fault       any other error: of the statement or of our program
 */
export type Fate = 'never_sent' | 'undone' | 'unknown' | 'fault';

/** Every connection of the pool was in use for as long as a caller waits for one. The database itself is there. */
export class PoolFull extends Error {
  constructor() {
    super('All database connections of this process are in use');
  }
}

/** What PostgreSQL's client says when none came free. */
const NONE_CAME_FREE = 'timeout exceeded when trying to connect';

const neverSent = new WeakSet<object>();
const sentAt = new WeakMap<object, number>();

const underlying = (error: unknown): DatabaseError => {
  const outer = (typeof error === 'object' && error !== null ? error : {}) as DatabaseError;
  return outer.driverError ?? outer;
};

/** Marks the error of a connection that was never made. */
export function markNeverSent<E>(error: E): E {
  neverSent.add(underlying(error));
  return error;
}

/** Notes when the statement of this error was sent, by the steady clock. */
export function markSentAt<E>(error: E, at: number): E {
  sentAt.set(underlying(error), at);
  return error;
}

/** When the statement of this error was sent, by the steady clock; now, where that was not noted. */
export const sentAtOf = (error: unknown): number => sentAt.get(underlying(error)) ?? performance.now();

export function fateOf(error: unknown): Fate {
  const { code = '', message = '' } = underlying(error);
  if (neverSent.has(underlying(error)) || NOT_CONNECTED_TEXT.test(message)) return 'never_sent';
  // What was sent was sent over a connection, and the server may have carried it out before that broke.
  if (sentAt.has(underlying(error)) && OF_A_SOCKET.test(code)) return 'unknown';
  if (NOT_CONNECTED.has(code)) return 'never_sent';
  const isSqlState = code.length === 5;
  if (UNDONE.has(code) || (isSqlState && code.startsWith(UNDONE_CLASS))) return 'undone';
  if (UNKNOWN.has(code) || CONNECTION_LOST.has(code) || (isSqlState && code.startsWith(CONNECTION_CLASS))) return 'unknown';
  return CONNECTION_LOST_TEXT.test(message) ? 'unknown' : 'fault';
}

/** Did the database refuse a second row of the same key (under this constraint, if one is named)? */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const { code, constraint: violated } = underlying(error);
  return code === UNIQUE_VIOLATION && (constraint === undefined || constraint === violated);
};

/** May the same statement be sent again, because it certainly left nothing behind? */
export const isRetriable = (error: unknown): boolean => RETRIABLE.has(underlying(error).code ?? '');

/** Did the statement wait for a lock longer than a statement may? It was undone. */
export const isLockTimeout = (error: unknown): boolean => underlying(error).code === LOCK_NOT_AVAILABLE;

/** The row that a statement has waited for too long, as PostgreSQL's context of the error names it. */
export function lockedTupleIn(error: unknown): { readonly relation: string; readonly ctid: string } | undefined {
  if (!isLockTimeout(error)) return undefined;
  const [, ctid, relation] = /tuple (\(\d+,\d+\)) in relation "([^"]+)"/.exec(underlying(error).where ?? '') ?? [];
  return ctid !== undefined && relation !== undefined ? { relation, ctid } : undefined;
}

/** Has the server no room left to write to? */
export const isDiskFull = (error: unknown): boolean => underlying(error).code === DISK_FULL;

/** Does the server only read, as a primary does that another has taken the place of? */
export const isReadOnly = (error: unknown): boolean => underlying(error).code === READ_ONLY;

/** Is this connection worth nothing any more: lost, silent, or led to a server that cannot write? */
export const isConnectionSpent = (error: unknown): boolean =>
  fateOf(error) === 'unknown' || fateOf(error) === 'never_sent' || underlying(error).code === READ_ONLY;

/** Did the pool have no connection to give? Whether all of them are in use or none can be made, only their user can tell. */
export const isWithoutConnection = (error: unknown): boolean => underlying(error).message === NONE_CAME_FREE;

/** Is it an outage or a shortage, and no fault of the statement? Then the same request may be answered in a moment. */
export const isUnavailable = (error: unknown): boolean => fateOf(error) !== 'fault';
