/** A backup cannot be made or restored; the message is for the operator: sentences that need no stack trace. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
