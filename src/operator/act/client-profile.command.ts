import { ClientProfiles, DEFAULT_PROFILE, type ClientProfile } from '../../access/oauth/index.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { BECAUSE_OPTION, CommandError, commandsOf, UsageError, type CommandOptions, type OperatorCall } from '../command/index.js';
import { noApp } from './client.command.js';

const OPTIONS: CommandOptions = {
  '--auth-method <method>': 'secret (the default), or private_key_jwt with --jwks or --jwks-uri',
  '--jwks <json>': 'the public keys of private_key_jwt',
  '--jwks-uri <url>': 'where the app publishes these keys',
  '--require-par': 'refuses authorization requests that were not pushed (RFC 9126)',
  '--require-dpop': 'gives tokens only to a key of the app (RFC 9449)',
  '--id-token-alg <alg>': 'RS256 (the default), ES256 or EdDSA',
  '--resource <url>': 'the app is your service at this address: it may look at tokens for it (RFC 7662)',
  '--service-scope <scope...>': 'what the app may ask for without a user, by client_credentials',
  '--post-logout-redirect-uri <url...>': 'where a browser may go after the end of a session',
  '--backchannel-logout-uri <url>': 'where Sluice posts the end of a session',
  '--authorization-details <json>': 'what the app asks for where its request names no authorization_details (RFC 9396)',
};
const FIELDS: Readonly<Record<string, keyof ClientProfile>> = {
  'auth-method': 'authMethod',
  jwks: 'jwks',
  'jwks-uri': 'jwksUri',
  'require-par': 'requirePar',
  'require-dpop': 'requireDpop',
  'id-token-alg': 'idTokenAlg',
  resource: 'resource',
  'service-scope': 'serviceScopes',
  'post-logout-redirect-uri': 'postLogoutRedirectUris',
  'backchannel-logout-uri': 'backchannelLogoutUri',
  'authorization-details': 'authorizationDetails',
};

function jsonIn(call: OperatorCall, option: string): unknown {
  const value = orNone(() => JSON.parse(call.text(option) ?? '') as unknown);
  if (value === undefined) throw new UsageError(`--${option} must be JSON`);
  return value;
}

function valueIn(call: OperatorCall, option: string): unknown {
  const byDefault = DEFAULT_PROFILE[FIELDS[option] as keyof ClientProfile];
  if (option === 'jwks' || option === 'authorization-details') return jsonIn(call, option);
  if (typeof byDefault === 'boolean') return true;
  return Array.isArray(byDefault) ? call.list(option) : call.text(option);
}

/** The fields that the options name, and the defaults of those that --reset names. */
function changeIn(call: OperatorCall): Partial<ClientProfile> {
  const resets = call.list('reset').map((option) => {
    const field = FIELDS[option];
    if (field === undefined) throw new UsageError(`--reset takes names of options: ${Object.keys(FIELDS).join(', ')}`);
    return [field, DEFAULT_PROFILE[field]] as const;
  });
  const given = Object.entries(FIELDS).filter(([option]) => call.has(option));
  return Object.fromEntries([...resets, ...given.map(([option, field]) => [field, valueIn(call, option)] as const)]);
}

export const clientProfileCommands = commandsOf({
  name: 'client profile',
  summary: 'Shows or sets what an app may and must do beyond its application',
  arguments: '<id>',
  options: { ...OPTIONS, '--reset <option...>': 'options that return to their defaults', ...BECAUSE_OPTION },
  async run(call) {
    const outcome = await call.get(ClientProfiles).set(call.argument, changeIn(call), call.by);
    if (outcome.kind === 'not_found') throw noApp(call.argument);
    if (outcome.kind === 'invalid') throw new CommandError(outcome.faults.join('\n'));
    if (outcome.kind === 'resource_taken') throw new CommandError('Another app is the service of this address');
    const { profile } = outcome;
    const lines = Object.entries(FIELDS).map(([option, field]) => `${option}: ${JSON.stringify(profile[field])}`);
    return { found: profile, lines };
  },
});
