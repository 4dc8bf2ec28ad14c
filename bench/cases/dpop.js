import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { hashToken, mintToken } from '../../dist/src/platform/kernel/token.js';
import { openCallers } from '../harness/graphql.js';
import { headOf } from '../harness/http-caller.js';
import { runLoad } from '../harness/load.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 16;
const BODY = JSON.stringify({ query: '{ globals { network } }' });
/** The result is the difference of two large numbers: it needs more and shorter rounds than other cases. */
const FINER = 2;

/** Access tokens as after a consent: with the thumbprint of a key, or bound to none. */
async function grantAll(client, people, jkt) {
  const tokens = people.map(() => mintToken('sluice_at'));
  const grants = people.map(() => randomUUID());
  await client.query(
    `INSERT INTO oauth_grant (id, user_id, client_id, scopes, session_id, auth_time, absolute_expires_at)
     SELECT g, u, (SELECT min(id) FROM oauth_client WHERE state = 'approved'), '{read}', gen_random_uuid(), now(), now() + interval '1 day'
       FROM unnest($1::uuid[], $2::uuid[]) AS x(g, u)`,
    [grants, people.map(({ userId }) => userId)],
  );
  await client.query(
    `INSERT INTO oauth_access_token (hash, grant_id, scopes, dpop_jkt, expires_at)
     SELECT h, g, '{read}', $3, now() + interval '1 day' FROM unnest($1::bytea[], $2::uuid[]) AS x(h, g)`,
    [tokens.map(hashToken), grants, jkt],
  );
  return tokens;
}

function newKey() {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  const encoded = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const head = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: { crv, kty, x, y } });
  return {
    jkt: createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url'),
    prove(claims) {
      const text = `${head}.${encoded({ jti: randomUUID(), iat: Math.floor(Date.now() / 1000), ...claims })}`;
      return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    },
  };
}

export default {
  name: 'dpop',
  title: 'a proof (DPoP, ES256) beside a warm access token, server CPU a request',
  reference: 'the same query, with a token that is bound to no key',
  unit: 'µs CPU',
  target: { atMost: 250, difference: true },
  async run({ fixture, server, client, plan }) {
    const callers = await openCallers(server.port, CALLERS);
    const keys = Array.from({ length: CALLERS }, newKey);
    const people = fixture.people.slice(0, CALLERS);
    const bound = await Promise.all(people.map((person, index) => grantAll(client, [person], keys[index].jkt)));
    const plain = await grantAll(client, people, null);
    const url = `http://localhost:${server.port}`;
    const nonceNow = async () => (await fetch(`${url}/userinfo`, { headers: { dpop: 'x' } })).headers.get('dpop-nonce');
    const cost = (headOfCaller) => async (ms) => {
      const nonce = await nonceNow();
      const { cpu } = await runLoad({
        callers: CALLERS,
        ms,
        pid: server.pid,
        work: (caller) => callers.ask(caller, headOfCaller(caller, nonce), BODY, '"regtest"'),
      });
      return { value: cpu, cpu };
    };
    const proved = (caller, nonce) => {
      const [token] = bound[caller];
      const ath = createHash('sha256').update(token).digest('base64url');
      const dpop = keys[caller].prove({ htm: 'POST', htu: `${url}/graphql`, nonce, ath });
      return headOf('/graphql', { 'oauth2-token': token, dpop });
    };
    const bare = (caller) => headOf('/graphql', { 'oauth2-token': plain[caller] });
    const finer = { ...plan, sliceMs: plan.sliceMs / FINER, rounds: plan.rounds * FINER };
    try {
      return await compare(finer, { ours: cost(proved), reference: cost(bare) }, (ours, reference) => ours.value - reference.value);
    } finally {
      callers.close();
    }
  },
};
