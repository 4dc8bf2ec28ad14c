/** SQLSTATE codes (PostgreSQL documentation, appendix A) and what they mean to us. */
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY = '25006';
const RETRIABLE = new Set(['40001', '40P01']); // serialization failure, deadlock: nothing has happened
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57']); // connection, resources, operator intervention
const UNAVAILABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);
const UNAVAILABLE_TEXT =
  /Connection terminated|not currently accepting connections|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end|Client has encountered a connection error|not queryable/i;

interface DatabaseError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
  readonly where?: string;
  readonly driverError?: DatabaseError;
}

const underlying = (error: unknown): DatabaseError => {
  const outer = (typeof error === 'object' && error !== null ? error : {}) as DatabaseError;
  return outer.driverError ?? outer;
};

/** Did the database refuse a second row of the same key (under this constraint, if one is named)? */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const { code, constraint: violated } = underlying(error);
  return code === UNIQUE_VIOLATION && (constraint === undefined || constraint === violated);
};

/** May the same statement be sent again, because it certainly left nothing behind? */
export const isRetriable = (error: unknown): boolean => RETRIABLE.has(underlying(error).code ?? '');

/** Did a statement wait for a lock for longer than `lock_timeout`? It has been taken back. */
export const isLockTimeout = (error: unknown): boolean => underlying(error).code === LOCK_NOT_AVAILABLE;

/** The row that a statement has waited for too long, as PostgreSQL's context of the error names it. */
export function lockedTupleIn(error: unknown): { readonly relation: string; readonly ctid: string } | undefined {
  if (!isLockTimeout(error)) return undefined;
  const [, ctid, relation] = /tuple (\(\d+,\d+\)) in relation "([^"]+)"/.exec(underlying(error).where ?? '') ?? [];
  return ctid !== undefined && relation !== undefined ? { relation, ctid } : undefined;
}

/** Does the server only read, as a primary does that another has taken the place of? */
export const isReadOnly = (error: unknown): boolean => underlying(error).code === READ_ONLY;

/** Is the database away, starting or stopping? Then an answer is unknown, which is never a refusal. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = underlying(error);
  if (code !== undefined && (UNAVAILABLE_CODES.has(code) || (code.length === 5 && UNAVAILABLE_CLASSES.has(code.slice(0, 2))))) return true;
  return UNAVAILABLE_TEXT.test(message ?? '');
}
