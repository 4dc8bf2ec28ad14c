import { status, type ServiceError } from '@grpc/grpc-js';

/** Codes that gRPC's library itself reports when a connection breaks or time runs out. */
const OF_TRANSPORT: ReadonlySet<number> = new Set([
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.RESOURCE_EXHAUSTED,
  status.UNAVAILABLE,
]);

export const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;

/** Without the code that gRPC puts in front. */
export const wordsOf = (error: unknown): string =>
  (error as ServiceError).details || (error instanceof Error ? error.message : String(error));

/** The node itself has answered, with a refusal. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !OF_TRANSPORT.has(code);
}

export const isUnreachable = (error: unknown): boolean => codeOf(error) === status.UNAVAILABLE;
export const isNotFound = (error: unknown): boolean => codeOf(error) === status.NOT_FOUND;
export const isAlreadyKnown = (error: unknown): boolean => codeOf(error) === status.ALREADY_EXISTS;
/** LND gives these refusals no code of their own. */
export const isDuplicate = (error: unknown): boolean => /already exists/.test(wordsOf(error));
export const isExpired = (error: unknown): boolean => /invoice expired/.test(wordsOf(error));
