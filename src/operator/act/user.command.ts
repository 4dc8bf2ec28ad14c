import { randomBytes } from 'node:crypto';
import { ApiKeyService } from '../../access/api-key/index.js';
import { AppService } from '../../access/oauth/index.js';
import { SessionService } from '../../access/session/index.js';
import { Factors } from '../../access/factor/index.js';
import {
  PASSWORD_CHARACTERS,
  Passwords,
  RegistrationService,
  RESET_LINK_HOURS,
  ResetLinkService,
  UserService,
  type RegistrationFault,
  type UserCreateOutcome,
  type UserRow,
} from '../../access/user/index.js';
import { AccountService } from '../../money/wallet/index.js';
import { WebhookService } from '../../money/webhook/index.js';
import {
  BECAUSE_OPTION,
  CommandError,
  commandsOf,
  LIMIT_OPTION,
  listed,
  UsageError,
  type OperatorCall,
  type ResultCommand,
} from '../command/index.js';
import { ON_USER, userNamed } from './named.js';
import { secretInput } from './secret-input.js';

const ASK_OPTION = {
  '--ask': 'reads the password from the terminal or from standard input; without it, one is generated and printed once',
};

const FAULTS: Readonly<Record<RegistrationFault['field'], string>> = {
  email: '--email must be an e-mail address',
  username: 'The username must have 3 to 50 letters, digits or _, with at least one letter. It cannot start with 1, 3, _, bc1 or lnbc1',
  password: `The password must have ${PASSWORD_CHARACTERS.min} to ${PASSWORD_CHARACTERS.max} characters`,
};

/** A password that the operator types, or a generated one, which is printed. */
async function passwordFor(call: OperatorCall): Promise<{ password: string; printed: { password: string } | object }> {
  if (call.has('ask')) return { password: await secretInput('The new password'), printed: {} };
  const password = randomBytes(15).toString('base64url');
  return { password, printed: { password } };
}

function refusalOf(outcome: Exclude<UserCreateOutcome, { kind: 'created' }>): string {
  if (outcome.kind === 'email_taken') return 'Another user has this e-mail address';
  const taken = (proposals: readonly string[]): string => `Another user has this username. Free: ${proposals.join(', ')}`;
  if (outcome.kind === 'username_taken') return taken(outcome.proposals);
  return outcome.faults.map(({ field, proposals }) => (proposals ? taken(proposals) : FAULTS[field])).join('\n');
}

const stateOf = ({ disabledAt, isOperator }: UserRow): string => (disabledAt ? 'disabled' : isOperator ? 'operator' : 'active');

const line = (user: UserRow): string =>
  [user.id, stateOf(user).padEnd(8), user.username, user.email, `created ${user.createdAt.toISOString()}`].join('  ');

const stateCommand = (verb: 'disable' | 'enable', summary: string, already: string): ResultCommand => ({
  name: `user ${verb}`,
  summary,
  ...ON_USER,
  async run(call) {
    const { id, username } = await userNamed(call, call.argument);
    const record = call.recording({ username });
    if (!(await call.get(UserService).setDisabled(id, verb === 'disable', record))) throw new CommandError(`${username} ${already}`);
    return { found: { id, username, disabled: verb === 'disable' }, lines: [`${username} is ${verb}d.`] };
  },
});

/** For an act that opens the way into an account. On the console not that of an operator: one could approve there what the same one has proposed. */
async function userToLetIn(call: OperatorCall): Promise<UserRow> {
  const user = await userNamed(call, call.argument);
  if (call.isOnConsole && user.isOperator) throw new CommandError(`${user.username} is an operator: run this command at a terminal`);
  return user;
}

export const userCommands = commandsOf(
  {
    name: 'user create',
    summary: 'Creates a user, also where registration is closed; the password is generated, or typed with --ask',
    arguments: '<username>',
    requiredOptions: { '--email <address>': 'the e-mail address that the user signs in with' },
    options: { ...ASK_OPTION, ...BECAUSE_OPTION },
    async run(call) {
      const [username, email] = [call.argument, call.text('email') ?? ''];
      const { password, printed } = await passwordFor(call);
      const outcome = await call
        .get(RegistrationService)
        .createUser({ email, username, password }, (tx, { id, ...details }) => call.recording(details)(tx, id));
      if (outcome.kind !== 'created') throw new CommandError(refusalOf(outcome));
      const { user } = outcome;
      const lines = [`User ${user.username} was created.`, ...('password' in printed ? [`password: ${password}`] : [])];
      return { found: { ...user, ...printed }, lines };
    },
  },
  {
    name: 'user set-password',
    summary: "Resets a user's password (generated, or with --ask typed), signs them out everywhere and disconnects their apps",
    ...ON_USER,
    options: { '--revoke-keys': 'revokes all API keys of the user too', ...ASK_OPTION },
    async run(call) {
      const { id, email, username } = await userNamed(call, call.argument);
      const { password, printed } = await passwordFor(call);
      const revokesKeys = call.has('revoke-keys');
      let revokedKeys = 0;
      const outcome = await call.get(UserService).changePassword(id, password, async (tx) => {
        if (revokesKeys) revokedKeys = await call.get(ApiKeyService).revokeChosen({ userId: id }, tx);
        await call.recording({ revokesKeys, revokedKeys })(tx, id);
      });
      if (outcome.kind === 'invalid') throw new CommandError(outcome.message);
      if (outcome.kind === 'not_found') throw new CommandError('The user has been deleted meanwhile');
      const lines = ['password' in printed ? `password: ${password}` : 'Password changed.'];
      if (revokesKeys) lines.push(`${revokedKeys} API keys revoked.`);
      const keysInUse = (await call.get(ApiKeyService).listInUse(id)).map(({ name }) => name);
      if (keysInUse.length > 0) lines.push(`API keys that still work: ${keysInUse.join(', ')}`);
      return { found: { email, username, ...printed, ...(revokesKeys && { revokedKeys }), keysInUse }, lines };
    },
  },
  {
    name: 'user reset-link',
    summary: 'Prints a link, once, with which the user sets a new password; that signs them out everywhere and disconnects their apps',
    ...ON_USER,
    options: {
      '--expires-in-hours <hours>': `when it expires (default ${RESET_LINK_HOURS.default}, at most ${RESET_LINK_HOURS.max})`,
    },
    async run(call) {
      const [hours, { min, max }] = [call.hours(RESET_LINK_HOURS.default), RESET_LINK_HOURS];
      if (hours < min || hours > max) throw new UsageError(`--expires-in-hours must be ${min} to ${max}`);
      if (!call.get(Passwords).signIn) throw new CommandError('People do not sign in with passwords here: PASSWORD_SIGN_IN is 0');
      const { id, username, disabledAt } = await userToLetIn(call);
      if (disabledAt) throw new CommandError(`${username} is disabled: "user enable" comes first`);
      const record = call.recording({ username, hours });
      const { link, expiresAt } = await call.get(ResetLinkService).create(id, hours, record);
      return { found: { id, username, link, expiresAt }, lines: [`link: ${link}`, `expires: ${expiresAt.toISOString()}`] };
    },
  },
  {
    name: 'user list',
    summary: 'Lists users in the order of their names',
    options: {
      '--search <text>': 'only those whose username or e-mail address begins so',
      ...LIMIT_OPTION,
      '--after <username>': 'the page after this user',
    },
    async run(call) {
      const { limit } = call;
      const users = await call.get(UserService).list(call.text('search') ?? null, call.text('after') ?? null, limit);
      const more =
        users.length === limit ? [`More: ${call.program} user list --after ${users.at(-1)?.username}, with the same options`] : [];
      return listed(users, line, 'There are no such users.', more);
    },
  },
  {
    name: 'user show',
    summary: 'Shows a user: their account, and how many API keys and webhook endpoints they have',
    arguments: '<username-or-e-mail>',
    async run(call) {
      const user = await userNamed(call, call.argument);
      const { id: account, level } = await call.get(AccountService).getOfUser(user.id);
      const [keys, webhooks] = await Promise.all([call.get(ApiKeyService).listInUse(user.id), call.get(WebhookService).list(account)]);
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
  {
    name: 'user reset-factor',
    summary:
      'Removes the authenticator app, the passkeys and the recovery codes of a user who has lost them: the password alone signs in then',
    ...ON_USER,
    async run(call) {
      const { id, username } = await userToLetIn(call);
      const record = call.recording({ username });
      if (!(await call.get(Factors).reset(id, record))) throw new CommandError(`${username} has no second factor`);
      return { found: { id, username }, lines: [`${username} signs in without a second factor now.`] };
    },
  },
  stateCommand(
    'disable',
    'Signs a user out, and refuses their sign-in, keys and apps until "user enable"; money arrives',
    'is disabled already',
  ),
  stateCommand('enable', 'Lets a disabled user sign in again; their API keys and apps work again', 'is not disabled'),
  {
    name: 'user sign-out',
    summary: 'Ends all sessions of a user, who can sign in again; API keys and apps keep working without --apps and "key revoke"',
    ...ON_USER,
    options: { '--apps': 'disconnects the apps of the user too' },
    async run(call) {
      const { id, username } = await userNamed(call, call.argument);
      const apps = call.has('apps') ? await call.get(AppService).list(id) : [];
      const sessions = await call
        .get(SessionService)
        .endAll(id, (tx, ended) => call.recording({ username, sessions: ended, apps: apps.map((each) => each.id) })(tx, id));
      for (const each of apps) await call.get(AppService).revoke(id, each.id);
      return {
        found: { id, username, sessions, apps: apps.length },
        lines: [`${username}: ${sessions} sessions ended, ${apps.length} apps disconnected.`],
      };
    },
  },
);
