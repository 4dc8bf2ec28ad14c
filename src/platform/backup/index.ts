export type { AfterRestore } from './database-facts.js';
export { BackupError } from './backup.error.js';
export { takeBackup, type BackupOptions, type BackupResult } from './backup.js';
export { markAsRestored, restoreBackup, type RestoreOptions, type RestoreResult } from './restore.js';
