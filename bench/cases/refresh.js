import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashToken, mintToken } from '../../dist/src/platform/kernel/token.js';
import { startReference } from '../harness/child.js';
import { HttpCaller, headOf } from '../harness/http-caller.js';
import { runLoad } from '../harness/load.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 32;
const SCOPES = ['read', 'offline'];

/** Grants and their first refresh tokens, as after a consent. */
async function grantAll(client, people, clientId) {
  const tokens = people.map(() => mintToken('sluice_rt'));
  const grants = people.map(() => randomUUID());
  await client.query(
    `INSERT INTO oauth_grant (id, user_id, client_id, scopes, session_id, auth_time, absolute_expires_at)
     SELECT g, u, $3, $4, gen_random_uuid(), now(), now() + interval '1 day' FROM unnest($1::uuid[], $2::uuid[]) AS x(g, u)`,
    [grants, people.map(({ userId }) => userId), clientId, SCOPES],
  );
  await client.query(
    `INSERT INTO oauth_refresh_token (hash, grant_id, client_id, scopes, expires_at)
     SELECT h, g, $3, $4, now() + interval '1 day' FROM unnest($1::bytea[], $2::uuid[]) AS x(h, g)`,
    [tokens.map(hashToken), grants, clientId, SCOPES],
  );
  return tokens;
}

/** Each caller has its own chain: it presents the token of its last response. */
async function openChains(port, path, { clientId, clientSecret }, first, processes) {
  const callers = await HttpCaller.openMany(port, first.length);
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const head = headOf(path, { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' });
  const tokens = [...first];
  const work = async (caller) => {
    const before = tokens[caller];
    const answer = await callers[caller].post(head, `grant_type=refresh_token&refresh_token=${before}`);
    tokens[caller] = JSON.parse(answer).refresh_token;
    if (!tokens[caller] || tokens[caller] === before) throw new Error(`The token was not rotated: ${answer}`);
  };
  return {
    run: (ms) => runLoad({ callers: CALLERS, ms, ...processes, work }),
    close: () => callers.forEach((caller) => caller.close()),
  };
}

export default {
  name: 'refresh',
  title: `refresh grant with rotation, synchronous_commit=on, ${CALLERS} callers`,
  reference: 'oidc-provider 9 with rotation, in memory',
  unit: 'refreshes/s',
  target: { atLeast: 2 },
  cost: { all: 0.35 },
  async run({ fixture, server, client, dataDir, plan }) {
    const { oauthClient } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
    const { rows } = await client.query(`SELECT current_setting('synchronous_commit') AS durable`);
    if (rows[0].durable !== 'on') throw new Error('synchronous_commit is not on');
    const provider = await startReference('oidc-provider', { callers: CALLERS });
    const first = await grantAll(client, fixture.people.slice(0, CALLERS), oauthClient.clientId);
    const ours = await openChains(server.port, '/oauth2/token', oauthClient, first, { pid: server.pid, databasePid: server.databasePid });
    const theirs = await openChains(provider.ready.port, '/token', provider.ready, provider.ready.tokens, { pid: provider.pid });
    try {
      return await compare(plan, { ours: ours.run, reference: theirs.run });
    } finally {
      ours.close();
      theirs.close();
      await provider.stop();
    }
  },
};
