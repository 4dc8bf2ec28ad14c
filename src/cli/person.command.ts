import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeyService } from '../access/api-key/index.js';
import { UserService, type UserRow } from '../access/user/index.js';
import { AccountService } from '../money/wallet/index.js';
import { WebhookService } from '../money/webhook/index.js';
import { CommandError, commandsOf, DEFAULT_ROWS, limitIn, listed, MAX_ROWS, required, text, type ResultCommand } from './command.js';
import { findUser } from './account.command.js';
import { BECAUSE_OPTION, becauseIn, recording } from './recording.js';

/** @throws CommandError when there is none */
export async function userNamed(app: INestApplicationContext, name: string): Promise<UserRow> {
  const user = (await findUser(app, name)) ?? (await app.get(UserService).findById(name));
  if (!user) throw new CommandError(`There is no user "${name}"`);
  return user;
}

const stateOf = ({ disabledAt, isOperator }: UserRow): string => (disabledAt ? 'disabled' : isOperator ? 'operator' : 'active');

const line = (user: UserRow): string =>
  [user.id, stateOf(user).padEnd(8), user.username, user.email, `created ${user.createdAt.toISOString()}`].join('  ');

const stateCommand = (verb: 'disable' | 'enable', summary: string, already: string): ResultCommand => ({
  name: `user ${verb}`,
  summary,
  arguments: '<username-or-e-mail>',
  requiredOptions: BECAUSE_OPTION,
  async run(app, args) {
    const because = becauseIn(args);
    const { id, username } = await userNamed(app, required(args, 'The username or e-mail address'));
    const record = recording(app, { action: `user ${verb}`, because, details: { username } });
    if (!(await app.get(UserService).setDisabled(id, verb === 'disable', record))) throw new CommandError(`${username} ${already}`);
    return { found: { id, username, disabled: verb === 'disable' }, lines: [`${username} is ${verb}d.`] };
  },
});

export const personCommands = commandsOf(
  {
    name: 'user list',
    summary: 'Lists users in the order of their names',
    options: {
      '--search <text>': 'only those whose username or e-mail address begins so',
      '--limit <rows>': `how many (default ${DEFAULT_ROWS}, at most ${MAX_ROWS})`,
      '--after <username>': 'the page after this user',
    },
    async run(app, args, program) {
      const limit = limitIn(args);
      const users = await app.get(UserService).list(text(args, 'search') ?? null, text(args, 'after') ?? null, limit);
      const more = users.length === limit ? [`More: ${program} user list --after ${users.at(-1)?.username}, with the same options`] : [];
      return listed(users, line, 'There are no such users.', more);
    },
  },
  {
    name: 'user show',
    summary: 'Shows a user: their account, and how many API keys and webhook endpoints they have',
    arguments: '<username-or-e-mail>',
    async run(app, args) {
      const user = await userNamed(app, required(args, 'The username or e-mail address'));
      const { id: account, level } = await app.get(AccountService).getOfUser(user.id);
      const [keys, webhooks] = await Promise.all([app.get(ApiKeyService).listInUse(user.id), app.get(WebhookService).list(account)]);
      const found = { ...user, state: stateOf(user), account, level, keysInUse: keys.length, webhooks: webhooks.length };
      const lines = [
        line(user),
        `account: ${account}, level ${level}`,
        `API keys: ${keys.length}`,
        `webhook endpoints: ${webhooks.length}`,
      ];
      return { found, lines };
    },
  },
  stateCommand(
    'disable',
    'Signs a user out, and refuses their sign-in, keys and apps until "user enable"; money arrives',
    'is disabled already',
  ),
  stateCommand('enable', 'Lets a disabled user sign in again; their API keys and apps work again', 'is not disabled'),
);
