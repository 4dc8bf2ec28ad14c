export interface PassportStrategy {
  authenticate(request: unknown, options?: unknown): void;
}

interface PassportCall<T> extends PassportStrategy {
  success(result: T): void;
  fail(): void;
  error(cause: unknown): void;
}

/**
 * Sluice calls a strategy without the registry of `passport.authenticate()`, which two applications in one process would share (ADR 0007).
 * Each call gets an object of its own: actions must never be written onto the shared strategy.
 */
export function runStrategy<T>(strategy: PassportStrategy, request: unknown): Promise<T | false> {
  return new Promise((resolve, reject) => {
    const call = Object.create(strategy) as PassportCall<T>;
    call.success = resolve;
    call.fail = () => resolve(false);
    call.error = (cause: unknown) => reject(cause instanceof Error ? cause : new Error(String(cause)));
    call.authenticate(request);
  });
}
