import { markAsRestored, restoreBackup, takeBackup, type AfterRestore } from '../platform/backup/index.js';
import type { Config } from '../platform/config/index.js';
import { sql } from '../platform/database/index.js';
import { hasOption, JSON_OPTION, required, operatorName, text, UsageError, type StandaloneCommand } from '../operator/command/index.js';

const MIB = 2 ** 20;
const BECAUSE = { '--because <text>': 'your reason, for the log of operators' };

/** Marks a restored database as a copy: no server sends from it before it has been compared with the node. */
const afterRestore: AfterRestore = {
  check: sql`SELECT to_regprocedure('database_mark_forget()') IS NOT NULL AS ok`,
  run: sql`SELECT database_mark_forget()`,
};

function missingFrom({ mode }: Config): string {
  return mode === 'demo'
    ? 'It has neither the secret-key nor the demo.json of the data folder: copy them into the restored one before its first command'
    : 'It does not have SECRET_KEY: keep that in another place';
}

export const backupCommands: readonly StandaloneCommand[] = [
  {
    name: 'backup',
    arguments: '<folder>',
    summary: 'Backs up the database to a new folder, also while servers work on it, and reads it again',
    options: {
      '--pg-dump <path>': 'the program pg_dump for the database of DATABASE_URL (default: the one on PATH)',
      ...BECAUSE,
      ...JSON_OPTION,
    },
    details: ['The backup holds the whole database: users, balances, and hashes of keys. Keep it as you keep the database itself.'],
    async runAlone(config, args, program) {
      const path = required(args, 'The folder of the backup');
      const because = text(args, 'because')?.trim() ?? 'a backup';
      const result = await takeBackup(config, { path, pgDump: text(args, 'pg-dump'), who: operatorName(), because, afterRestore });
      return {
        found: result,
        lines: [
          `Backup of the ${result.kind} database: ${result.path}`,
          `${result.files} files, ${Math.ceil(result.bytes / MIB)} MiB, PostgreSQL ${result.postgresMajor}, state of ${result.takenAt}; every file was read again.`,
          `${missingFrom(config)}.`,
          `Try it on another data folder or an empty database: ${program} restore ${result.path}`,
        ],
      };
    },
  },
  {
    name: 'restore',
    arguments: '[folder]',
    summary: 'Restores a backup into an empty database, or into a data folder without one. Sends stay stopped until the node was compared',
    options: {
      '--replace': 'moves the embedded database of the data folder aside; it deletes nothing',
      '--in-place': 'only marks the database that is there as restored, after a restore by other means',
      '--pg-restore <path>': 'the program pg_restore for the database of DATABASE_URL (default: the one on PATH)',
      ...BECAUSE,
      ...JSON_OPTION,
    },
    details: ['Stop every server of the database first, and never start one on a copy beside the original: both would use the same node.'],
    async runAlone(config, args, program) {
      const because = text(args, 'because')?.trim() ?? 'restored from a backup';
      if (hasOption(args, 'in-place')) {
        if (args.positionals.length > 0) throw new UsageError('--in-place restores nothing, so it takes no folder');
        await markAsRestored(config, { who: operatorName(), because }, afterRestore);
        return { found: { inPlace: true }, lines: ['Sends are stopped until the database was compared with the node.'] };
      }
      const path = required(args, 'The folder of the backup');
      const replace = hasOption(args, 'replace');
      const operation = { path, replace, pgRestore: text(args, 'pg-restore'), who: operatorName(), because, afterRestore };
      const result = await restoreBackup(config, operation);
      return {
        found: result,
        lines: [
          `Restored the database as it was at ${result.takenAt} from ${result.path}`,
          ...(result.movedTo === null ? [] : [`The database before it is in ${result.movedTo}. Delete it when you no longer need it.`]),
          `Now run: ${program} audit. Then start the server: it sends nothing before it has compared the database with the node.`,
        ],
      };
    },
  },
];
