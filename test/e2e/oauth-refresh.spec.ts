import { createTestApp, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { request, type HttpAnswer } from '../support/http.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;
let browser: BrowserSession;

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
  browser = new BrowserSession(server.url);
});
afterAll(() => server.close());

const ALL = 'openid read receive write offline';
const connect = (scope = ALL): Promise<Required<Tokens>> =>
  shop.connect(alice, { scope, prompt: 'consent' }, browser) as Promise<Required<Tokens>>;
const works = async (accessToken: string): Promise<boolean> =>
  (await graphql(server.url, '{ authorization { scopes } }', {}, { 'oauth2-token': accessToken })).data != null;
const refused = (answer: HttpAnswer): readonly [number, string] => [answer.status, answer.body.error];
const pairOf = ({ body }: HttpAnswer): { access: string; refresh: string } => ({ access: body.access_token, refresh: body.refresh_token });
/** Ends the replay window of every token now. */
const closeWindows = (): Promise<unknown> =>
  server.pool.query('UPDATE oauth_refresh_token SET replay_until = now() WHERE replay_until IS NOT NULL');

describe('POST /oauth2/token, grant_type=refresh_token', () => {
  it('returns a new pair; the previous access token stays valid until its expiry', async () => {
    const first = await connect();
    const answer = await shop.refresh(first.refresh_token);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token_type: 'bearer', scope: ALL, id_token: expect.any(String) });
    expect(answer.body.refresh_token).not.toBe(first.refresh_token);
    expect(await Promise.all([works(first.access_token), works(answer.body.access_token)])).toEqual([true, true]);
  });

  it('narrows the access token, and not later requests', async () => {
    const { refresh_token: token } = await connect();
    const narrow = await shop.refresh(token, { scope: 'read' });
    expect(narrow.body).toMatchObject({ scope: 'read', refresh_token: expect.any(String) });
    expect(narrow.body.id_token).toBeUndefined();
    expect((await shop.refresh(narrow.body.refresh_token)).body.scope).toBe(ALL);
  });

  it('leaves out what the authorization request left out, and never takes an empty rest for everything', async () => {
    const { refresh_token: token } = await connect('read offline');
    const answer = await shop.refresh(token, { scope: 'read profile email admin' });
    expect(answer.body).toMatchObject({ scope: 'read', refresh_token: expect.any(String) });
    for (const scope of ['admin', 'profile email'])
      expect(refused(await shop.refresh(answer.body.refresh_token, { scope }))).toEqual([400, 'invalid_scope']);
    expect((await shop.refresh(answer.body.refresh_token)).body.scope).toBe('read offline');
  });

  it('refuses more scopes than granted, without using the refresh token', async () => {
    const { refresh_token: token } = await connect('read offline');
    expect(refused(await shop.refresh(token, { scope: 'read write' }))).toEqual([400, 'invalid_scope']);
    expect(refused(await shop.refresh(token, { scope: 'read"' }))).toEqual([400, 'invalid_scope']);
    expect((await shop.refresh(token)).body.scope).toBe('read offline');
  });

  it.each([
    ['nothing', '', 'invalid_request'],
    ['no token of ours', 'sluice_rt_x', 'invalid_grant'],
    ['NUL', 'sluice_rt_\0', 'invalid_grant'],
  ])('refuses %s', async (_what, token, error) => {
    expect(refused(await shop.refresh(token))).toEqual([400, error]);
  });

  it('refuses one that was not used for too long', async () => {
    const { refresh_token: token } = await connect();
    await server.pool.query('UPDATE oauth_refresh_token SET expires_at = now() WHERE used_at IS NULL');
    expect(refused(await shop.refresh(token))).toEqual([400, 'invalid_grant']);
  });

  it('can be used for thirty days from each use', async () => {
    const { refresh_token: token } = await connect();
    await server.pool.query(`UPDATE oauth_refresh_token SET expires_at = now() + interval '1 minute' WHERE used_at IS NULL`);
    await shop.refresh(token);
    const { rows } = await server.pool.query(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM oauth_refresh_token ORDER BY created_at DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ days: 30 }]);
  });

  it('ends with its grant, however often it is used', async () => {
    const { refresh_token: token } = await connect();
    await server.pool.query('UPDATE oauth_grant SET absolute_expires_at = now() WHERE revoked_at IS NULL');
    expect(refused(await shop.refresh(token))).toEqual([400, 'invalid_grant']);
  });

  it('never outlives its grant', async () => {
    const { refresh_token: token } = await connect();
    await server.pool.query(
      `UPDATE oauth_grant SET absolute_expires_at = now() + interval '100 seconds' WHERE revoked_at IS NULL AND absolute_expires_at > now()`,
    );
    const answer = await shop.refresh(token);
    expect(answer.body.expires_in).toBeLessThan(100);
    const { rows } = await server.pool.query(
      `SELECT max(expires_at) <= now() + interval '100 seconds' AS capped FROM oauth_refresh_token WHERE used_at IS NULL AND created_at > now() - interval '5 seconds' AND grant_id = (SELECT grant_id FROM oauth_refresh_token ORDER BY created_at DESC LIMIT 1)`,
    );
    expect(rows).toEqual([{ capped: true }]);
  });

  it('returns fewer scopes once the client may have fewer', async () => {
    const app = await newOAuthApp(server);
    const { refresh_token: token } = (await app.connect(alice, { scope: 'read write offline' }, browser)) as Required<Tokens>;
    await server.pool.query(`UPDATE oauth_client SET scopes = '{read,offline}' WHERE id = $1`, [app.client.id]);
    const answer = await app.refresh(token);
    expect(answer.body.scope).toBe('read offline');
    await server.pool.query(`UPDATE oauth_client SET scopes = '{receive}' WHERE id = $1`, [app.client.id]);
    expect(refused(await app.refresh(answer.body.refresh_token))).toEqual([400, 'invalid_grant']);
  });

  it('stores nothing from which the tokens can be read', async () => {
    const { refresh_token: token } = await connect();
    const { body } = await shop.refresh(token);
    const { rows } = await server.pool.query(
      'SELECT row_to_json(t)::text AS text FROM (SELECT * FROM oauth_refresh_token) t UNION ALL SELECT row_to_json(t)::text FROM oauth_access_token t',
    );
    const everything = rows.map(({ text }) => text as string).join();
    const hex = (secret: string): string => Buffer.from(secret).toString('hex');
    for (const secret of [token, body.refresh_token, body.access_token]) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(hex(secret));
    }
  });
});

/** test/attack/rows/tokens.ts repeats them. */
describe('a used refresh token', () => {
  it('returns the same pair to a repeat inside the window, with what is left of its time', async () => {
    const { refresh_token: token } = await connect();
    const [first, later] = [await shop.refresh(token), await shop.refresh(token)];
    expect(pairOf(later)).toEqual(pairOf(first));
    expect(later.body.expires_in).toBeLessThanOrEqual(3_599);
    expect((await shop.refresh(later.body.refresh_token)).status).toBe(200);
  });

  it('is refused, without revocation, when it requests other scopes inside the window', async () => {
    const { refresh_token: token } = await connect();
    const { refresh } = pairOf(await shop.refresh(token));
    expect(refused(await shop.refresh(token, { scope: 'read' }))).toEqual([400, 'invalid_grant']);
    expect((await shop.refresh(refresh)).status).toBe(200);
  });

  it('logs the reason', async () => {
    const { refresh_token: token } = await connect();
    await shop.refresh(token);
    await closeWindows();
    await shop.refresh(token);
    const { rows } = await server.pool.query(
      'SELECT revoked_because FROM oauth_grant WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC LIMIT 1',
    );
    expect(rows).toEqual([{ revoked_because: 'refresh token used again' }]);
    expect(server.logs.some((line) => line.includes('reused'))).toBe(true);
  });
});

it('is counted in the metrics, beside requests, consents, connections and keys', async () => {
  const { refresh_token: token } = await connect();
  await shop.refresh(token);
  await shop.token({ grant_type: 'password' });
  await browser.get(shop.authorizeUrl({ scope: 'nothing' }));
  const { text } = await request(`${server.url}/metrics`);
  for (const line of [
    /^sluice_oauth_token_seconds_count\{grant="refresh_token",result="ok"\} [1-9]/m,
    /^sluice_oauth_token_seconds_count\{grant="unknown",result="unsupported_grant_type"\} 1$/m,
    /^sluice_oauth_authorize_total\{result="page"\} [1-9]/m,
    /^sluice_oauth_authorize_total\{result="invalid_scope"\} 1$/m,
    /^sluice_oauth_consents_total\{decision="allow"\} [1-9]/m,
    /^sluice_oauth_refreshes_total\{outcome="reused"\} [1-9]/m,
    /^sluice_oauth_grants\{state="live"\} [1-9]/m,
    /^sluice_oauth_grants\{state="refresh token used again"\} [1-9]/m,
    /^sluice_oauth_signing_key_age_seconds\{alg="RS256"\} \d/m,
    /^sluice_oauth_cleanup_delay_seconds 0$/m,
  ])
    expect(text).toMatch(line);
});
