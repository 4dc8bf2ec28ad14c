import type { INestApplicationContext } from '@nestjs/common';
import { UserService, type UserRow } from '../access/user/index.js';
import { AccountService } from '../money/wallet/index.js';
import { isUuid } from '../platform/kernel/uuid.js';
import { CommandError } from './command.js';

/** A user by e-mail address, username or id. @throws CommandError when there is none */
export async function userNamed(app: INestApplicationContext, name: string): Promise<UserRow> {
  const users = app.get(UserService);
  const user = await (name.includes('@') ? users.findByEmail(name) : isUuid(name) ? users.findById(name) : users.findByUsername(name));
  if (!user) throw new CommandError(`There is no user "${name}"`);
  return user;
}

/** The id of the account that is named by it, or by its user's e-mail address or username. @throws CommandError when there is no such user */
export const accountNamed = async (app: INestApplicationContext, name: string): Promise<string> =>
  isUuid(name) ? name.toLowerCase() : (await app.get(AccountService).getOfUser((await userNamed(app, name)).id)).id;
