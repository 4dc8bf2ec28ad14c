import {
  ApplicationCredentials,
  ApplicationService,
  isDocumentUrl,
  type Application,
  type ClientSecret,
  type DecisionOutcome,
} from '../../access/oauth/index.js';
import { findApp, lineOf, noApp, shown } from './client.command.js';
import {
  BECAUSE_OPTION,
  CommandError,
  commandsOf,
  UsageError,
  type CommandOptions,
  type CommandResult,
  type OperatorCall,
  type ResultCommand,
} from '../command/index.js';

const SEEN_OPTION: CommandOptions = {
  '--seen <version>':
    'the version that "client show" has shown; needed where others could change it meanwhile: an app of a user, or of a document',
};

/** The version to decide. An app of the operator has one author, so that no other person changes it meanwhile. */
function versionIn(call: OperatorCall, { id, version, ownerId }: Application): number {
  const given = call.number('seen', 'a number');
  if (given === undefined && (ownerId !== null || isDocumentUrl(id)))
    throw new UsageError(`Look at version ${version} with "client show ${id}", then decide with --seen ${version}`);
  return given ?? version;
}

function decided(outcome: DecisionOutcome): CommandResult {
  switch (outcome.kind) {
    case 'decided':
      return shown(outcome.application);
    case 'not_found':
      throw new CommandError('No app with this id');
    case 'changed':
      throw new CommandError(`It has changed: version ${outcome.application.version} waits. Look at it again with "client show"`);
    case 'not_waiting':
      throw new CommandError(`Nothing waits for a decision: the app is ${outcome.application.status}`);
    case 'invalid':
      throw new CommandError(outcome.text);
  }
}

const stateCommand = (change: 'suspend' | 'resume', summary: string): ResultCommand => ({
  name: `client ${change}`,
  summary,
  arguments: '<id>',
  requiredOptions: BECAUSE_OPTION,
  async run(call) {
    const id = call.argument;
    if (!(await call.get(ApplicationService)[change](id, call.by))) throw noApp(id);
    const application = await findApp(call, id);
    return { found: application, lines: [lineOf(application)] };
  },
});

const usedAt = (at: Date | null): string => at?.toISOString() ?? 'never';
const secretLine = ({ id, createdAt, firstUsedAt, lastUsedAt, expiresAt }: ClientSecret): string =>
  [
    id,
    `created ${createdAt.toISOString()}`,
    `first used ${usedAt(firstUsedAt)}`,
    `last used ${usedAt(lastUsedAt)}`,
    ...(expiresAt ? [`ends ${expiresAt.toISOString()}`] : []),
  ].join('  ');

export const clientDecisionCommands = commandsOf(
  {
    name: 'client approve',
    summary: 'Approves what an app asks for',
    arguments: '<id>',
    requiredOptions: BECAUSE_OPTION,
    options: {
      ...SEEN_OPTION,
      '--without-scope <scope...>': 'scopes that it asks for and does not get',
      '--require-pkce': 'refuses its authorization requests without PKCE',
      '--verified': 'you have checked who runs the app',
    },
    async run(call) {
      const id = call.argument;
      const application = await findApp(call, id);
      // Scripts of earlier versions approve after "client register", which approves by itself.
      if (application.status === 'approved') return shown(application);
      const approval = {
        version: versionIn(call, application),
        withoutScopes: call.list('without-scope'),
        requirePkce: call.has('require-pkce'),
        ...(call.has('verified') && { verified: true }),
      };
      return decided(await call.get(ApplicationService).approve(id, approval, call.by));
    },
  },
  {
    name: 'client refuse',
    summary: 'Refuses what an app asks for; an approved version keeps working',
    arguments: '<id>',
    requiredOptions: { '--because <text>': 'the reason, for its developer and for the log of operators' },
    options: SEEN_OPTION,
    async run(call) {
      const id = call.argument;
      const [reason, application] = [call.because, await findApp(call, id)];
      const version = application.state === 'waiting' ? versionIn(call, application) : application.version;
      return decided(await call.get(ApplicationService).refuse(id, { version, reason }, call.by));
    },
  },
  stateCommand('suspend', 'Suspends an app immediately'),
  stateCommand('resume', 'Ends the suspension of an app: what has not ended meanwhile works again'),
  {
    name: 'client secret add',
    summary: 'Creates a secret of an app and prints it once. Two can work at a time',
    arguments: '<id>',
    options: {
      '--overlap <seconds>': 'the other secret ends after this time (0: at once; without it: "client secret end")',
      ...BECAUSE_OPTION,
    },
    async run(call) {
      const [id, overlapSeconds] = [call.argument, call.number('overlap', 'a number of seconds')];
      const outcome = await call.get(ApplicationCredentials).addSecret(id, { overlapSeconds }, call.by);
      if (outcome.kind === 'not_found') throw noApp(id);
      if (outcome.kind === 'public_client')
        throw new CommandError('A public app, and one that authenticates by private_key_jwt, has no secret');
      if (outcome.kind === 'two_already') throw new CommandError('The app has two secrets: end one with "client secret end"');
      return { found: { client_secret: outcome.secret }, lines: [`client_secret: ${outcome.secret}`] };
    },
  },
  {
    name: 'client secret end',
    summary: 'Ends a secret of an app; without the secret’s id, lists them',
    arguments: '<id> [secret]',
    options: BECAUSE_OPTION,
    async run(call) {
      const [id, secretId, credentials] = [call.argument, call.secondArgument, call.get(ApplicationCredentials)];
      await findApp(call, id);
      if (secretId !== '' && !(await credentials.endSecret(id, secretId, {}, call.by)))
        throw new CommandError('The app has no such secret');
      const secrets = await credentials.secrets(id);
      return { found: secrets, lines: secrets.length > 0 ? secrets.map(secretLine) : ['The app has no secret.'] };
    },
  },
);
