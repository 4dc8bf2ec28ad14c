import { randomBytes } from 'node:crypto';
import { Config } from '../config/index.js';
import { LedgerService } from '../ledger/index.js';
import { UserService } from '../user/index.js';
import { answer, given, CommandError, required, type Command } from './command.js';
import { secretInput } from './secret-input.js';

/** The database that a command worked on, without the secrets of its URL. */
function placeOf({ database: { url }, dataDir }: Config): string {
  if (url === undefined) return `the data folder ${dataDir}`;
  if (!URL.canParse(url)) return 'the database of DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `the database ${host}${pathname}`;
}

export const operatorCommands: readonly Command[] = [
  {
    name: 'audit',
    usage: '[--json]',
    summary: 'Checks that every journal balances and every balance is what its entries say',
    async run(app, args, print) {
      const findings = await app.get(LedgerService).audit();
      const place = placeOf(app.get(Config));
      answer(args, print, { findings, place }, findings.length === 0 ? [`The books balance. Looked at: ${place}`] : []);
      if (findings.length === 0) return;
      throw new CommandError(
        `THE BOOKS DO NOT BALANCE in ${place}\n${findings.map(({ what, count }) => `  ${what}: ${count}`).join('\n')}`,
      );
    },
  },
  {
    name: 'user set-password',
    usage: '<e-mail> [--ask] [--json]',
    summary:
      'Gives a user a new password (made up; with --ask read from the terminal or standard input), signs them out, disconnects their apps',
    async run(app, args, print) {
      const user = await app.get(UserService).findByEmail(required(args, 0, 'The e-mail address'));
      if (!user) throw new CommandError('No user has this e-mail address');
      const asked = given(args, 'ask');
      const password = asked ? await secretInput('The new password') : randomBytes(15).toString('base64url');
      const outcome = await app.get(UserService).changePassword(user.id, password);
      if (outcome.kind === 'invalid') throw new CommandError(outcome.message);
      answer(args, print, { email: user.email, ...(!asked && { password }) }, [
        asked ? 'The password is changed.' : `password: ${password}`,
      ]);
    },
  },
  {
    name: 'operator add',
    usage: '<e-mail> [--json]',
    summary: 'Marks a user as an operator of this installation, which has no effect yet in this version',
    async run(app, args, print) {
      const email = required(args, 0, 'The e-mail address');
      if (!(await app.get(UserService).makeOperator(email))) throw new CommandError('No user has this e-mail address');
      answer(args, print, { email, operator: true }, [`${email} is an operator now.`]);
    },
  },
];
