import {
  ApplicationEditor,
  ApplicationService,
  ClientService,
  isDocumentUrl,
  type Application,
  type ApplicationChange,
  type ApplicationFault,
  type Client,
  type WantedApplication,
} from '../../access/oauth/index.js';
import { revoked } from './key.command.js';
import {
  BECAUSE_OPTION,
  CommandError,
  commandsOf,
  listed,
  type CommandOptions,
  type CommandResult,
  type OperatorCall,
} from '../command/index.js';
import { userNamed } from './named.js';

const FIELD_NAMES: Readonly<Record<ApplicationChange['field'], string>> = {
  name: 'name',
  purpose: 'purpose',
  homepage: 'homepage',
  redirectUris: 'callback URLs',
  scopes: 'scopes',
  grantTypes: 'grant types',
  confidential: 'confidential',
  requirePkce: 'PKCE required',
};

/** One value a line, so that a long one hides no other. */
function changeLines({ field, before, after }: ApplicationChange): string[] {
  const [removed, added] = before
    ? [before.filter((value) => !after.includes(value)), after.filter((value) => !before.includes(value))]
    : [[], after];
  return [
    ...removed.map((value) => `  ${FIELD_NAMES[field]}, no more: ${value}`),
    ...added.map((value) => `  ${FIELD_NAMES[field]}${before ? ', new' : ''}: ${value}`),
  ];
}

export const lineOf = ({ id, status, confidential, name, scopes, redirectUris }: Application): string =>
  `${id}  ${status}  ${confidential ? 'confidential' : 'public'}  ${name}  [${scopes.join(' ')}]  ${redirectUris.join(' ')}`;

function authorOf({ id, ownerEmail, ownerUsername }: Application): string {
  if (isDocumentUrl(id)) return 'its document';
  return ownerUsername === null ? 'the operator' : `${ownerUsername} <${ownerEmail ?? ''}>`;
}

/** All that a decision is about. */
export function shown(application: Application): CommandResult {
  const { changes, version, reason, client } = application;
  const title = client ? 'Changed since the last approval:' : 'Asks for:';
  const lines = [
    lineOf(application),
    `version ${version}, of ${authorOf(application)}`,
    ...(reason === null ? [] : [`refused: ${reason}`]),
    ...(changes.length > 0 ? [title, ...changes.flatMap(changeLines)] : ['Nothing differs from the approved version.']),
  ];
  return { found: application, lines };
}

function pkceRule({ confidential, requirePkce }: Client): string {
  if (!confidential) return 'PKCE is required, because a public app has no secret.';
  if (requirePkce) return 'PKCE is required, as you chose.';
  return 'PKCE is optional, because the app has a secret. Register with --require-pkce to refuse requests without it.';
}

const WANTED_OPTIONS: CommandOptions = {
  '--name <name>': 'name of the app on the consent page',
  '--redirect-uri <uri...>': 'where the app receives authorization codes',
  '--scope <scope...>': 'scopes that the app may ask for',
};
const PURPOSE_OPTION: CommandOptions = { '--purpose <text>': 'what the app is for, for the people who are asked: 20 to 500 characters' };
const MORE_OPTIONS: CommandOptions = {
  '--homepage <url>': 'address of the app’s own page',
  '--grant-type <type...>': 'authorization_code, and refresh_token for the scope offline (the default where it is asked for)',
  '--require-pkce': 'refuses authorization requests without PKCE',
};
const TYPE_OPTIONS: CommandOptions = {
  '--public': 'the app runs on its users’ devices and has no secret',
  '--id <id>': 'client id (generated if omitted)',
};

/** The fields that the options name. */
function wantedIn(call: OperatorCall): Partial<WantedApplication> & { id?: string } {
  const lists = { redirectUris: call.list('redirect-uri'), scopes: call.list('scope'), grantTypes: call.list('grant-type') };
  const texts = { id: call.text('id'), name: call.text('name'), purpose: call.text('purpose'), homepage: call.text('homepage') };
  const given = [...Object.entries(lists).filter(([, values]) => values.length > 0), ...Object.entries(texts)];
  return {
    ...(Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Partial<WantedApplication>),
    ...(call.has('public') && { confidential: false }),
    ...(call.has('require-pkce') && { requirePkce: true }),
  };
}

const newIn = (call: OperatorCall): Parameters<ApplicationService['register']>[0] => ({
  name: '',
  redirectUris: [],
  scopes: [],
  ...wantedIn(call),
});

export const noApp = (id: string): CommandError => new CommandError(`No app with the id ${id}`);

export async function findApp(call: OperatorCall, id: string): Promise<Application> {
  const application = await call.get(ApplicationService).find(id);
  if (!application) throw noApp(id);
  return application;
}

const invalid = (faults: readonly ApplicationFault[]): CommandError => new CommandError(faults.map(({ text: rule }) => rule).join('\n'));
const idTaken = (): CommandError => new CommandError('This id is taken by another app');

export const clientCommands = commandsOf(
  {
    name: 'client apply',
    summary: 'Applies for an OAuth app, which waits for "client approve"',
    requiredOptions: { ...WANTED_OPTIONS, ...PURPOSE_OPTION },
    options: { ...MORE_OPTIONS, ...TYPE_OPTIONS, '--owner <name>': 'the user who develops the app (you if omitted)', ...BECAUSE_OPTION },
    async run(call) {
      const owner = call.text('owner');
      const ownerId = owner === undefined ? null : (await userNamed(call, owner)).id;
      const outcome = await call.get(ApplicationEditor).apply(newIn(call), { ownerId, submit: true }, call.by);
      if (outcome.kind === 'id_taken') throw idTaken();
      if (outcome.kind === 'too_many') throw new CommandError('This user has too many applications');
      if (outcome.kind === 'invalid') throw invalid(outcome.faults);
      const { id, state } = outcome;
      return {
        found: { id, state, version: 1 },
        lines: [`id: ${id}`, `Waits. Run: ${call.program} client approve ${id} --because "checked"`],
      };
    },
  },
  {
    name: 'client register',
    summary: 'Applies for an OAuth app of yours and approves it; prints its id and, once, its secret',
    requiredOptions: WANTED_OPTIONS,
    options: {
      ...PURPOSE_OPTION,
      ...MORE_OPTIONS,
      ...TYPE_OPTIONS,
      '--no-pkce': 'has no effect: the default of an app with a secret',
      '--verified': 'you have checked who runs the app',
      '--trusted': 'the app may manage API keys of users who allow it',
      '--approve': 'has no effect: the app is approved',
      ...BECAUSE_OPTION,
    },
    async run(call) {
      const marks = { verified: call.has('verified'), trusted: call.has('trusted') };
      const outcome = await call.get(ApplicationService).register({ ...newIn(call), ...marks }, call.by);
      if (outcome.kind === 'id_taken') throw idTaken();
      if (outcome.kind === 'invalid') throw invalid(outcome.faults);
      const { client, secret } = outcome;
      const lines = [`client_id: ${client.id}`, ...(secret === null ? [] : [`client_secret: ${secret}`]), pkceRule(client)];
      return { found: { client_id: client.id, ...(secret !== null && { client_secret: secret }), approved: true }, lines };
    },
  },
  {
    name: 'client show',
    summary: 'Shows an app: what it asks for, what changed since the last approval, and whose it is',
    arguments: '<id>',
    async run(call) {
      return shown(await findApp(call, call.argument));
    },
  },
  {
    name: 'client update',
    summary: 'Changes an app. What it loses is lost at once; the rest waits for "client approve"',
    arguments: '<id>',
    options: { ...WANTED_OPTIONS, ...PURPOSE_OPTION, ...MORE_OPTIONS, '--no-pkce': 'makes PKCE optional', ...BECAUSE_OPTION },
    async run(call) {
      const id = call.argument;
      const change = { ...wantedIn(call), ...(call.has('no-pkce') && { requirePkce: false }) };
      if (Object.keys(change).length === 0) throw new CommandError('Name what changes, for example --name');
      const outcome = await call.get(ApplicationEditor).change(id, change, { submit: true }, call.by);
      if (outcome.kind === 'not_found') throw noApp(id);
      if (outcome.kind === 'invalid') throw invalid(outcome.faults);
      return shown(await findApp(call, id));
    },
  },
  {
    name: 'client revoke-keys',
    summary: 'Revokes all API keys that an app has created, for all users',
    arguments: '<id>',
    requiredOptions: BECAUSE_OPTION,
    async run(call) {
      const id = call.argument;
      const client = await call.get(ClientService).find(id);
      if (!client) throw noApp(id);
      return revoked(call, { clientId: id }, (tx, revokedKeys) => call.recording({ name: client.name, revokedKeys })(tx, id));
    },
  },
  {
    name: 'client list',
    summary: 'Lists all apps, or those that wait for a decision',
    options: { '--waiting': 'only those that wait' },
    async run(call) {
      const filter = call.has('waiting') ? ({ state: 'waiting' } as const) : {};
      return listed(await call.get(ApplicationService).list(filter), lineOf, 'There are no such apps.');
    },
  },
);
