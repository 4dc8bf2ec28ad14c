/** The database cannot be started; the message is for the operator: one or two sentences that need no stack trace. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
