import { UserService, type UserRow } from '../../access/user/index.js';
import { AccountService, type AccountOwner } from '../../money/wallet/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { BECAUSE_OPTION, CommandError, type OperatorCall } from '../command/index.js';

/** What a command that changes a user takes. */
export const ON_USER = { arguments: '<username-or-e-mail>', requiredOptions: BECAUSE_OPTION };

/** A user by e-mail address, username or id. @throws CommandError when there is none */
export async function userNamed(call: OperatorCall, name: string): Promise<UserRow> {
  const users = call.get(UserService);
  const user = await (name.includes('@') ? users.findByEmail(name) : isUuid(name) ? users.findById(name) : users.findByUsername(name));
  if (!user) throw new CommandError(`There is no user "${name}"`);
  return user;
}

/** An account by its id, or by its user's id, e-mail address or username. @throws CommandError when there is none */
export async function ownerNamed(call: OperatorCall, name: string): Promise<AccountOwner> {
  const [owner] = await call.get(AccountService).ownersOf([isUuid(name) ? name : (await userNamed(call, name)).id]);
  if (!owner) throw new CommandError('There is no account with this id');
  return owner;
}

export const accountNamed = async (call: OperatorCall, name: string): Promise<string> => (await ownerNamed(call, name)).accountId;
