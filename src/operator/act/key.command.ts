import { ApiKeyService, type ApiKeyRow, type ChosenKeys } from '../../access/api-key/index.js';
import { Database, type Tx } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { AccountService } from '../../money/wallet/index.js';
import {
  BECAUSE_OPTION,
  CommandError,
  commandsOf,
  LIMIT_OPTION,
  listed,
  UsageError,
  type CommandResult,
  type OperatorCall,
} from '../command/index.js';
import { userNamed } from './named.js';

const WHOSE = {
  '--user <name>': 'keys of this user: e-mail address, username or id',
  '--app <id>': 'keys that this app has created',
};

/** @throws UsageError when no key is meant */
async function keysIn(call: OperatorCall): Promise<ChosenKeys> {
  const [id, user, clientId] = [call.argument, call.text('user'), call.text('app')];
  if (id !== '' && !isUuid(id)) throw new UsageError('The key’s id must be a UUID; "key list" shows them');
  if (id === '' && user === undefined && clientId === undefined) throw new UsageError('Name keys by --user or --app');
  return { id: id || undefined, clientId, ...(user !== undefined && { userId: (await userNamed(call, user)).id }) };
}

/** Revokes keys, and records it in the same transaction. */
export async function revoked(
  call: OperatorCall,
  keys: ChosenKeys,
  record: (tx: Tx, revokedKeys: number) => Promise<void>,
): Promise<CommandResult> {
  const revokedKeys = await call.get(Database).transaction(async (tx) => {
    const count = await call.get(ApiKeyService).revokeChosen(keys, tx);
    await record(tx, count);
    return count;
  });
  await call.get(Events).delivered();
  return { found: { revokedKeys }, lines: [`${revokedKeys} API keys revoked.`] };
}

const stateOf = ({ revoked, expired }: ApiKeyRow): string => (revoked ? 'revoked' : expired ? 'expired' : 'works');

export const keyCommands = commandsOf(
  {
    name: 'key list',
    summary: 'Lists API keys of a user, or of an app that created them, the latest first, without their secrets',
    options: { ...WHOSE, ...LIMIT_OPTION },
    async run(call) {
      const { limit } = call;
      const keys = await call.get(ApiKeyService).listChosen(await keysIn(call), limit);
      const owners = await call.get(AccountService).ownersOf(keys.map(({ userId }) => userId));
      const found = keys.map((key) => ({ ...key, username: owners.find(({ userId }) => userId === key.userId)?.username ?? '' }));
      return listed(
        found,
        (key) =>
          [
            key.id,
            stateOf(key),
            key.hint,
            `of ${key.username}`,
            `"${key.name}"`,
            `[${key.scopes.join(' ')}]`,
            ...(key.clientId === null ? [] : [`created by ${key.clientId}`]),
            `last used ${key.lastUsedAt?.toISOString() ?? 'never'}`,
          ].join('  '),
        'There are no such API keys.',
        keys.length === limit ? [`Only the newest ${limit} are shown.`] : [],
      );
    },
  },
  {
    name: 'key revoke',
    summary: 'Revokes an API key by its id, or all keys of a user, of an app, or that an app has created for a user',
    arguments: '[id]',
    requiredOptions: BECAUSE_OPTION,
    options: WHOSE,
    async run(call) {
      const keys = await keysIn(call);
      if (keys.id && (await call.get(ApiKeyService).listChosen(keys, 1)).length === 0)
        throw new CommandError('There is no API key with this id');
      return revoked(call, keys, async (tx, revokedKeys) => {
        const subject = keys.id ?? keys.userId ?? keys.clientId ?? '';
        if (revokedKeys > 0) await call.recording({ ...keys, revokedKeys })(tx, subject);
      });
    },
  },
);
