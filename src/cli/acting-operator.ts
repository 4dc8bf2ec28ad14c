import type { INestApplicationContext } from '@nestjs/common';
import type { ActingOperator } from '../operator/adjustment/index.js';
import { OperatorService } from '../access/user/index.js';
import { CommandError, text, UsageError, type Arguments, type CommandOptions } from './command.js';
import { operatorName } from './operator-name.js';
import { secretInput } from './secret-input.js';

/** For commands that move customers' money by decision: the operating system's user is not enough. */
export const OPERATOR_OPTION: CommandOptions = {
  '--operator <name>': 'the operator who acts: e-mail address or username. The password is read from the terminal, or from standard input',
};

/** The operator whom `--operator` names, after their password. @throws CommandError when it is wrong */
export async function actingOperator(app: INestApplicationContext, args: Arguments): Promise<ActingOperator> {
  const [name, runBy] = [text(args, 'operator')?.trim() ?? '', operatorName()];
  if (name === '') throw new UsageError('--operator must not be empty');
  const checked = await app.get(OperatorService).check(name, await secretInput(`The password of ${name}`), runBy);
  if (checked.kind === 'slowed_down') throw new CommandError(`Too many wrong passwords. Try again in ${checked.retryAfterSeconds} seconds`);
  if (checked.kind === 'wrong')
    throw new CommandError('There is no operator with this name and this password. "operator list" shows the operators');
  return { ...checked.operator, runBy };
}
