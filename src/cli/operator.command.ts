import { Config } from '../config/index.js';
import { LedgerService } from '../ledger/index.js';
import { printResult, JSON_OPTION, CommandError, type Command } from './command.js';

/** The database that a command worked on, without the secrets of its URL. */
function databaseLabelOf({ database: { url }, dataDir }: Config): string {
  if (url === undefined) return `data folder ${dataDir}`;
  if (!URL.canParse(url)) return 'database of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `database ${host}${pathname}`;
}

export const operatorCommands: readonly Command[] = [
  {
    name: 'audit',
    summary: "Checks the ledger's invariants",
    options: JSON_OPTION,
    async run(app, args, print) {
      const findings = await app.get(LedgerService).audit();
      const databaseLabel = databaseLabelOf(app.get(Config));
      printResult(args, print, { findings, place: databaseLabel }, findings.length === 0 ? [`Ledger OK (${databaseLabel})`] : []);
      if (findings.length === 0) return;
      throw new CommandError(
        `Ledger invariants violated (${findings.length} findings, ${databaseLabel}):\n${findings.map(({ what, count }) => `  ${what}: ${count}`).join('\n')}`,
      );
    },
  },
];
