import { SessionService, SignInService, type SignInOutcome } from '../../src/access/session/index.js';
import { UserService } from '../../src/access/user/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql, socketClient } from '../support/graphql.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const ACCOUNT_LIMIT = 10;
const ADDRESS_LIMIT = 15;

describe('POST /auth/login', () => {
  let app: TestApp;
  let alice: Person;
  let addresses = 0;

  beforeAll(async () => {
    app = await createTestApp({
      env: { TRUST_PROXY: '1', THROTTLE_SIGN_IN_ADDRESS: `${ADDRESS_LIMIT}/3600` },
    });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  /** A new address: the limits of one test do not affect the next. */
  const somewhere = (): string => `198.51.100.${++addresses}`;
  const post = (body: unknown, from = somewhere(), headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${app.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const tokenOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { result: { authToken: string } }).result.authToken;
  const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
  const statusWith = async (token: string): Promise<number> => {
    const response = await fetch(`${app.url}/graphql?query=${encodeURIComponent('{ __typename }')}`, { headers: bearer(token) });
    await response.arrayBuffer();
    return response.status;
  };
  const right = (): object => ({ email: alice.email, password: PASSWORD });
  const wrong = (email = alice.email): object => ({ email, password: 'not the password' });

  it('returns a session token with every scope of a person', async () => {
    const response = await post({ ...right(), totp: null, something: 'else' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const token = await tokenOf(response);
    expect(token).toMatch(/^sluice_st_[0-9A-Za-z]{49}$/);
    const { data } = await graphql(
      app.url,
      '{ me { id username email { address verified } language } authorization { scopes } }',
      {},
      bearer(token),
    );
    expect(data).toEqual({
      me: { id: alice.userId, username: alice.username, email: { address: alice.email, verified: false }, language: '' },
      authorization: { scopes: ['READ', 'RECEIVE', 'WRITE'] },
    });
  });

  it('ignores the case of the address and credentials of the request', async () => {
    const response = await post({ ...right(), email: ` ${alice.email.toUpperCase()} ` }, somewhere(), bearer('stale'));
    expect(response.status).toBe(200);
  });

  it('opens a new session each time, and stores no token in the database or the logs', async () => {
    const tokens = [await tokenOf(await post(right())), await tokenOf(await post(right()))];
    expect(new Set(tokens).size).toBe(2);
    const { rows } = await app.pool.query("SELECT session::text AS text, encode(token_hash, 'escape') AS hash FROM session");
    for (const text of [JSON.stringify(rows), app.logs.join('\n')])
      for (const secret of [...tokens, PASSWORD]) expect(text).not.toContain(secret);
  });

  it('answers an unknown address and a wrong password alike', async () => {
    const answers = await Promise.all(
      [wrong(), wrong('unknown@example.test'), wrong('no address'), wrong('nul\0@example.test')].map((body) => post(body)),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({ error: { code: 401, status: 'Unauthorized', message: 'E-mail address or password is wrong' } });
    }
  });

  it.each([
    [{}, /email/],
    [[], /email/],
    ['null', /email/],
    [{ email: 1, password: 'x' }, /email/],
    [{ email: 'a@example.test', password: '' }, /password/],
    [{ email: 'a@example.test', password: { $gt: '' } }, /password/],
    ['{"email":', /JSON/],
  ])('refuses %j with 400 and names the fault', async (body, message) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 400, message: expect.stringMatching(message) as string } });
  });

  it('throttles wrong passwords for an account from one address, and no other caller', async () => {
    const here = somewhere();
    for (let i = 0; i < ACCOUNT_LIMIT; i++) expect((await post(wrong(), here)).status).toBe(401);
    const slowed = await post(wrong(), here);
    expect(slowed.status).toBe(429);
    expect(await slowed.json()).toMatchObject({ error: { code: 429, status: 'TOO_MANY_REQUEST' } });
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(slowed.headers.get('ratelimit')).toMatch(/"sign-in-account";r=0;t=\d+/);
    expect((await post(wrong(), somewhere())).status).toBe(401);
    expect((await post(wrong('bob@example.test'), here)).status).toBe(401);
  });

  it('throttles wrong passwords for an account from the networks of one IPv6 /56', async () => {
    const from = (network: number): string => `2001:db8:7:34${network.toString(16).padStart(2, '0')}::1`;
    for (let i = 0; i < 4 * ACCOUNT_LIMIT; i++) expect((await post(wrong(), from(i))).status).toBe(401);
    expect((await post(wrong(), from(255))).status).toBe(429);
    expect((await post(wrong(), '2001:db8:7:3500::1')).status).toBe(401);
  });

  it('still accepts the owner, from there and from elsewhere', async () => {
    const here = somewhere();
    for (let i = 0; i <= ACCOUNT_LIMIT; i++) await post(wrong(), here);
    expect((await post(right(), here)).status).toBe(200);
    expect((await post(right(), somewhere())).status).toBe(200);
  });

  it('never counts a right password', async () => {
    const here = somewhere();
    for (let i = 0; i < ADDRESS_LIMIT + 2; i++) expect((await post(right(), here)).status).toBe(200);
    expect((await post(wrong(), here)).status).toBe(401);
  });

  it('compares no more passwords than the address’s limit, also for simultaneous requests', async () => {
    const here = somewhere();
    const attempt = (password: string): Promise<SignInOutcome> =>
      app.get(SignInService).signIn({ email: alice.email, password, address: here, userAgent: '', purpose: 'api' });
    // Opens connections to the database first: all other sign-ins would overtake one that waits for a new connection.
    await Promise.all(Array.from({ length: 50 }, () => app.get(UserService).findById(alice.userId)));
    // Wrong and right passwords side by side. Once the limit is used up, an answer does not reveal whether its password is right.
    const attempts = Array.from({ length: 4 * ADDRESS_LIMIT }, (_, i) => ({
      wrong: attempt(`guess number ${i}`),
      right: attempt(PASSWORD),
    }));
    const lucky = await Promise.all(attempts.map((each) => each.right));
    await Promise.all(attempts.map((each) => each.wrong));
    expect(lucky.map(({ kind }) => kind)).toContain('slowed_down');
    // The first one gets the slow turn if none of the attempts took it: the last two wrong passwords can be compared side by side.
    await post(right(), here);
    expect((await post(right(), here)).status).toBe(429);
    expect((await post(right(), somewhere())).status).toBe(200);
  });

  describe('the session', () => {
    const age = (by: string): Promise<unknown> => app.pool.query('UPDATE session SET last_seen_at = last_seen_at - $1::interval', [by]);

    it('records where it was opened', async () => {
      const token = await tokenOf(await post(right(), '198.51.100.250', { 'user-agent': 'x'.repeat(500) }));
      const found = await app.get(SessionService).find(token);
      expect(found).toMatchObject({ user: { id: alice.userId }, purpose: 'api' });
      const { rows } = await app.pool.query('SELECT address, user_agent FROM session WHERE id = $1', [found?.session.id]);
      expect(rows).toEqual([{ address: '198.51.100.250', user_agent: 'x'.repeat(200) }]);
      expect(found?.session.leftSeconds).toBeCloseTo(30 * 86_400, -2);
    });

    it('ends alone on logout, which can be repeated', async () => {
      const [token, other] = [await tokenOf(await post(right())), await tokenOf(await post(right()))];
      const id = (await app.get(SessionService).find(token))?.session.id ?? '';
      expect(await statusWith(token)).toBe(200);
      for (let i = 0; i < 2; i++) await app.get(SessionService).end(id);
      await eventually(async () => (await statusWith(token)) === 401);
      expect(await statusWith(other)).toBe(200);
      await new Fixture(app).endSessions(alice);
      await eventually(async () => (await statusWith(other)) === 401);
    });

    it('is limited to 100 for a person: each new one ends the oldest, also when they are opened side by side', async () => {
      const bob = await new Fixture(app).user();
      const oldest = await tokenOf(await post({ email: bob.email, password: PASSWORD }));
      expect(await statusWith(oldest)).toBe(200);
      await app.pool.query(
        `INSERT INTO session (id, token_hash, user_id, purpose, user_agent, address)
         SELECT gen_random_uuid(), sha256(convert_to(i::text, 'UTF8')), $1, 'api', '', '' FROM generate_series(1, 97) AS i`,
        [bob.userId],
      );
      const opened = await Promise.all(Array.from({ length: 6 }, () => post({ email: bob.email, password: PASSWORD })));
      for (const token of await Promise.all(opened.map(tokenOf))) expect(await statusWith(token)).toBe(200);
      const { rows } = await app.pool.query<{ n: bigint }>('SELECT count(*) AS n FROM session WHERE user_id = $1', [bob.userId]);
      expect(rows).toEqual([{ n: 100n }]);
      await eventually(async () => (await statusWith(oldest)) === 401);
    });

    it('stays valid while it is used', async () => {
      const token = await tokenOf(await post(right()));
      await age('29 days');
      expect(await statusWith(token)).toBe(200);
      const { rows } = await app.pool.query(`SELECT 1 FROM session WHERE last_seen_at > now() - interval '1 minute'`);
      expect(rows).toHaveLength(1); // the one that was used
    });

    it('expires after 30 days without use', async () => {
      const token = await tokenOf(await post(right()));
      await age('30 days 1 second');
      expect(await statusWith(token)).toBe(401);
    });

    it('ends 365 days after the sign-in, however much it is used', async () => {
      const token = await tokenOf(await post(right()));
      const openedBefore = (by: string): Promise<unknown> =>
        app.pool.query('UPDATE session SET created_at = now() - $1::interval WHERE id = $2', [by, id]);
      const found = await app.get(SessionService).find(token);
      const id = found?.session.id;
      await openedBefore('364 days');
      const used = await app.get(SessionService).find(token);
      expect(used?.session.leftSeconds).toBeCloseTo(86_400, -2);
      expect((used?.principal.expiresAt ?? 0) - (found?.principal.expiresAt ?? 0)).toBeCloseTo(-29 * 86_400_000, -5);
      await openedBefore('365 days 1 second');
      expect(await statusWith(token)).toBe(401);
    });

    it('ends on every process within a second of a change of the password', async () => {
      const bob = await new Fixture(app).user();
      const token = await tokenOf(await post({ email: bob.email, password: PASSWORD }));
      expect(await statusWith(token)).toBe(200);
      let code: number | undefined;
      const client = socketClient(
        app.url,
        { Authorization: `Bearer ${token}` },
        { onClosed: (event) => (code = (event as { code: number }).code) },
      );
      await new Promise((resolve) => client.on('connected', resolve));
      expect(await app.get(UserService).changePassword(bob.userId, 'too short')).toMatchObject({ kind: 'invalid' });
      expect(await statusWith(token)).toBe(200);
      expect(await app.get(UserService).changePassword(bob.userId, 'another password')).toEqual({ kind: 'changed' });
      await eventually(() => code === 4401);
      expect(await statusWith(token)).toBe(401);
      await client.dispose();
      expect((await post({ email: bob.email, password: PASSWORD })).status).toBe(401);
      expect((await post({ email: bob.email, password: 'another password' })).status).toBe(200);
    });

    it('is never opened by a password that is changed meanwhile', async () => {
      const bob = await new Fixture(app).user();
      let password = PASSWORD;
      for (let round = 0; round < 8; round++) {
        const next = `password number ${round}`;
        const attempt = post({ email: bob.email, password });
        const [response] = await Promise.all([attempt, app.get(UserService).changePassword(bob.userId, next)]);
        if (response.status === 200) await eventually(async () => (await statusWith(await tokenOf(response.clone()))) === 401);
        else expect(response.status).toBe(401);
        password = next;
      }
    });
  });
});
