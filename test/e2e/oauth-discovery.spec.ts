import { AdvisoryLock } from '../../src/platform/database/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';

let server: TestApp;
const WAITING_FOR_TURN = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${AdvisoryLock.signingKeys} AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());

describe('discovery', () => {
  it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    '%s lists the supported features',
    async (path) => {
      const { status, headers, body } = await request(`${server.url}${path}`);
      const at = (place: string): string => `${server.url}${place}`;
      expect(status).toBe(200);
      expect(body).toEqual({
        issuer: server.url,
        authorization_endpoint: at('/oauth2/auth'),
        token_endpoint: at('/oauth2/token'),
        userinfo_endpoint: at('/userinfo'),
        jwks_uri: at('/.well-known/jwks.json'),
        revocation_endpoint: at('/oauth2/revoke'),
        scopes_supported: expect.arrayContaining(['openid', 'offline', 'offline_access', 'read', 'receive', 'write']),
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
        revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
        code_challenge_methods_supported: ['S256'],
        claims_supported: expect.arrayContaining(['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash']),
        prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        claims_parameter_supported: false,
        authorization_response_iss_parameter_supported: true,
      });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('lists endpoints that exist', async () => {
    const { body } = await request(`${server.url}/.well-known/openid-configuration`);
    for (const [name, url] of Object.entries(body as Record<string, string>).filter(([key]) => /_endpoint$|_uri$/.test(key))) {
      expect([name, (await request(url, { method: 'POST' })).status]).not.toEqual([name, 404]);
    }
  });

  it('answers HEAD, and refuses other methods', async () => {
    expect((await request(`${server.url}/.well-known/openid-configuration`, { method: 'HEAD' })).status).toBe(200);
    const answer = await request(`${server.url}/.well-known/jwks.json`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('/.well-known/jwks.json', () => {
  it('contains public keys, and no private part', async () => {
    const { headers, body } = await request(`${server.url}/.well-known/jwks.json`);
    expect(body.keys).toHaveLength(1);
    expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(body.keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(headers.get('cache-control')).toBe('public, max-age=300');
  });

  it('is the same on every process, also after simultaneous first requests', async () => {
    const one = await createTestApp();
    const beside = await createTestApp({ beside: one });
    try {
      const sets = await Promise.all([one, beside, one, beside].map(({ url }) => request(`${url}/.well-known/jwks.json`)));
      expect(new Set(sets.map(({ text }) => text)).size).toBe(1);
    } finally {
      await beside.close();
      await one.close();
    }
  });

  it('contains the key that another process created while this one waited for the lock', async () => {
    const one = await createTestApp();
    const { keys } = (await request(`${one.url}/.well-known/jwks.json`)).body;
    const { rows } = await one.pool.query('DELETE FROM signing_key RETURNING kid, public_jwk, private_box');
    const waiting = await createTestApp({ beside: one });
    const other = await one.pool.connect();
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${AdvisoryLock.signingKeys})`);
      const answer = request(`${waiting.url}/.well-known/jwks.json`);
      await eventually(async () => (await one.pool.query(WAITING_FOR_TURN)).rowCount);
      await other.query('INSERT INTO signing_key (kid, public_jwk, private_box, signs_from) VALUES ($1, $2, $3, clock_timestamp())', [
        rows[0].kid,
        JSON.stringify(rows[0].public_jwk),
        rows[0].private_box,
      ]);
      await other.query('COMMIT');
      expect((await answer).body.keys).toEqual(keys);
    } finally {
      other.release();
      await waiting.close();
      await one.close();
    }
  });
});
