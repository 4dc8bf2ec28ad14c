import { randomBytes } from 'node:crypto';
import { Config } from '../config/index.js';
import { LedgerService } from '../ledger/index.js';
import { UserService } from '../user/index.js';
import { printResult, hasOption, JSON_OPTION, CommandError, required, type Command } from './command.js';
import { secretInput } from './secret-input.js';

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
  {
    name: 'user set-password',
    summary: "Resets a user's password (generated, or with --ask typed), signs them out everywhere and disconnects their apps",
    arguments: '<e-mail>',
    options: { '--ask': 'reads the new password from the terminal or from standard input', ...JSON_OPTION },
    async run(app, args, print) {
      const user = await app.get(UserService).findByEmail(required(args, 'The e-mail address'));
      if (!user) throw new CommandError('No user with this e-mail');
      const asked = hasOption(args, 'ask');
      const password = asked ? await secretInput('The new password') : randomBytes(15).toString('base64url');
      const outcome = await app.get(UserService).changePassword(user.id, password);
      if (outcome.kind === 'invalid') throw new CommandError(outcome.message);
      printResult(args, print, { email: user.email, ...(!asked && { password }) }, [asked ? 'Password changed.' : `password: ${password}`]);
    },
  },
];
