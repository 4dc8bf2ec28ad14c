import { InvitationService, MAX_OPEN_INVITATIONS, RegistrationService, UserService } from '../../src/access/user/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, formAction, hiddenFields, type Visit } from '../support/browser-session.js';
import { PASSWORD } from '../support/fixture.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { productionEnv } from '../support/production.js';

let next = 0;
/** The fields of a person who has no account yet. */
const newcomer = (): { email: string; username: string; password: string } => {
  const username = `new${++next}`;
  return { email: `${username}@example.test`, username, password: PASSWORD };
};
const codeOf = ({ text }: Visit): string | undefined => /<div class="card" data-code="([A-Z_]+)"/.exec(text)?.[1];
const users = async (app: TestApp): Promise<number> => (await app.pool.query('SELECT 1 FROM app_user')).rows.length;
/** Sends the registration form as a browser does that opened the sign-in page, whose forms have the same binding. */
async function post(app: TestApp, fields: Readonly<Record<string, string>>, path = '/register'): Promise<Visit> {
  const browser = new BrowserSession(app.url);
  return browser.post(path, { ...hiddenFields(await browser.get('/login')), ...fields });
}
const invite = async (app: TestApp, note = ''): Promise<{ id: string; code: string; link: string }> => {
  const service = app.get(InvitationService);
  const made = await service.create({ expiresInHours: 1, note, who: 'tester' });
  if (made.kind !== 'created') throw new Error(made.kind);
  return { id: made.invitation.id, code: made.code, link: service.linkOf(made.code) };
};
const signsIn = async (app: TestApp, { email, password }: { email: string; password: string }): Promise<boolean> => {
  const browser = new BrowserSession(app.url);
  return (await browser.submit(await browser.get('/login'), { email, password })).status === 303;
};
const start = (env: Readonly<Record<string, string>>): Promise<TestApp> =>
  createTestApp({ env: { THROTTLE_REGISTRATION: '1000/60', ...env } });

describe('REGISTRATION is not set', () => {
  it('is closed in production', async () => {
    const app = await start(await productionEnv());
    try {
      expect((await new BrowserSession(app.url).get('/register')).status).toBe(403);
      expect(await app.get(RegistrationService).register(newcomer())).toEqual({ kind: 'refused', code: 'REGISTRATION_CLOSED' });
    } finally {
      await app.close();
    }
  });
});

it('REGISTRATION=open opens production', async () => {
  const app = await start({ ...(await productionEnv()), REGISTRATION: 'open' });
  try {
    const person = newcomer();
    expect((await post(app, person)).status).toBe(303);
    expect(await signsIn(app, person)).toBe(true);
  } finally {
    await app.close();
  }
});

describe('REGISTRATION=closed', () => {
  let app: TestApp;
  beforeAll(async () => (app = await start({ REGISTRATION: 'closed' })));
  afterAll(() => app.close());

  it('answers the page with 403, the code, and what to do', async () => {
    const page = await new BrowserSession(app.url).get('/register');
    expect([page.status, codeOf(page)]).toEqual([403, 'REGISTRATION_CLOSED']);
    expect(page.text).toContain('Ask its operator to create one for you.');
    expect(page.text).not.toContain('<form');
  });

  it('refuses a form that is sent, with or without an invitation, and makes no user', async () => {
    const before = await users(app);
    const { code, id } = await invite(app);
    for (const invitation of ['', code]) {
      const page = await post(app, { ...newcomer(), invitation });
      expect([page.status, codeOf(page)]).toEqual([403, 'REGISTRATION_CLOSED']);
    }
    expect(await users(app)).toBe(before);
    expect(await app.get(InvitationService).list()).toMatchObject([{ id, state: 'open' }]);
  });

  it('shows no link to registering on the sign-in page, neither for the dashboard nor for an app', async () => {
    const shop = await newOAuthApp(app);
    const browser = new BrowserSession(app.url);
    for (const address of ['/login', (await browser.get(shop.authorizeUrl())).location]) {
      const page = await browser.get(address);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('/register');
    }
  });

  it('lets operators make users', async () => {
    const person = newcomer();
    const made = await app.get(RegistrationService).createUser(person);
    const { id } = (await app.get(UserService).findByUsername(person.username)) ?? {};
    expect(made).toEqual({ kind: 'created', user: { id, username: person.username, email: person.email } });
    expect(await signsIn(app, person)).toBe(true);
    expect(await app.get(RegistrationService).createUser({ ...newcomer(), email: person.email })).toEqual({ kind: 'email_taken' });
    expect(await app.get(RegistrationService).createUser({ ...newcomer(), username: person.username })).toMatchObject({
      kind: 'username_taken',
    });
    expect(await app.get(RegistrationService).createUser({ ...newcomer(), password: 'short' })).toMatchObject({ kind: 'invalid' });
  });

  it('makes no user if what the operator does with it fails', async () => {
    const person = newcomer();
    await expect(app.get(RegistrationService).createUser(person, () => Promise.reject(new Error('no log')))).rejects.toThrow('no log');
    expect(await app.get(UserService).findByUsername(person.username)).toBeNull();
  });
});

describe('REGISTRATION=invite', () => {
  let app: TestApp;
  beforeAll(async () => (app = await start({ REGISTRATION: 'invite' })));
  afterAll(() => app.close());

  const stateOf = async (id: string): Promise<unknown> => (await app.get(InvitationService).list()).find((each) => each.id === id);

  it('registers a person who follows the link of an invitation', async () => {
    const { id, link } = await invite(app, 'for Nora');
    const person = newcomer();
    const browser = new BrowserSession(app.url);
    const { pathname, search } = new URL(link);
    const page = await browser.get(pathname + search);
    const [, value = ''] =
      /name="invitation"[^>]*value="([^"]*)"/.exec(page.text) ?? /value="([^"]*)"[^>]*name="invitation"/.exec(page.text) ?? [];
    expect(link.endsWith(`/register?invitation=${value}`)).toBe(true);
    const made = await browser.submit(page, { ...person, invitation: value });
    expect([made.status, made.location]).toEqual([303, `${app.url}/login?registered=1`]);
    expect(await signsIn(app, person)).toBe(true);
    const user = await app.get(UserService).findByUsername(person.username);
    expect(await stateOf(id)).toMatchObject({ state: 'used', userId: user?.id, username: person.username, note: 'for Nora' });
  });

  it('shows the field, and a link on the sign-in page', async () => {
    const browser = new BrowserSession(app.url);
    expect((await browser.get('/register')).text).toMatch(/name="invitation"/);
    expect((await browser.get('/login')).text).toContain('href="/register"');
  });

  it('answers a wrong, missing, used, revoked or expired code alike, and makes no user', async () => {
    const [used, revoked, expired, open] = [await invite(app), await invite(app), await invite(app), await invite(app)];
    expect((await post(app, { ...newcomer(), invitation: used.code })).status).toBe(303);
    expect(await app.get(InvitationService).revoke(revoked.id, 'tester')).toMatchObject({ kind: 'revoked' });
    await app.pool.query(`UPDATE invitation SET expires_at = now() WHERE id = $1`, [expired.id]);
    const before = await users(app);
    const wrong = `${open.code.slice(0, -1)}${open.code.endsWith('a') ? 'b' : 'a'}`;
    const person = newcomer();
    const pages: string[] = [];
    for (const invitation of [used.code, revoked.code, expired.code, wrong, 'x'.repeat(5_000), '<b>', 'constructor']) {
      const page = await post(app, { ...person, invitation });
      expect([page.status, codeOf(page)]).toEqual([422, 'INVITATION_INVALID']);
      pages.push(page.text.replace(/name="csrf" value="[^"]*"/, '').replace(/(name="invitation"[^>]*) value="[^"]*"/, '$1'));
    }
    expect(new Set(pages).size).toBe(1);
    for (const invitation of ['', '   ']) {
      const page = await post(app, { ...person, invitation });
      expect([page.status, codeOf(page)]).toEqual([422, 'INVITATION_INVALID']);
      expect(page.text).toContain('Enter the code of your invitation.');
    }
    for (const invitation of [undefined, used.code])
      expect(await app.get(RegistrationService).register({ ...person, ...(invitation !== undefined && { invitation }) })).toEqual({
        kind: 'refused',
        code: 'INVITATION_INVALID',
      });
    expect(await users(app)).toBe(before);
    expect(await stateOf(open.id)).toMatchObject({ state: 'open' });
  });

  it('does not use up an invitation for a form with a fault, or for a taken username', async () => {
    const { id, code } = await invite(app);
    const person = newcomer();
    await app.get(RegistrationService).createUser(person);
    const faulty = await post(app, { ...newcomer(), password: 'short', invitation: code });
    const taken = await post(app, { ...newcomer(), username: person.username, invitation: code });
    expect([faulty.status, taken.status]).toEqual([422, 422]);
    for (const page of [faulty, taken]) expect(page.text).toContain(code);
    expect(await stateOf(id)).toMatchObject({ state: 'open' });
    expect((await post(app, { ...newcomer(), invitation: ` ${code}\n` })).status).toBe(303);
  });

  it('makes one user for one invitation that many use at once', async () => {
    const { id, code } = await invite(app);
    const before = await users(app);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => app.get(RegistrationService).register({ ...newcomer(), invitation: code })),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([...Array<string>(5).fill('refused'), 'registered']);
    expect(await users(app)).toBe(before + 1);
    expect(await stateOf(id)).toMatchObject({ state: 'used', username: expect.stringMatching(/^new/) });
  });

  it('makes one user when several processes use an invitation at once', async () => {
    const other = await createTestApp({ env: { REGISTRATION: 'invite' }, beside: app });
    try {
      for (let round = 0; round < 5; round++) {
        const { code } = await invite(app);
        const before = await users(app);
        const outcomes = await Promise.all(
          [app, other].map((each) => each.get(RegistrationService).register({ ...newcomer(), invitation: code })),
        );
        expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['refused', 'registered']);
        expect(await users(app)).toBe(before + 1);
      }
    } finally {
      await other.close();
    }
  });

  const use = `SELECT user_register(gen_random_uuid(), 'first' || $2 || '@example.test', 'first' || $2, 'no hash', i.code_hash) FROM invitation i WHERE i.id = $1`;
  it.each([
    ['refuses a use that waited for another use', use, 'COMMIT', 'refused'],
    [
      'refuses a use that waited for a revocation',
      'UPDATE invitation SET revoked_at = now() WHERE id = $1 AND $2 > 0',
      'COMMIT',
      'refused',
    ],
    ['permits a use that waited for one that failed', use, 'ROLLBACK', 'registered'],
  ])('%s', async (_, first, end, kind) => {
    const { id, code } = await invite(app);
    const other = await app.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query(first, [id, ++next]);
      const waiting = app.get(RegistrationService).register({ ...newcomer(), invitation: code });
      const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%user_register(%'`;
      await eventually(async () => (await app.pool.query(isWaiting)).rows.length > 0);
      await other.query(end);
      expect(await waiting).toMatchObject({ kind });
    } finally {
      other.release();
    }
  });

  it('uses up the invitation for a known e-mail too, so that it cannot probe addresses', async () => {
    const { id, code } = await invite(app);
    const person = newcomer();
    await app.get(RegistrationService).createUser(person);
    const before = await users(app);
    const page = await post(app, { ...newcomer(), email: person.email, invitation: code });
    expect([page.status, page.location]).toEqual([303, `${app.url}/login?registered=1`]);
    expect(await users(app)).toBe(before);
    expect(await stateOf(id)).toMatchObject({ state: 'used', userId: null, username: null });
  });

  it('returns to the request of an app after registering on the way', async () => {
    const shop = await newOAuthApp(app);
    const { code } = await invite(app);
    const person = newcomer();
    const browser = new BrowserSession(app.url);
    const login = await browser.get((await browser.get(shop.authorizeUrl())).location);
    const [, register = ''] = /href="(\/register[^"]*)"/.exec(login.text) ?? [];
    const form = await browser.get(register.replaceAll('&amp;', '&'));
    expect(formAction(form)).toMatch(/^\/register\?login_challenge=/);
    const refused = await browser.submit(form, { ...person, invitation: 'wrong' });
    expect([refused.status, formAction(refused)]).toEqual([422, formAction(form)]);
    const made = await browser.submit(refused, { ...person, invitation: code });
    const consent = await browser.signInOnTheWay(made, person);
    expect(consent.text).toContain('Corner Coffee');
    const end = await browser.submit(consent, { decision: 'allow', scope: 'read' });
    expect(new URL(end.location).searchParams.get('code')).not.toBeNull();
  });

  it('stores no code, and writes none to the log', async () => {
    const { code, link } = await invite(app);
    const { pathname, search } = new URL(link);
    const refusals = (): number => app.logs.filter((line) => line.includes('auth_invitation_rejected')).length;
    const before = refusals();
    await new BrowserSession(app.url).get(pathname + search);
    for (let n = 0; n < 5; n++) await post(app, { ...newcomer(), invitation: code });
    const rows = await app.pool.query<{ text: string }>(
      `SELECT i::text AS text FROM invitation i UNION ALL SELECT a::text FROM operator_action a UNION ALL SELECT e::text FROM event e`,
    );
    expect(rows.rows.filter(({ text }) => text.includes(code))).toEqual([]);
    expect(app.logs.filter((line) => line.includes(code))).toEqual([]);
    // A minute has one line, and the tests before have refused others.
    expect(refusals()).toBeGreaterThan(0);
    expect(refusals() - before).toBeLessThanOrEqual(1);
  });

  it('writes what operators do to the operators’ log', async () => {
    const { id } = await invite(app, 'for Olga');
    await app.get(InvitationService).revoke(id, 'tester');
    const actions = await app.pool.query('SELECT who, action, because, details FROM operator_action WHERE subject = $1 ORDER BY id', [id]);
    expect(actions.rows).toEqual([
      { who: 'tester', action: 'invitation create', because: 'for Olga', details: { expiresInHours: 1 } },
      { who: 'tester', action: 'invitation revoke', because: 'for Olga', details: {} },
    ]);
  });

  it('revokes once, and only open invitations', async () => {
    const service = app.get(InvitationService);
    const { id, code } = await invite(app);
    expect(await service.revoke(id, 'tester')).toMatchObject({ kind: 'revoked', invitation: { state: 'revoked' } });
    expect(await service.revoke(id, 'tester')).toMatchObject({ kind: 'ended_already', invitation: { state: 'revoked' } });
    expect(await service.revoke('00000000-0000-4000-8000-000000000000', 'tester')).toEqual({ kind: 'not_found' });
    expect(await service.revoke(code, 'tester')).toEqual({ kind: 'not_found' });
  });

  it.each([0, -1, 1.5, 8_761, Number.NaN])('refuses an invitation of %s hours', async (expiresInHours) => {
    expect(await app.get(InvitationService).create({ expiresInHours, note: '', who: 'tester' })).toMatchObject({ kind: 'invalid' });
  });

  it.each(['x'.repeat(201), 'a\0b'])('refuses a note that cannot be kept', async (note) => {
    expect(await app.get(InvitationService).create({ expiresInHours: 1, note, who: 'tester' })).toMatchObject({ kind: 'invalid' });
  });

  it('deletes invitations thirty days after they ended', async () => {
    const purged = [await invite(app), await invite(app), await invite(app)].map(({ id }) => id);
    const kept = [await invite(app), await invite(app)].map(({ id }) => id);
    const [used, revoked, expired] = purged;
    const old = `now() - interval '31 days'`;
    await app.pool.query(`UPDATE invitation SET used_at = ${old} WHERE id = $1`, [used]);
    await app.pool.query(`UPDATE invitation SET revoked_at = ${old} WHERE id = $1`, [revoked]);
    await app.pool.query(`UPDATE invitation SET expires_at = ${old} WHERE id = $1`, [expired]);
    await app.pool.query(`UPDATE invitation SET used_at = now() - interval '29 days' WHERE id = $1`, [kept[0]]);
    await app.pool.query(
      `INSERT INTO invitation (id, code_hash, note, expires_at) SELECT gen_random_uuid(), sha256(n::text::bytea), 'old', ${old} FROM generate_series(1, 1200) AS n`,
    );
    await app.get(InvitationService).purge();
    const { rows } = await app.pool.query<{ id: string; note: string }>('SELECT id, note FROM invitation');
    expect(rows.filter(({ id, note }) => purged.includes(id) || note === 'old')).toEqual([]);
    expect(rows.filter(({ id }) => kept.includes(id))).toHaveLength(2);
  });

  it('has a maximum of open invitations', async () => {
    const { id } = await invite(app);
    await app.pool.query(
      `INSERT INTO invitation (id, code_hash, note, expires_at) SELECT gen_random_uuid(), sha256(n::text::bytea), 'bulk', now() + interval '1 day'
         FROM generate_series(1, $1 - (SELECT count(*) FROM invitation WHERE used_at IS NULL AND revoked_at IS NULL AND expires_at > now())) AS n`,
      [MAX_OPEN_INVITATIONS],
    );
    expect(await app.get(InvitationService).create({ expiresInHours: 1, note: '', who: 'tester' })).toEqual({
      kind: 'too_many',
      limit: MAX_OPEN_INVITATIONS,
    });
    await app.get(InvitationService).revoke(id, 'tester');
    await invite(app);
    await app.pool.query(`DELETE FROM invitation WHERE note = 'bulk'`);
  });
});

it('counts guesses of invitations in the rate limit of registering', async () => {
  const app = await start({ REGISTRATION: 'invite', THROTTLE_REGISTRATION: '3/3600' });
  try {
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await post(app, { ...newcomer(), invitation: `guess ${i}` })).status);
    expect(statuses).toEqual([422, 422, 422, 429]);
    const { code } = await invite(app);
    expect((await post(app, { ...newcomer(), invitation: code })).status).toBe(429);
  } finally {
    await app.close();
  }
});
