import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashToken, mintToken } from '../../dist/src/platform/kernel/token.js';
import { graphqlHead, openCallers } from '../harness/graphql.js';
import { headOf } from '../harness/http-caller.js';
import { runLoad } from '../harness/load.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 16;
const BODY = JSON.stringify({ query: '{ globals { network } }' });
/** The result is the difference of two large numbers: it needs more and shorter rounds than other cases. */
const FINER = 2;

/** @param headsOf gets the people of the callers, and the stage; the heads of their requests */
const caseOf = ({ headsOf, ...named }) => ({
  reference: 'the same query, anonymous',
  unit: 'µs CPU',
  ...named,
  async run({ fixture, server, plan, ...stage }) {
    const callers = await openCallers(server.port, CALLERS);
    const known = await headsOf(fixture.people.slice(0, CALLERS), stage);
    const anonymous = known.map(() => graphqlHead());
    const cost = (heads) => async (ms) => {
      const { cpu } = await runLoad({
        callers: CALLERS,
        ms,
        pid: server.pid,
        work: (caller) => callers.ask(caller, heads[caller], BODY, '"regtest"'),
      });
      return { value: cpu, cpu };
    };
    const finer = { ...plan, sliceMs: plan.sliceMs / FINER, rounds: plan.rounds * FINER };
    try {
      return await compare(finer, { ours: cost(known), reference: cost(anonymous) }, (ours, reference) => ours.value - reference.value);
    } finally {
      callers.close();
    }
  },
});

/** Access tokens of the demo's app for these people, as after a consent. */
async function grantAll(people, { client, dataDir }) {
  const { oauthClient } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  const tokens = people.map(() => mintToken('sluice_at'));
  await client.query(
    `WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS x(g, u, h)),
          granted AS (INSERT INTO oauth_grant (id, user_id, client_id, scopes, session_id, auth_time, absolute_expires_at)
                      SELECT g, u, $4, ARRAY['read'], gen_random_uuid(), now(), now() + interval '1 day' FROM asked)
     INSERT INTO oauth_access_token (hash, grant_id, scopes, expires_at) SELECT h, g, ARRAY['read'], now() + interval '1 day' FROM asked`,
    [people.map(() => randomUUID()), people.map(({ userId }) => userId), tokens.map(hashToken), oauthClient.clientId],
  );
  return tokens;
}

export const authentication = caseOf({
  name: 'authentication',
  title: 'API authentication of a warm key, server CPU a request',
  target: { atMost: 20, difference: true },
  headsOf: (people) => people.map(({ key }) => graphqlHead(key)),
});

export const tokenAuthentication = caseOf({
  name: 'authentication-token',
  title: 'API authentication of a warm access token, as Bearer, server CPU a request',
  target: { atMost: 15, difference: true },
  async headsOf(people, stage) {
    const tokens = await grantAll(people, stage);
    return tokens.map((token) => headOf('/graphql', { authorization: `Bearer ${token}` }));
  },
});
