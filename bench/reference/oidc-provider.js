// The reference for refreshing: oidc-provider with rotation, on its own in-memory adapter.
import { createServer } from 'node:http';
import { once } from 'node:events';
import Provider from 'oidc-provider';

/** Longer than its callers are idle while Sluice is measured. */
const KEPT_MS = 60_000;

const { callers } = JSON.parse(process.argv[2]);
const client = { client_id: 'bench', client_secret: 'a-secret-that-guards-nothing' };

const provider = new Provider('http://localhost', {
  clients: [{ ...client, redirect_uris: ['http://localhost/callback'], grant_types: ['authorization_code', 'refresh_token'] }],
  rotateRefreshToken: true,
  features: { devInteractions: { enabled: false } },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  ttl: { AccessToken: 3600, RefreshToken: 86_400, Grant: 86_400 },
});

async function firstToken(accountId) {
  const grant = new provider.Grant({ accountId, clientId: client.client_id });
  grant.addOIDCScope('offline_access');
  const token = new provider.RefreshToken({
    accountId,
    client: await provider.Client.find(client.client_id),
    grantId: await grant.save(),
    scope: 'offline_access',
    gty: 'authorization_code',
    iiat: Math.floor(Date.now() / 1000),
    rotations: 0,
  });
  return token.save();
}

const tokens = await Promise.all(Array.from({ length: callers }, (_, caller) => firstToken(`account-${caller}`)));
const server = createServer({ keepAliveTimeout: KEPT_MS }, provider.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send({ port: server.address().port, tokens, clientId: client.client_id, clientSecret: client.client_secret });
