import {
  ApplicationCredentials,
  ApplicationService,
  type Application,
  type ClientSecret,
  type DecisionOutcome,
} from '../../access/oauth/index.js';
import { lineOf, noApp, shown } from './client.command.js';
import { BECAUSE_OPTION, actorIn, becauseIn } from './recording.js';
import {
  CommandError,
  commandsOf,
  hasOption,
  list,
  required,
  text,
  UsageError,
  type Arguments,
  type CommandOptions,
  type CommandResult,
  type ResultCommand,
  type OperatorContext,
} from '../command/index.js';

const SEEN_OPTION: CommandOptions = {
  '--seen <version>': 'the version that "client show" has shown; needed for an app of a user, who could change it meanwhile',
};

async function find(app: OperatorContext, id: string): Promise<Application> {
  const application = await app.get(ApplicationService).find(id);
  if (!application) throw noApp(id);
  return application;
}

/** The version to decide. An app of the operator has one author, so that no other person changes it meanwhile. */
function versionIn(args: Arguments, { id, version, ownerId }: Application): number {
  const given = text(args, 'seen');
  if (given === undefined && ownerId !== null)
    throw new UsageError(`Look at version ${version} with "client show ${id}", then decide with --seen ${version}`);
  if (given !== undefined && !/^\d{1,9}$/.test(given)) throw new UsageError('--seen must be a number');
  return Number(given ?? version);
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
  async run(app, args) {
    const id = required(args, 'The app’s id');
    becauseIn(args);
    if (!(await app.get(ApplicationService)[change](id, actorIn(app, args)))) throw noApp(id);
    const application = await find(app, id);
    return { found: application, lines: [lineOf(application)] };
  },
});

function overlapIn(args: Arguments): number | undefined {
  const given = text(args, 'overlap');
  if (given !== undefined && !/^\d{1,8}$/.test(given)) throw new UsageError('--overlap must be a number of seconds');
  return given === undefined ? undefined : Number(given);
}

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
    async run(app, args) {
      const id = required(args, 'The app’s id');
      becauseIn(args);
      const application = await find(app, id);
      // Scripts of earlier versions approve after "client register", which approves by itself.
      if (application.status === 'approved') return shown(application);
      const approval = {
        version: versionIn(args, application),
        withoutScopes: list(args, 'without-scope'),
        requirePkce: hasOption(args, 'require-pkce'),
        ...(hasOption(args, 'verified') && { verified: true }),
      };
      return decided(await app.get(ApplicationService).approve(id, approval, actorIn(app, args)));
    },
  },
  {
    name: 'client refuse',
    summary: 'Refuses what an app asks for; an approved version keeps working. Its developer reads --because',
    arguments: '<id>',
    requiredOptions: BECAUSE_OPTION,
    options: SEEN_OPTION,
    async run(app, args) {
      const id = required(args, 'The app’s id');
      const [reason, application] = [becauseIn(args), await find(app, id)];
      const version = application.state === 'waiting' ? versionIn(args, application) : application.version;
      return decided(await app.get(ApplicationService).refuse(id, { version, reason }, actorIn(app, args)));
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
    async run(app, args) {
      const [id, overlapSeconds] = [required(args, 'The app’s id'), overlapIn(args)];
      const outcome = await app.get(ApplicationCredentials).addSecret(id, { overlapSeconds }, actorIn(app, args));
      if (outcome.kind === 'not_found') throw noApp(id);
      if (outcome.kind === 'public_client') throw new CommandError('A public app has no secret');
      if (outcome.kind === 'two_already') throw new CommandError('The app has two secrets: end one with "client secret end"');
      return { found: { client_secret: outcome.secret }, lines: [`client_secret: ${outcome.secret}`] };
    },
  },
  {
    name: 'client secret end',
    summary: 'Ends a secret of an app; without the secret’s id, lists them',
    arguments: '<id> [secret]',
    options: BECAUSE_OPTION,
    async run(app, args) {
      const [id, secretId, credentials] = [required(args, 'The app’s id'), args.positionals[1], app.get(ApplicationCredentials)];
      await find(app, id);
      if (secretId !== undefined && !(await credentials.endSecret(id, secretId, {}, actorIn(app, args))))
        throw new CommandError('The app has no such secret');
      const secrets = await credentials.secrets(id);
      return { found: secrets, lines: secrets.length > 0 ? secrets.map(secretLine) : ['The app has no secret.'] };
    },
  },
);
