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
/** Why a node cannot be used, in plain words; `kind` is the same for the same problem. */
export interface LndProblem {
  readonly kind: string;
  readonly text: string;
}

const PROBLEMS: readonly (readonly [string, RegExp, string])[] = [
  [
    'expired',
    /certificate has expired/i,
    'its certificate has expired. Delete tls.cert and tls.key at the node, restart it, and set LND_TLS_CERT',
  ],
  ['host', /altname|does not match certificate/i, 'its certificate is for another host than the one in LND_ADDRESS'],
  ['certificate', /self.signed|unable to (verify|get)|DEPTH_ZERO/i, 'its certificate is not the one in LND_TLS_CERT'],
  ['locked', /wallet (is )?locked|wallet not created|unlock it/i, 'its wallet is locked: unlock it with "lncli unlock"'],
  ['starting', /starting up|not active yet|still syncing|in the process of/i, 'it is starting'],
  ['macaroon', /macaroon|permission denied|verification failed/i, 'it does not accept LND_MACAROON: make another'],
];

export function problemOf(error: unknown): LndProblem {
  const words = wordsOf(error);
  const [kind, , text] = PROBLEMS.find(([, pattern]) => pattern.test(words)) ?? [];
  if (kind !== undefined) return { kind, text: `${String(text)} (${words})` };
  return isUnreachable(error) ? { kind: 'unreachable', text: `it does not answer (${words})` } : { kind: 'other', text: words };
}

/** LND gives these refusals no code of their own. */
export const isDuplicate = (error: unknown): boolean => /already exists/.test(wordsOf(error));
export const isExpired = (error: unknown): boolean => /invoice expired/.test(wordsOf(error));
