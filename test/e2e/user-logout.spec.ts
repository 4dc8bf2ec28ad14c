import { WebSocket } from 'ws';
import { createClient, OnRealtimePriceDocument, UserLogoutDocument } from '../../src/client/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { post } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';

const LOGOUT = 'mutation ($input: UserLogoutInput) { userLogout(input: $input) { success errors { message code path } } }';

describe('userLogout', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let session: CredentialHeaders;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    alice = await fixture.user();
  });
  beforeEach(async () => {
    session = await fixture.session(alice);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const statusWith = async (credential: CredentialHeaders): Promise<number> =>
    (await post(`${app.url}/graphql`, { query: '{ me { id } }' }, credential)).status;

  it.each([
    ['without an input', undefined],
    ['with null', null],
    ['with a device token', { deviceToken: 'any' }],
  ])('ends the session that asks, at once, %s', async (_how, input) => {
    expect(await statusWith(session)).toBe(200);
    expect((await dataOf(app.url, LOGOUT, { input }, session)).userLogout).toEqual({ success: true, errors: [] });
    expect(await statusWith(session)).toBe(401);
  });

  it('closes the sockets of the session', async () => {
    const token = String(session.authorization).replace('Bearer ', '');
    const client = createClient({ url: app.url, session: token, webSocket: WebSocket });
    // An event proves that the socket is open.
    const prices = client.subscribe(OnRealtimePriceDocument, { input: {} });
    expect((await prices.next()).done).toBe(false);
    expect((await client.request(UserLogoutDocument)).userLogout.success).toBe(true);
    await expect(prices.next()).rejects.toMatchObject({ status: 4401 });
    client.close();
  });

  it('leaves the other sessions and the keys of the person', async () => {
    const other = await fixture.session(alice);
    await dataOf(app.url, LOGOUT, {}, session);
    expect(await statusWith(other)).toBe(200);
    expect(await statusWith(alice.as('read'))).toBe(200);
  });

  it.each([[{}], [{ deviceToken: null }], [{ deviceToken: 7 }], ['text']])('refuses the input %j and ends nothing', async (input) => {
    const { errors } = await graphql(app.url, LOGOUT, { input }, session);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(await statusWith(session)).toBe(200);
  });

  it('is refused to a key, which has no session and stays valid', async () => {
    const { errors } = await graphql(app.url, LOGOUT, {}, alice.as('all'));
    expect(errors).toMatchObject([{ message: 'Not authorized', extensions: { code: 'NOT_AUTHORIZED' } }]);
    expect(await statusWith(alice.as('all'))).toBe(200);
  });
});
