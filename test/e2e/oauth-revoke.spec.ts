import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());

const connect = (): Promise<Required<Tokens>> => shop.connect(alice, { scope: 'read offline' }) as Promise<Required<Tokens>>;
const works = async (accessToken: string): Promise<boolean> =>
  (await graphql(server.url, '{ me { id } }', {}, { 'oauth2-token': accessToken })).data != null;
const dies = (accessToken: string): Promise<unknown> => eventually(async () => !(await works(accessToken)));

describe('POST /oauth2/revoke', () => {
  it.each(['refresh_token', 'access_token'] as const)('revokes the grant by its %s', async (kind) => {
    const tokens = await connect();
    expect(await works(tokens.access_token)).toBe(true);
    const answer = await shop.revoke(tokens[kind]);
    expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([200, '{}', 'no-store']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    await dies(tokens.access_token);
    expect((await shop.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('accepts a rotated token, and any token_type_hint', async () => {
    const tokens = await connect();
    const next = (await shop.refresh(tokens.refresh_token)).body;
    expect((await shop.revoke(tokens.refresh_token, { token_type_hint: 'access_token' })).status).toBe(200);
    await dies(next.access_token);
    expect((await shop.revoke(next.refresh_token, { token_type_hint: 'nonsense' })).status).toBe(200);
  });

  it.each(['sluice_rt_unknown', 'nonsense', 'a\0b', `sluice_at_${'0'.repeat(49)}`])('answers the same for %s', async (token) => {
    const answer = await shop.revoke(token);
    expect([answer.status, answer.text]).toEqual([200, '{}']);
  });

  it('does not revoke tokens of other clients, and logs the attempt', async () => {
    const other = await newOAuthApp(server);
    const tokens = await connect();
    expect((await other.revoke(tokens.refresh_token)).status).toBe(200);
    expect((await shop.refresh(tokens.refresh_token)).status).toBe(200);
    expect(server.logs.some((line) => line.includes('oauth_revocation_rejected'))).toBe(true);
  });

  it('refuses malformed requests', async () => {
    expect((await shop.revoke('')).body).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    expect((await shop.revoke('ey.J.x')).body.error).toBe('unsupported_token_type');
    const stranger = await fetch(`${server.url}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams({ token: 'x' }) });
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, `Basic realm="${server.url}", charset="UTF-8"`]);
    const get = await fetch(`${server.url}/oauth2/revoke`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('identifies public clients by client_id', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    const tokens = (await native.connect(alice, { scope: 'read offline' })) as Required<Tokens>;
    expect((await native.revoke(tokens.refresh_token)).status).toBe(200);
    await dies(tokens.access_token);
  });
});
