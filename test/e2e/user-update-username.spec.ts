import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const UPDATE = `mutation ($username: Username!) {
  userUpdateUsername(input: { username: $username }) { errors { message code path } user { id username } } }`;

describe('userUpdateUsername', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ username: 'alice_w' }), await fixture.user({ username: 'bob_w' })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const update = async (username: unknown): Promise<unknown> =>
    (await dataOf(app.url, UPDATE, { username }, alice.as('all'))).userUpdateUsername;
  const nameOf = async (person: Person): Promise<unknown> =>
    (await dataOf(app.url, '{ me { username } }', {}, person.as('read'))).me.username;
  const refusal = (message: string, code: string): object => ({
    errors: [{ message, code, path: ['input', 'username'] }],
    user: null,
  });

  it.each(['alice_w', 'ALICE_W'])('succeeds for the name that the caller has already: %s', async (username) => {
    expect(await update(username)).toEqual({ errors: [], user: { id: alice.userId, username: 'alice_w' } });
  });

  it.each(['a_free_name', 'bob_w', 'admin'])('refuses %s: a username never changes', async (username) => {
    expect(await update(username)).toEqual(refusal('The username cannot be changed', 'USERNAME_ERROR'));
    expect([await nameOf(alice), await nameOf(bob)]).toEqual(['alice_w', 'bob_w']);
    const { status } = await fetch(`${app.url}/.well-known/lnurlp/alice_w`);
    expect(status).toBe(200);
  });

  it.each([
    '',
    'ab',
    '1alice',
    '3alice',
    '_alice',
    'bc1alice',
    'lnbc1alice',
    '+31612345678',
    '31415',
    'al ice',
    'a'.repeat(51),
    'ål_ice',
    7,
  ])('refuses %p by the rules of usernames', async (username) => {
    expect(await update(username)).toEqual(refusal('Invalid value for Username', 'INVALID_INPUT'));
  });

  it('shows the user only to a caller that may read', async () => {
    const { data, errors } = await graphql(app.url, UPDATE, { username: 'alice_w' }, alice.as('write'));
    expect(data).toEqual({ userUpdateUsername: { errors: [], user: null } });
    expect(errors).toMatchObject([{ path: ['userUpdateUsername', 'user'], extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }]);
  });
});
