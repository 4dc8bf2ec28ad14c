import { PROGRAM } from '../config/index.js';
import { ClientService, type Client } from '../oauth/index.js';
import { answer, given, list, CommandError, required, text, type Command } from './command.js';

const line = ({ id, name, state, confidential, redirectUris, scopes }: Client): string =>
  `${id}  ${state}  ${confidential ? 'confidential' : 'public'}  ${name}  [${scopes.join(' ')}]  ${redirectUris.join(' ')}`;

/** @throws CommandError when there is no such client */
function found(client: Client | null, id: string): Client {
  if (!client) throw new CommandError(`No app with the id ${id}`);
  return client;
}

export const clientCommands: readonly Command[] = [
  {
    name: 'client register',
    usage:
      '--name <name> --redirect-uri <uri>... --scope <scope>... [--public] [--no-pkce] [--verified] [--trusted] [--homepage <url>] [--id <id>] [--approve] [--json]',
    summary: 'Registers an OAuth app; prints its id and, once, its secret',
    async run(app, args, print, program = PROGRAM) {
      const [id, homepage] = [text(args, 'id'), text(args, 'homepage')];
      const outcome = await app.get(ClientService).register({
        name: text(args, 'name') ?? '',
        redirectUris: list(args, 'redirect-uri'),
        scopes: list(args, 'scope'),
        confidential: !given(args, 'public'),
        requirePkce: !given(args, 'no-pkce'),
        verified: given(args, 'verified'),
        trusted: given(args, 'trusted'),
        ...(id !== undefined && { id }),
        ...(homepage !== undefined && { homepage }),
      });
      if (outcome.kind === 'id_taken') throw new CommandError('This id is taken by another app');
      if (outcome.kind === 'invalid') throw new CommandError(outcome.faults.join('\n'));
      if (given(args, 'approve')) await app.get(ClientService).approve(outcome.client.id);
      const { client, secret } = outcome;
      answer(args, print, { client_id: client.id, ...(secret !== null && { client_secret: secret }), approved: given(args, 'approve') }, [
        `client_id: ${client.id}`,
        ...(secret === null ? [] : [`client_secret: ${secret}`]),
        ...(given(args, 'approve') ? [] : [`Not active yet. Run: ${program} client approve ${client.id}`]),
      ]);
    },
  },
  {
    name: 'client approve',
    usage: '<id> [--json]',
    summary: 'Approves an app',
    async run(app, args, print) {
      const id = required(args, 0, 'The app’s id');
      const client = found(await app.get(ClientService).approve(id), id);
      answer(args, print, client, [line(client)]);
    },
  },
  {
    name: 'client suspend',
    usage: '<id> [--json]',
    summary: 'Suspends an app immediately',
    async run(app, args, print) {
      const id = required(args, 0, 'The app’s id');
      const client = found(await app.get(ClientService).suspend(id), id);
      answer(args, print, client, [line(client)]);
    },
  },
  {
    name: 'client secret',
    usage: '<id> [--overlap <seconds>] [--json]',
    summary: "Rotates an app's secret. The old one stays valid for --overlap seconds (default 0)",
    async run(app, args, print) {
      const outcome = await app.get(ClientService).addSecret(required(args, 0, 'The app’s id'), Number(text(args, 'overlap') ?? 0) || 0);
      if (outcome.kind === 'not_found') throw new CommandError('No app with this id');
      if (outcome.kind === 'public_client') throw new CommandError('A public app has no secret');
      answer(args, print, { client_secret: outcome.secret }, [`client_secret: ${outcome.secret}`]);
    },
  },
  {
    name: 'client list',
    usage: '[--json]',
    summary: 'Lists all apps',
    async run(app, args, print) {
      const clients = await app.get(ClientService).list();
      answer(args, print, clients, clients.map(line));
    },
  },
];
