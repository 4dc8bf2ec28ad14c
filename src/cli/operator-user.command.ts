import type { INestApplicationContext } from '@nestjs/common';
import { OperatorService, UserService, type UserRow } from '../access/user/index.js';
import { BECAUSE_OPTION, becauseIn, operatorName } from './recording.js';
import { CommandError, JSON_OPTION, printResult, required, type Arguments, type Command } from './command.js';

async function userIn(app: INestApplicationContext, args: Arguments): Promise<UserRow> {
  const name = required(args, 'The username or e-mail address');
  const users = app.get(UserService);
  const user = await (name.includes('@') ? users.findByEmail(name) : users.findByUsername(name));
  if (!user) throw new CommandError(`There is no user "${name}"`);
  return user;
}

const changeCommand = (verb: 'add' | 'remove', summary: string, already: string): Command => ({
  name: `operator ${verb}`,
  summary,
  arguments: '<username-or-e-mail>',
  requiredOptions: BECAUSE_OPTION,
  options: JSON_OPTION,
  async run(app, args, print) {
    const because = becauseIn(args);
    const { id, username } = await userIn(app, args);
    const outcome = await app.get(OperatorService).change(id, verb === 'add', { who: operatorName(), because });
    if (outcome === 'not_found') throw new CommandError('The user has been deleted meanwhile');
    if (outcome === 'already') throw new CommandError(`${username} ${already}`);
    printResult(args, print, { id, username, isOperator: verb === 'add' }, [
      `${username} is ${verb === 'add' ? 'an' : 'no'} operator now.`,
    ]);
  },
});

export const operatorUserCommands: readonly Command[] = [
  changeCommand('add', 'Makes a user an operator: they can propose and approve adjustments', 'is an operator already'),
  changeCommand('remove', 'Dismisses an operator; their open adjustments cannot be approved any more', 'is no operator'),
  {
    name: 'operator list',
    summary: 'Lists the operators',
    options: JSON_OPTION,
    async run(app, args, print) {
      const operators = await app.get(OperatorService).list();
      const lines = operators.map(({ username, email }) => `${username}  ${email}`);
      printResult(args, print, operators, lines.length > 0 ? lines : ['There are no operators. "operator add" makes a user one.']);
    },
  },
];
