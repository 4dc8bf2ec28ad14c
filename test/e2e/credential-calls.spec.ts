import { CallService, type CallRow } from '../../src/access/call/index.js';
import { CallLog, MAX_CALLS } from '../../src/edge/auth/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { post, request } from '../support/http.js';
import { CALLBACK, newOAuthApp, newPkce, type OAuthApp } from '../support/oauth-app.js';
import { recordStatements } from '../support/statements.js';

/** In everything that must not be stored. */
const MARK = 'MarkedSecret7';

let app: TestApp;
let developer: Person;
let payer: Person;
let browser: BrowserSession;
let shop: OAuthApp;

beforeAll(async () => {
  app = await createTestApp({
    env: { THROTTLE_TOKEN_ADDRESS: '10000/60', THROTTLE_TOKEN_CLIENT: '10000/60', THROTTLE_AUTHORIZATION_PAGE: '10000/60' },
  });
  [developer, payer] = [await new Fixture(app).user(), await new Fixture(app).user()];
  browser = await signedIn(developer);
});
beforeEach(async () => {
  shop = await newOAuthApp(app);
  await app.pool.query('UPDATE oauth_application SET owner_id = $2 WHERE id = $1', [shop.client.id, developer.userId]);
});
afterAll(() => app.close());

async function signedIn({ email }: Person): Promise<BrowserSession> {
  const session = new BrowserSession(app.url);
  await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
  return session;
}
const refusals = (): Promise<CallRow[]> => app.get(CallService).list('client', [shop.client.id]);
const page = (by = browser): Promise<Visit> => by.get(`/dashboard/developer/${shop.client.id}`);
const code = (): Promise<string> => shop.code(payer, {}, new BrowserSession(app.url));
const callsOf = (id: string): Promise<CallRow[]> => app.get(CallService).list('api-key', [id]);
const idOf = async (as: CredentialHeaders): Promise<string> => {
  const sent = recordStatements(app);
  await post(`${app.url}/graphql`, { query: '{ __typename }' }, as);
  await app.get(CallLog).flush();
  const [, values] = sent.find(([text]) => text.includes('INSERT INTO credential_call')) ?? ['', []];
  return (values[0] as string[])[0] ?? '';
};

/** Refuses one request; the cause, and what was sent beside what is registered. */
const CASES: [string, () => Promise<unknown>, Partial<CallRow>][] = [
  [
    'another redirect URI',
    () => browser.get(shop.authorizeUrl({ redirect_uri: `${CALLBACK}s?code=${MARK}` })),
    { operation: '/oauth2/auth', outcome: 'redirect_uri', sent: `${CALLBACK}s`, registered: CALLBACK },
  ],
  [
    'another query of the redirect URI',
    () => browser.get(shop.authorizeUrl({ redirect_uri: `${CALLBACK}?token=${MARK}` })),
    { outcome: 'redirect_query', sent: CALLBACK, registered: CALLBACK },
  ],
  [
    'a short state, which goes to the app as an error',
    () => browser.get(shop.authorizeUrl({ state: 'short' })),
    { operation: '/oauth2/auth', outcome: 'state must have at least 8 bytes, unless PKCE with S256 is used' },
  ],
  [
    'a wrong client secret',
    () => shop.token({ grant_type: 'authorization_code', client_id: shop.client.id, client_secret: MARK }, {}),
    { operation: '/oauth2/token', outcome: 'client', sent: 'credentials in the body' },
  ],
  ['an unknown code', () => shop.exchange(MARK), { operation: '/oauth2/token', outcome: 'code_unknown' }],
  [
    'a code twice',
    async () => {
      const once = await code();
      await shop.exchange(once);
      await shop.exchange(once);
    },
    { outcome: 'code_used' },
  ],
  [
    'a code that has expired',
    async () => {
      const late = await code();
      await app.pool.query(`UPDATE oauth_code SET expires_at = now() - interval '74.5 seconds' WHERE client_id = $1`, [shop.client.id]);
      await shop.exchange(late);
    },
    { outcome: 'code_expired', sent: '75 s after its end' },
  ],
  [
    'another code_verifier',
    async () => {
      const pkce = { code_challenge: newPkce().challenge, code_challenge_method: 'S256' };
      await shop.exchange(await shop.code(payer, pkce, new BrowserSession(app.url)), { code_verifier: MARK.padEnd(43, 'x') });
    },
    { outcome: 'verifier', sent: 'a code_verifier of 43 characters' },
  ],
  ['no grant_type', () => shop.token({}), { operation: '/oauth2/token', outcome: 'grant_type is missing' }],
  ['an unknown refresh token', () => shop.refresh(MARK), { outcome: 'refresh_unknown' }],
  ['no token to revoke', () => shop.revoke(''), { operation: '/oauth2/revoke', outcome: 'token is missing' }],
  [
    'a token without the scope',
    async () => {
      const { access_token: token } = await shop.connect(payer, {}, new BrowserSession(app.url));
      const query = `mutation { lnInvoiceCreate(input: { walletId: "${payer.wallets.BTC}", amount: 1, memo: "${MARK}" }) { errors { code } } }`;
      await graphql(app.url, query, {}, { 'oauth2-token': token });
    },
    { operation: 'lnInvoiceCreate', outcome: 'scope', sent: 'a token with read', registered: 'needs receive or write' },
  ],
  [
    'an expired token',
    async () => {
      const { access_token: token } = await shop.connect(payer, {}, new BrowserSession(app.url));
      await app.pool.query(`UPDATE oauth_access_token SET expires_at = now() - interval '9.5 seconds'`);
      await request(`${app.url}/graphql?query={__typename}&secret=${MARK}`, { headers: { 'oauth2-token': token } });
    },
    { operation: 'API', outcome: 'token_expired', sent: '10 s after its end' },
  ],
  [
    'a token in the wrong header',
    async () => {
      const { access_token: token } = await shop.connect(payer, {}, new BrowserSession(app.url));
      await request(`${app.url}/graphql?query={__typename}`, { headers: { 'x-api-key': token } });
    },
    { operation: 'API', outcome: 'wrong_header', sent: 'a token in x-api-key' },
  ],
];

describe('why requests of an app fail, for its developer', () => {
  it.each(CASES)('%s', async (_, refuse, expected) => {
    await refuse();
    expect(await refusals()).toEqual([expect.objectContaining({ count: 1, ...expected })]);
  });

  it('marks the first character that differs, and says what to change', async () => {
    await browser.get(shop.authorizeUrl({ redirect_uri: `${CALLBACK.replace('callback', 'Callback')}?x=${MARK}` }));
    const { text } = await page();
    expect(text).toContain('/<mark>C</mark>allback');
    expect(text).toContain('Send a registered URL, byte for byte, or register this one.');
    expect(text).not.toContain(MARK);
  });

  it('keeps the response as terse as it was', async () => {
    const { body } = await shop.exchange(MARK);
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description: 'The grant is invalid, expired, revoked or was issued to another client',
    });
  });

  it('attack: no secret, code, token, verifier or query of a refused request is stored', async () => {
    for (const [, refuse] of CASES) await refuse();
    const { access_token: token } = await shop.connect(payer, { scope: 'read' }, new BrowserSession(app.url));
    await request(`${app.url}/graphql`, { headers: { authorization: `Bearer ${token}` } });
    await request(`${app.url}/graphql`, { headers: { authorization: `Bearer ${payer.keys.read}` } });
    await app.get(CallLog).flush();
    const { rows } = await app.pool.query<{ row: string }>('SELECT c::text AS row FROM credential_call c');
    const stored = rows.map(({ row }) => row).join('\n');
    expect(rows.length).toBeGreaterThan(10);
    for (const secret of [MARK, token, payer.keys.read, shop.secret, 'sluice_']) expect(stored).not.toContain(secret);
  });

  it('attack: a flood that names the client takes one row and one statement, and pushes no other cause out', async () => {
    await shop.token({});
    await app.get(CallLog).flush();
    const sent = recordStatements(app);
    const wrong = { grant_type: 'authorization_code', client_id: shop.client.id, client_secret: MARK };
    await Promise.all(Array.from({ length: 150 }, () => shop.token(wrong, {})));
    for (let n = 0; n < 5_000; n++) app.get(CallLog).refused(`unknown-${n}`, '/oauth2/token', { cause: 'client' });
    await app.get(CallLog).flush();
    const written = sent.filter(([text]) => text.includes('INSERT INTO credential_call'));
    expect(written.length).toBeLessThan(30);
    for (const [, [owners]] of written) expect((owners as string[]).length).toBeLessThanOrEqual(1_000);
    expect((await refusals()).map(({ outcome, count }) => [outcome, count]).sort()).toEqual([
      ['client', 150],
      ['grant_type is missing', 1],
    ]);
  });

  it('attack: hides the list from other people', async () => {
    await shop.exchange(MARK);
    expect((await page()).text).toContain('The authorization code is unknown');
    expect((await page(await signedIn(payer))).status).toBe(404);
  });

  it('forgets what is older than a day', async () => {
    await shop.exchange(MARK);
    expect(await refusals()).toHaveLength(1);
    await app.pool.query(`UPDATE credential_call SET at = now() - interval '25 hours'`);
    expect(await refusals()).toEqual([]);
    await app.get(CallService).sweep();
    expect((await app.pool.query('SELECT FROM credential_call WHERE owner = $1', [shop.client.id])).rows).toEqual([]);
  });
});

describe('the latest calls of an API key, for its owner', () => {
  let owner: Person;
  let id: string;

  beforeEach(async () => {
    owner = await new Fixture(app).user();
    id = await idOf(owner.as('read'));
  });

  const ask = (query: string): Promise<unknown> => graphql(app.url, query, {}, owner.as('read'));

  it('are listed with operation, outcome and cost, the latest first', async () => {
    await ask(`{ alias: me { id } globals { network } }`);
    await ask(`mutation { lnInvoiceCreate(input: { walletId: "${owner.wallets.BTC}", amount: 1, memo: "${MARK}" }) { errors { code } } }`);
    await ask('{ nonsense }');
    expect((await callsOf(id)).map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['invalid document', 'GRAPHQL_VALIDATION_FAILED'],
      ['lnInvoiceCreate', 'INSUFFICIENT_SCOPE'],
      ['me, globals', 'OK'],
      ['__typename', 'OK'],
    ]);
    expect((await callsOf(id))[2]?.cost).toBe(4);
    const { text } = await (await signedIn(owner)).get(`/dashboard/keys/${id}`);
    expect(text).toContain('INSUFFICIENT_SCOPE');
    expect(text).not.toContain(MARK);
  });

  it('wait where the table is locked, as the refusals of an app do, and delay no call', async () => {
    await shop.exchange(MARK);
    const other = await app.pool.connect();
    await other.query('BEGIN; LOCK TABLE credential_call');
    await ask('{ me { id } }');
    await app.get(CallLog).flush();
    await shop.exchange(MARK);
    await ask('{ globals { network } }');
    await app.get(CallLog).flush();
    await other.query('ROLLBACK');
    other.release();
    expect((await callsOf(id)).map(({ operation }) => operation)).toEqual(['globals', 'me', '__typename']);
    expect(await refusals()).toMatchObject([{ outcome: 'code_unknown', count: 2 }]);
  });

  it('are at most 100, and cost at most one statement a second', async () => {
    const sent = recordStatements(app);
    await Promise.all(Array.from({ length: 130 }, () => ask('{ __typename }')));
    await ask('{ me { id } }');
    const calls = await callsOf(id);
    expect([calls.length, calls[0]?.operation]).toEqual([MAX_CALLS, 'me']);
    const { rows } = await app.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM credential_call WHERE owner = $1', [id]);
    expect(rows).toEqual([{ n: MAX_CALLS }]);
    expect(sent.filter(([text]) => text.includes('INSERT INTO credential_call')).length).toBeLessThan(30);
  });

  it('attack: cannot be seen by another person', async () => {
    expect((await (await signedIn(payer)).get(`/dashboard/keys/${id}`)).status).toBe(404);
  });

  it('show a key that is sent in the wrong header', async () => {
    await request(`${app.url}/graphql`, { headers: { authorization: `Bearer ${owner.keys.read}` } });
    const { text } = await (await signedIn(owner)).get(`/dashboard/keys/${id}`);
    expect(text).toContain('Sent in the wrong header: a key belongs in X-API-KEY');
  });

  it('go a day after the key has ended; those of a working key stay', async () => {
    await ask('{ __typename }');
    await callsOf(id);
    await app.pool.query(`UPDATE credential_call SET at = now() - interval '3 days' WHERE owner = $1`, [id]);
    await app.get(CallService).sweep();
    expect(await callsOf(id)).toHaveLength(2);
    await app.pool.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [id]);
    await app.get(CallService).sweep();
    expect(await callsOf(id)).toEqual([]);
  });
});
