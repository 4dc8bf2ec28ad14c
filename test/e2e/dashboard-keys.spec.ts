import { MAX_KEYS } from '../../src/access/api-key/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { hiddenFields, BrowserSession, type Fields, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The form that creates a key names its faults and keeps the input. */
describe('POST /dashboard/keys', () => {
  const GOOD = { name: 'Till', scope: 'read', expires: '90' };
  let app: TestApp;
  let alice: Person;
  let browser: BrowserSession;
  let form: Visit;

  beforeAll(async () => {
    app = await createTestApp();
    alice = await new Fixture(app).user();
    browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
    form = await browser.get('/dashboard/keys/new');
  });
  afterAll(() => app.close());

  const send = (fields: Fields): Promise<Visit> => browser.post('/dashboard/keys', { ...hiddenFields(form), ...fields });

  it.each<[string, Fields, string]>([
    ['no name', { ...GOOD, name: ' ' }, 'Enter a name'],
    ['a name of 65 characters', { ...GOOD, name: 'x'.repeat(65) }, 'This name isn’t allowed'],
    ['a control character', { ...GOOD, name: 'Ti\u0007ll' }, 'This name isn’t allowed'],
    ['no scope', { name: 'Till', expires: '90' }, 'Choose a permission'],
    ['an expiry that is none of the choices', { ...GOOD, expires: '91' }, 'Choose an expiry'],
    ['no expiry', { name: 'Till', scope: 'read' }, 'Choose an expiry'],
  ])('%s', async (_, fields, said) => {
    const { status, text } = await send(fields);
    expect([status, text.includes(said)]).toEqual([422, true]);
    expect(text).toContain(`value="${String(fields['name']).trim()}"`);
  });

  it.each([
    ['scope:read', 'Missing permission: Read'],
    ['scope:receive write', 'Missing permission: Receive or Send'],
    ['scope:gone:away', 'Missing permission'],
    ['limit:daily', 'Over the limit for 24 hours'],
    ['limit:annual', 'Over the limit for 365 days'],
    ['session-only', 'Requires you to be signed in'],
    ['expired', 'Expired, but still in use'],
    ['revoked', 'Revoked, but still in use'],
  ])('the key’s pages show the cause of a refusal: %s', async (cause, words) => {
    const { rows } = await app.pool.query<{ id: string }>(
      `WITH key AS (SELECT id FROM api_key WHERE user_id = $1 LIMIT 1),
            refusal AS (INSERT INTO api_key_refusal (api_key_id, at, cause) SELECT id, clock_timestamp(), $2 FROM key)
       UPDATE api_key SET last_refused_at = now(), last_refusal = $2 WHERE id = (SELECT id FROM key) RETURNING id`,
      [alice.userId, cause],
    );
    for (const path of ['/dashboard/keys', `/dashboard/keys/${rows[0]?.id}`]) expect((await browser.get(path)).text).toContain(words);
  });

  it('refuses a key above the maximum', async () => {
    await app.pool.query(
      `INSERT INTO api_key (id, user_id, name, scopes, key_hash, hint)
       SELECT gen_random_uuid(), $1, 'filler', '{read}', sha256(n::text::bytea), '' FROM generate_series(1, $2) AS n`,
      [alice.userId, MAX_KEYS],
    );
    const { status, text } = await send(GOOD);
    expect([status, text.includes(`You’ve reached the limit of ${MAX_KEYS} keys`)]).toEqual([422, true]);
  });
});
