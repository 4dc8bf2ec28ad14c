import { RegistrationService, UserService, type UserRegistration } from '../../src/access/user/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

describe('registration', () => {
  let app: TestApp;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp();
    alice = await new Fixture(app).user({ username: 'alice_w' });
  });
  afterAll(() => app.close());

  const register = (change: Partial<UserRegistration>): ReturnType<RegistrationService['register']> =>
    app.get(RegistrationService).register({ email: 'carol@example.test', username: 'carol', password: PASSWORD, ...change });
  const people = async (): Promise<number> => (await app.pool.query('SELECT 1 FROM app_user')).rows.length;

  it('creates a usable account, with normalised names', async () => {
    expect(await register({ email: ' Dave@Example.TEST ', username: ' Dave ' })).toEqual({ kind: 'registered' });
    const dave = await app.get(UserService).findByEmail('DAVE@example.test');
    expect(dave).toMatchObject({ email: 'dave@example.test', username: 'dave', isOperator: false, emailVerifiedAt: null, language: '' });
    expect(await app.get(UserService).findByUsername('DAVE')).toEqual(dave);
    expect(await app.get(UserService).findById(dave?.id ?? '')).toEqual(dave);
    expect(Object.keys(dave ?? {})).not.toContain('passwordHash');
  });

  it('answers a known address like a new one, and changes nothing', async () => {
    const before = await people();
    expect(await register({ email: alice.email.toUpperCase(), username: 'new_name' })).toEqual({ kind: 'registered' });
    expect(await people()).toBe(before);
    expect(await app.get(UserService).findByEmail(alice.email)).toMatchObject({ id: alice.userId, username: 'alice_w' });
  });

  it('proposes two free names for one that is taken', async () => {
    const outcome = await register({ username: 'Alice_W' });
    if (outcome.kind !== 'username_taken') throw new Error(outcome.kind);
    const [one = '', other = ''] = outcome.proposals;
    expect(outcome.proposals).toHaveLength(2);
    for (const name of [one, other]) expect(await app.get(RegistrationService).usernameAvailable(name)).toBe(true);
  });

  it('reports every fault at once, and creates no user', async () => {
    const before = await people();
    const outcome = await register({ email: 'carol', username: 'alice_w', password: 'short' });
    expect(outcome).toMatchObject({ kind: 'invalid', faults: [{ field: 'email' }, { field: 'username' }, { field: 'password' }] });
    expect(await register({ username: '3carol' })).toMatchObject({ kind: 'invalid', faults: [{ field: 'username' }] });
    expect(await people()).toBe(before);
  });

  it.each(['admin', 'Support', ' postmaster '])('refuses the reserved name "%s", which an operator can give', async (username) => {
    expect(await register({ username })).toEqual({ kind: 'invalid', faults: [{ field: 'username' }] });
    expect(await app.get(RegistrationService).usernameAvailable(username)).toBe(false);
    const made = await app.get(RegistrationService).createUser({ email: `${username.trim()}@example.test`, username, password: PASSWORD });
    expect(made).toMatchObject({ kind: 'created', user: { username: username.trim().toLowerCase() } });
  });

  it('gives a name to one of many simultaneous requests', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, i) => register({ email: `racer${i}@example.test`, username: 'racer' })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'registered')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'username_taken')).toHaveLength(5);
  });

  it('creates one user for an address in simultaneous requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 6 }, (_, i) => register({ email: 'once@example.test', username: `once${i}` })));
    expect(outcomes.every(({ kind }) => kind === 'registered')).toBe(true);
    expect((await app.pool.query(`SELECT 1 FROM app_user WHERE email = 'once@example.test'`)).rows).toHaveLength(1);
  });

  it('makes an existing user an operator', async () => {
    expect(await app.get(UserService).makeOperator(` ${alice.email.toUpperCase()}`)).toBe(true);
    expect(await app.get(UserService).makeOperator('unknown@example.test')).toBe(false);
    expect(await app.get(UserService).findById(alice.userId)).toMatchObject({ isOperator: true });
  });

  describe('usernameAvailable', () => {
    const available = (username: string): ReturnType<typeof graphql> =>
      graphql(app.url, 'query ($username: Username!) { usernameAvailable(username: $username) }', { username });

    it('reports to any caller whether a name is free', async () => {
      expect(await available('nobody_yet')).toEqual({ data: { usernameAvailable: true } });
      expect(await available('ALICE_W')).toEqual({ data: { usernameAvailable: false } });
      expect(await available('Webmaster')).toEqual({ data: { usernameAvailable: false } });
    });

    it('refuses invalid names', async () => {
      expect((await available('31415')).errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
    });
  });
});
