import { OAuthCleanupJob } from '../../src/access/oauth/cleanup.job.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
});
beforeEach(async () => {
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());

const TABLES = ['oauth_interaction', 'oauth_code', 'oauth_access_token', 'oauth_refresh_token', 'oauth_grant'] as const;
const OF_CLIENT = 'grant_id IN (SELECT id FROM oauth_grant WHERE client_id = $1)';

/** The number of rows of this client, by table. */
async function rows(): Promise<Record<string, number>> {
  const counted = TABLES.map(async (table) => {
    const condition = table === 'oauth_access_token' ? OF_CLIENT : 'client_id = $1';
    const { rows: found } = await server.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${condition}`, [
      shop.client.id,
    ]);
    return [table.slice('oauth_'.length), found[0]?.n ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** Makes all rows of this client older by `days`. */
async function age(days: number): Promise<void> {
  const older = (table: string, columns: readonly string[], condition = 'client_id = $1'): Promise<unknown> =>
    server.pool.query(
      `UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} - make_interval(days => $2)`).join(', ')} WHERE ${condition}`,
      [shop.client.id, days],
    );
  await older('oauth_interaction', ['created_at', 'expires_at']);
  await older('oauth_code', ['created_at', 'expires_at']);
  await older('oauth_access_token', ['created_at', 'expires_at'], OF_CLIENT);
  await older('oauth_refresh_token', ['created_at', 'expires_at', 'used_at', 'replay_until']);
  await older('oauth_grant', ['created_at', 'absolute_expires_at', 'revoked_at', 'write_asked_at']);
}
const sweep = (): Promise<void> => server.get(OAuthCleanupJob).sweep();

it('deletes expired rows, and keeps those that a client may still use', async () => {
  const { refresh_token: token = '' } = await shop.connect(alice, { scope: 'read offline' });
  await shop.refresh(token);
  await sweep();
  expect(await rows()).toEqual({ interaction: 1, code: 1, access_token: 2, refresh_token: 2, grant: 1 });
  await age(2);
  await sweep();
  // Used refresh tokens stay as long as their grant.
  expect(await rows()).toEqual({ interaction: 0, code: 0, access_token: 0, refresh_token: 2, grant: 1 });
  await age(364);
  await sweep();
  expect(await rows()).toMatchObject({ refresh_token: 2, grant: 1 });
  await age(31);
  await sweep();
  expect(await rows()).toMatchObject({ refresh_token: 0, grant: 0 });
});

it('keeps revoked grants for a month', async () => {
  const tokens = await shop.connect(alice, { scope: 'read offline' });
  await shop.revoke(tokens.access_token);
  await age(29);
  await sweep();
  expect(await rows()).toMatchObject({ refresh_token: 1, grant: 1 });
  await age(2);
  await sweep();
  expect(await rows()).toMatchObject({ refresh_token: 0, grant: 0 });
});

it('keeps one of several equal prior consents, so that no person is asked again', async () => {
  const browser = new BrowserSession(server.url);
  for (let i = 0; i < 3; i++) await shop.connect(alice, { scope: 'read receive' }, browser);
  await shop.connect(alice, { scope: 'read' }, browser);
  expect(await rows()).toMatchObject({ grant: 4 });
  await age(31);
  await sweep();
  // The newest grant with both scopes stays, and the later one with fewer scopes.
  expect(await rows()).toMatchObject({ grant: 2 });
  expect((await browser.get(shop.authorizeUrl({ scope: 'read receive' }))).location).toContain('code=');
});

it('deletes in batches', async () => {
  await server.pool.query(
    `INSERT INTO oauth_interaction (id, challenge_hash, binding_hash, client_id, request, expires_at)
     SELECT gen_random_uuid(), sha256(n::text::bytea), '\\x00', $1, '{}', now() - interval '2 days' FROM generate_series(1, 1200) AS n`,
    [shop.client.id],
  );
  await sweep();
  expect(await rows()).toMatchObject({ interaction: 0 });
});
