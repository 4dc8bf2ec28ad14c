// oidc-provider 9 with its own pages, its own store in memory, and rotation of refresh tokens: the other server under attack.
// By hand: node test/attack/rows/oidc-provider.mjs prints how to attack it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const { Provider } = createRequire(new URL('../../client/package.json', import.meta.url))('oidc-provider');

const now = Date.now.bind(Date);
let passed = 0;
Date.now = () => now() + passed;

const CALLBACK = 'https://app.example.test/callback';
const confidential = (id) => ({
  client_id: id,
  client_secret: `the-secret-of-${id}`,
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token'],
});
const clients = [
  confidential('shop'),
  confidential('another'),
  {
    client_id: 'native',
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
  },
];

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://localhost:${server.address().port}`;
const provider = new Provider(issuer, {
  clients,
  rotateRefreshToken: true,
  features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
});
server.on('request', provider.callback());

process.on('message', (seconds) => {
  passed += seconds * 1_000;
  process.send('passed');
});
if (process.send) process.send({ issuer, clients });
else
  console.log(
    `npm run attack -- --issuer ${issuer} --client shop:the-secret-of-shop --second another:the-secret-of-another --native native ` +
      `--redirect ${CALLBACK} --user alice --password any`,
  );
