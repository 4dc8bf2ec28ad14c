/** A database that cannot be started, with a message for the operator: one or two whole sentences, no stack trace needed. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
