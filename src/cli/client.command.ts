import type { INestApplicationContext } from '@nestjs/common';
import type { Tx } from '../platform/database/index.js';
import { ClientService, type Client } from '../access/oauth/index.js';
import { revoked } from './key.command.js';
import { BECAUSE_OPTION, becauseIn, reasonIn, recording } from './recording.js';
import { CommandError, commandsOf, hasOption, list, required, text, type ResultCommand } from './command.js';

const recordingOf =
  (app: INestApplicationContext, action: string, because: string, details: object = {}) =>
  (tx: Tx, { id, name }: Client): Promise<void> =>
    recording(app, { action, because, details: { name, ...details } })(tx, id);

const line = ({ id, name, state, confidential, redirectUris, scopes }: Client): string =>
  `${id}  ${state}  ${confidential ? 'confidential' : 'public'}  ${name}  [${scopes.join(' ')}]  ${redirectUris.join(' ')}`;

function pkceRule({ confidential, requirePkce }: Client): string {
  if (!confidential) return 'PKCE is required, because a public app has no secret.';
  if (requirePkce) return 'PKCE is required, as you chose.';
  return 'PKCE is optional, because the app has a secret. Register with --require-pkce to refuse requests without it.';
}

const stateCommand = (change: 'approve' | 'suspend', summary: string): ResultCommand => ({
  name: `client ${change}`,
  summary,
  arguments: '<id>',
  requiredOptions: BECAUSE_OPTION,
  async run(app, args) {
    const [id, because] = [required(args, 'The app’s id'), becauseIn(args)];
    const client = await app.get(ClientService)[change](id, recordingOf(app, `client ${change}`, because));
    if (!client) throw new CommandError(`No app with the id ${id}`);
    return { found: client, lines: [line(client)] };
  },
});

export const clientCommands = commandsOf(
  {
    name: 'client register',
    summary: 'Registers an OAuth app; prints its id and, once, its secret',
    requiredOptions: {
      '--name <name>': 'name of the app on the consent page',
      '--redirect-uri <uri...>': 'where the app receives authorization codes',
      '--scope <scope...>': 'scopes that the app may ask for',
    },
    options: {
      '--public': 'the app runs on its users’ devices and has no secret',
      '--require-pkce': 'refuses authorization requests without PKCE',
      '--no-pkce': 'has no effect: the default of an app with a secret',
      '--verified': 'you have checked who runs the app',
      '--trusted': 'the app may manage API keys of users who allow it',
      '--homepage <url>': 'address of the app’s own page',
      '--id <id>': 'client id (generated if omitted)',
      '--approve': 'approves the app at once',
      ...BECAUSE_OPTION,
    },
    async run(app, args, program) {
      const [id, homepage] = [text(args, 'id'), text(args, 'homepage')];
      const because = reasonIn(args);
      const wanted = {
        name: text(args, 'name') ?? '',
        redirectUris: list(args, 'redirect-uri'),
        scopes: list(args, 'scope'),
        confidential: !hasOption(args, 'public'),
        requirePkce: hasOption(args, 'require-pkce'),
        verified: hasOption(args, 'verified'),
        trusted: hasOption(args, 'trusted'),
        ...(id !== undefined && { id }),
        ...(homepage !== undefined && { homepage }),
      };
      const outcome = await app.get(ClientService).register(wanted, recordingOf(app, 'client register', because));
      if (outcome.kind === 'id_taken') throw new CommandError('This id is taken by another app');
      if (outcome.kind === 'invalid') throw new CommandError(outcome.faults.join('\n'));
      const { client, secret } = outcome;
      const approved = hasOption(args, 'approve');
      if (approved)
        await app.get(ClientService).approve(client.id, recordingOf(app, 'client approve', because || 'registered with --approve'));
      const lines = [`client_id: ${client.id}`, ...(secret === null ? [] : [`client_secret: ${secret}`]), pkceRule(client)];
      if (!approved) lines.push(`Not active yet. Run: ${program} client approve ${client.id} --because "checked"`);
      return { found: { client_id: client.id, ...(secret !== null && { client_secret: secret }), approved }, lines };
    },
  },
  stateCommand('approve', 'Approves an app'),
  stateCommand('suspend', 'Suspends an app immediately'),
  {
    name: 'client revoke-keys',
    summary: 'Revokes all API keys that an app has created, for all users',
    arguments: '<id>',
    requiredOptions: BECAUSE_OPTION,
    async run(app, args) {
      const [id, because] = [required(args, 'The app’s id'), becauseIn(args)];
      if (!(await app.get(ClientService).find(id))) throw new CommandError(`No app with the id ${id}`);
      return revoked(app, { clientId: id }, (tx, revokedKeys) =>
        recording(app, { action: 'client revoke-keys', because, details: { revokedKeys } })(tx, id),
      );
    },
  },
  {
    name: 'client secret',
    summary: "Rotates an app's secret. The old one stays valid for --overlap seconds (default 0)",
    arguments: '<id>',
    options: { '--overlap <seconds>': 'how long the old secret stays valid', ...BECAUSE_OPTION },
    async run(app, args) {
      const [id, overlapSeconds] = [required(args, 'The app’s id'), Number(text(args, 'overlap') ?? 0) || 0];
      const record = recordingOf(app, 'client secret', reasonIn(args), { overlapSeconds });
      const outcome = await app.get(ClientService).addSecret(id, overlapSeconds, record);
      if (outcome.kind === 'not_found') throw new CommandError('No app with this id');
      if (outcome.kind === 'public_client') throw new CommandError('A public app has no secret');
      return { found: { client_secret: outcome.secret }, lines: [`client_secret: ${outcome.secret}`] };
    },
  },
  {
    name: 'client list',
    summary: 'Lists all apps',
    async run(app) {
      const clients = await app.get(ClientService).list();
      return { found: clients, lines: clients.map(line) };
    },
  },
);
