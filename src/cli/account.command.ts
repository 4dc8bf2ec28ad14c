import { AccountLimitsService, LEVELS, AccountService } from '../money/wallet/index.js';
import { BECAUSE_OPTION, becauseIn, operatorName } from './recording.js';
import { CommandError, commandsOf, required, UsageError } from './command.js';
import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '../platform/kernel/uuid.js';
import { UserService, type UserRow } from '../access/user/index.js';

export const findUser = (app: INestApplicationContext, name: string): Promise<UserRow | null> =>
  name.includes('@') ? app.get(UserService).findByEmail(name) : app.get(UserService).findByUsername(name);

/** The id of the account that is named by it, or by its user's e-mail address or username. @throws CommandError when there is no such user */
export async function accountNamed(app: INestApplicationContext, name: string): Promise<string> {
  if (isUuid(name)) return name.toLowerCase();
  const user = await findUser(app, name);
  if (!user) throw new CommandError(`There is no user "${name}"`);
  return (await app.get(AccountService).getOfUser(user.id)).id;
}

export const accountCommands = commandsOf({
  name: 'account level',
  summary: 'Sets how far the owner of an account is verified, and so what it may send in 24 hours',
  arguments: `<account> <${LEVELS.join('|')}>`,
  requiredOptions: BECAUSE_OPTION,
  details: ['An account is named by its id, or by the e-mail address or the username of its user.'],
  async run(app, args) {
    const [because, name] = [becauseIn(args), required(args, 'The account')];
    const level = LEVELS.find((each) => each === args.positionals[1]?.toUpperCase());
    if (!level) throw new UsageError(`The level must be one of: ${LEVELS.join(', ')}`);
    const account = await accountNamed(app, name);
    const outcome = await app.get(AccountLimitsService).setLevel(account, level, { who: operatorName(), because });
    if (outcome === 'unknown') throw new CommandError('There is no account with this id');
    const said = outcome === 'changed' ? 'has' : 'had already';
    return { found: { account, level, outcome }, lines: [`Account ${account} ${said} the level ${level}.`] };
  },
});
