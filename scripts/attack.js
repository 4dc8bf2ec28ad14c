// npm run attack -- --issuer <url> ...: the rows of test/attack that make sense for any authorization server, against the one that is named.
import './node-version.js';

const { once } = await import('node:events');
const { parseArgs } = await import('node:util');
const { ensureInstalled } = await import('./install.js');
const { startJest } = await import('./jest.js');

const HELP = `npm run attack -- --issuer <url> --client <id:secret> --second <id:secret> --native <id> --redirect <uri> --user <name> --password <text>
  --issuer           the server's address, below which its discovery document is
  --also             another process of the same server; may be repeated
  --client           a client with a secret, for the grant types authorization_code and refresh_token
  --second           another one
  --native           a client without a secret
  --redirect         the callback URL of --client and --second
  --native-redirect  that of --native (http://127.0.0.1/cb)
  --user, --password a person who may sign in
  --row              only rows whose title contains this, for example A-27
It waits where the server's limits say so, and a minute in rows about late repetition. It changes nothing but the access of these clients.
`;
const TEXT = { type: 'string' };
const { values } = parseArgs({
  options: {
    issuer: TEXT,
    also: { type: 'string', multiple: true, default: [] },
    client: TEXT,
    second: TEXT,
    native: TEXT,
    redirect: TEXT,
    'native-redirect': { type: 'string', default: 'http://127.0.0.1/cb' },
    user: TEXT,
    password: TEXT,
    row: TEXT,
    help: { type: 'boolean', default: false },
  },
});
const missing = ['issuer', 'client', 'second', 'native', 'redirect', 'user', 'password'].filter((name) => values[name] === undefined);
if (values.help || missing.length > 0) {
  if (!values.help) console.error(`Missing: ${missing.map((name) => `--${name}`).join(' ')}`);
  (values.help ? console.log : console.error)(HELP);
  process.exit(values.help ? 0 : 2);
}

const clientOf = (text) => {
  const [id, ...secret] = text.split(':');
  return { id, secret: secret.join(':'), redirectUri: values.redirect };
};
const target = {
  issuer: values.issuer,
  also: values.also,
  client: clientOf(values.client),
  second: clientOf(values.second),
  native: { id: values.native, redirectUri: values['native-redirect'] },
  person: { user: values.user, password: values.password },
};
ensureInstalled({ dev: true });
const chosen = values.row === undefined ? [] : ['--testNamePattern', values.row];
const jest = startJest(['--runInBand', '--verbose', ...chosen, 'test/attack/black-box'], {
  stdio: 'inherit',
  env: { ...process.env, ATTACK_TARGET: JSON.stringify(target) },
});
[process.exitCode] = await once(jest, 'close');
