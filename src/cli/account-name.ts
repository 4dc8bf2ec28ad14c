import type { INestApplicationContext } from '@nestjs/common';
import { isUuid } from '../platform/kernel/uuid.js';
import { UserService } from '../access/user/index.js';
import { AccountService } from '../money/wallet/index.js';
import { CommandError } from './command.js';

/** The id of the account that is named by it, or by its user's e-mail address or username. @throws CommandError when there is no such user */
export async function accountNamed(app: INestApplicationContext, name: string): Promise<string> {
  if (isUuid(name)) return name.toLowerCase();
  const users = app.get(UserService);
  const user = name.includes('@') ? await users.findByEmail(name) : await users.findByUsername(name);
  if (!user) throw new CommandError(`There is no user "${name}"`);
  return (await app.get(AccountService).getOfUser(user.id)).id;
}
