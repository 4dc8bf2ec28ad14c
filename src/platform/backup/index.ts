export type { AfterRestore } from './database-facts.js';
export { BackupError } from './backup.error.js';
export { takeBackup } from './backup.js';
export { markAsRestored, restoreBackup } from './restore.js';
