import { eventually } from '../../src/testing/eventually.js';
import { MAX_LISTED_DELIVERIES, WebhookService } from '../../src/money/webhook/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { TimeTravel } from '../support/time-travel.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const FIELDS = 'id eventType state attempts lastStatus lastError lastAttemptAt createdAt nextAttemptAt endedAt';
const HEALTH = 'waiting failingSince lastAttemptAt lastStatus lastError';
const LIST = `{ me { defaultAccount { callbackEndpoints { id url disabledAt ${HEALTH} deliveries { ${FIELDS} } } } } }`;
const REPLAY = `mutation ($id: ID!) { callbackDeliveryReplay(input: { id: $id }) { errors { message code path } success } }`;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TIME = expect.any(Number) as number;
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastError: string | null;
}

describe('the deliveries of a webhook endpoint, and callbackDeliveryReplay', () => {
  let app: TestApp;
  let fixture: Fixture;
  let receiver: WebhookReceiver;
  let alice: Person;
  let session: CredentialHeaders;
  let endpointId: string;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    await eventually(async () => (await app.pool.query(`SELECT FROM event_consumer WHERE name = 'webhook'`)).rowCount === 1);
  });
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    alice = await fixture.user();
    session = await fixture.session(alice);
    endpointId = await newEndpoint('/shop');
  });
  afterEach(async () => {
    await fixture.expectBalanced();
    receiver.stop();
  });
  afterAll(() => app.close());

  async function newEndpoint(path: string, of = alice): Promise<string> {
    const added = await app.get(WebhookService).add(of.accountId, receiver.url(path));
    if (added.kind !== 'added') throw new Error(added.kind);
    return added.id;
  }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const endpoints = async (as = session): Promise<any[]> => (await dataOf<any>(app.url, LIST, {}, as)).me.defaultAccount.callbackEndpoints;
  const deliveries = async (as = session): Promise<Delivery[]> => (await endpoints(as))[0]?.deliveries as Delivery[];
  /** The number of jobs of the endpoint's deliveries. */
  const jobs = async (): Promise<number | null> =>
    (
      await app.pool.query(
        `SELECT FROM job j JOIN webhook_delivery d ON j.payload->>'delivery' = d.id::text WHERE j.task = 'webhook' AND d.endpoint_id = $1`,
        [endpointId],
      )
    ).rowCount;
  const replay = async (id: string, as = session): Promise<unknown> =>
    (await dataOf(app.url, REPLAY, { id }, as)).callbackDeliveryReplay as unknown;
  const refused = (message: string, code: string): object => ({ errors: [{ message, code, path: ['input', 'id'] }], success: false });
  /** The latest delivery, once it is in this state. */
  const inState = (wanted: string): Promise<Delivery> =>
    eventually(async () => {
      const [latest] = await deliveries();
      return latest?.state === wanted ? latest : undefined;
    });
  /** After a failed attempt. */
  const repeated = (): Promise<Delivery> =>
    eventually(async () => {
      const [latest] = await deliveries();
      return latest?.attempts === 1 ? latest : undefined;
    });

  it('are none at first, then have the end of each', async () => {
    const untried = { waiting: 0, failingSince: null, lastAttemptAt: null, lastStatus: null, lastError: null };
    expect(await endpoints()).toEqual([{ id: endpointId, url: receiver.url('/shop'), disabledAt: null, ...untried, deliveries: [] }]);
    await fixture.fund(alice, 21);
    expect(await inState('DELIVERED')).toEqual({
      id: UUID,
      eventType: 'receive.lightning',
      state: 'DELIVERED',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
      lastAttemptAt: TIME,
      createdAt: TIME,
      nextAttemptAt: null,
      endedAt: TIME,
    });
    expect(receiver.deliveries[0]?.headers['webhook-id']).toBe((await deliveries())[0]?.id);
  });

  it('say why an attempt failed, and when the next one is due', async () => {
    receiver.answer = () => 503;
    await fixture.fund(alice, 21);
    const failed = await repeated();
    expect(failed).toMatchObject({ state: 'WAITING', lastStatus: 503, lastError: 'status', nextAttemptAt: TIME, endedAt: null });
    await app.pool.query(`UPDATE webhook_endpoint SET url = 'https://10.0.0.1/' WHERE id = $1`, [endpointId]);
    await new TimeTravel(app).webhooksAreDue();
    await eventually(async () => (await deliveries())[0]?.attempts === 2);
    expect((await deliveries())[0]).toMatchObject({ lastStatus: null, lastError: 'address_not_public' });
  });

  it('that wait are sent now on demand, unless they are being sent', async () => {
    receiver.answer = () => 503;
    await fixture.fund(alice, 21);
    const { id } = await repeated();
    const [endpoint] = await endpoints();
    expect(endpoint).toMatchObject({ waiting: 1, failingSince: TIME, lastAttemptAt: TIME, lastStatus: 503, lastError: 'status' });
    await new TimeTravel(app).webhooksAreDue();
    await eventually(async () => (await deliveries())[0]?.attempts === 2);
    let release: (status: number) => void = () => undefined;
    const response = new Promise<number>((resolve) => (release = resolve));
    receiver.answer = () => response;
    expect(await replay(id)).toEqual({ errors: [], success: true });
    await receiver.until(3, '/shop');
    expect(await replay(id)).toEqual(refused('The delivery is being sent now', 'INVALID_INPUT'));
    release(204);
    expect(await inState('DELIVERED')).toMatchObject({ id, attempts: 3 });
    expect((await endpoints())[0]).toMatchObject({ waiting: 0, failingSince: null, lastStatus: 204, lastError: null });
  });

  it('are sent again on demand, with the same id', async () => {
    await fixture.fund(alice, 21);
    const { id } = await inState('DELIVERED');
    expect(await replay(id)).toEqual({ errors: [], success: true });
    const [first, second] = await receiver.until(2, '/shop');
    expect(second?.headers['webhook-id']).toBe(id);
    expect(second?.body).toBe(first?.body);
    await inState('DELIVERED');
    expect((await deliveries()).map(({ attempts }) => attempts)).toEqual([2]);
  });

  it('end with 410, which disables the endpoint: those that wait end too, and those of new events are kept to be sent again', async () => {
    receiver.answer = () => 503;
    await fixture.fund(alice, 21);
    await repeated();
    // Its next attempt is not the one that gets the 410, however long the next payment takes.
    await app.pool.query(`UPDATE job SET run_at = now() + interval '1 hour' WHERE task = 'webhook'`);
    receiver.answer = () => 410;
    await fixture.fund(alice, 22);
    await eventually(async () => (await endpoints())[0]?.disabledAt !== null);
    expect((await endpoints())[0]?.disabledAt).toEqual(TIME);
    await fixture.fund(alice, 23);
    await eventually(async () => (await deliveries()).length === 3);
    await new TimeTravel(app).webhooksAreDue();
    await eventually(async () => (await jobs()) === 0);
    const kept = (fields: object): object => ({ state: 'FAILED', nextAttemptAt: null, endedAt: TIME, ...fields });
    expect(await deliveries()).toMatchObject([
      kept({ attempts: 0, lastStatus: null, lastError: 'endpoint_disabled' }),
      kept({ attempts: 1, lastStatus: 410, lastError: 'status' }),
      kept({ attempts: 1, lastStatus: 503, lastError: 'endpoint_disabled' }),
    ]);
    expect(receiver.deliveries).toHaveLength(2);
    expect((await app.pool.query('SELECT waiting FROM webhook_endpoint WHERE id = $1', [endpointId])).rows).toEqual([{ waiting: 0 }]);
  });

  it('go to an enabled endpoint again, also those that it missed', async () => {
    receiver.answer = () => 410;
    await fixture.fund(alice, 21);
    const { id } = await inState('FAILED');
    // The owner looks whether the server is there again, before enabling: one attempt.
    expect(await replay(id)).toEqual({ errors: [], success: true });
    await receiver.until(2, '/shop');
    expect(await inState('FAILED')).toMatchObject({ id, attempts: 2, lastStatus: 410 });
    receiver.answer = () => 204;
    expect(await app.get(WebhookService).enable((await fixture.user()).accountId, endpointId)).toBe(false);
    expect(await app.get(WebhookService).enable(alice.accountId, endpointId)).toBe(true);
    expect((await endpoints())[0]?.disabledAt).toBeNull();
    expect(await replay(id)).toEqual({ errors: [], success: true });
    await inState('DELIVERED');
    await fixture.fund(alice, 22);
    await receiver.until(4, '/shop');
    await eventually(async () => (await deliveries()).every(({ state }) => state === 'DELIVERED'));
    expect(receiver.deliveries.map(({ headers }) => headers['webhook-id']).filter((each) => each === id)).toHaveLength(3);
  });

  it('that are replayed after an endpoint was disabled have one series of attempts', async () => {
    receiver.answer = () => 503;
    await fixture.fund(alice, 21);
    const { id } = await repeated();
    await app.pool.query(`UPDATE webhook_delivery SET state = 'failed', next_at = NULL, ended_at = now() WHERE id = $1`, [id]);
    await app.pool.query('UPDATE webhook_endpoint SET waiting = 0 WHERE id = $1', [endpointId]);
    expect(await replay(id)).toEqual({ errors: [], success: true });
    await eventually(async () => (await deliveries())[0]?.attempts === 2);
    expect(await jobs()).toBe(1);
  });

  it.each([
    [429, '120', 120],
    [502, '120', 120],
    [503, '120', 120],
    [504, '120', 120],
    [503, '1', 5],
    [503, '999999999999999999999', 86_400],
    [503, new Date(Date.now() + 10 * 86_400_000).toUTCString(), 86_400],
    [503, 'Sun, 06 Nov 1994 08:49:37 GMT', 5],
    [503, '-1', 5],
    [503, 'soon', 5],
    [500, '120', 5],
    [404, '120', 5],
  ])('of a response with %d and Retry-After: %s are repeated after %d s', async (status, retryAfter, seconds) => {
    receiver.respond = (response) => void response.writeHead(status, { 'retry-after': retryAfter }).end();
    await fixture.fund(alice, 21);
    const { id } = await repeated();
    const pause = 'SELECT round(extract(epoch FROM next_at - last_attempt_at))::int AS pause FROM webhook_delivery WHERE id = $1';
    expect((await app.pool.query(pause, [id])).rows).toEqual([{ pause: seconds }]);
    const due = 'SELECT round(extract(epoch FROM j.run_at - d.next_at))::int AS later FROM job j, webhook_delivery d WHERE d.id = $1';
    expect((await app.pool.query(`${due} AND j.key = d.id::text`, [id])).rows).toEqual([{ later: 0 }]);
  });

  it('are not sent again while too many wait', async () => {
    await fixture.fund(alice, 21);
    const { id } = await inState('DELIVERED');
    await app.pool.query('UPDATE webhook_endpoint SET waiting = 10000 WHERE id = $1', [endpointId]);
    expect(await replay(id)).toEqual(refused('Too many deliveries of this endpoint wait. Try again later.', 'INVALID_INPUT'));
    await app.pool.query('UPDATE webhook_endpoint SET waiting = 0 WHERE id = $1', [endpointId]);
    expect(await replay(id)).toMatchObject({ success: true });
    await receiver.until(2, '/shop');
    await inState('DELIVERED');
  });

  it('are the latest of each endpoint, newest first', async () => {
    await newEndpoint('/second');
    await app.pool.query(
      `INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, state, ended_at)
       SELECT gen_random_uuid(), e.id, n, 'event ' || n, '{}', 'failed', now() FROM webhook_endpoint e, generate_series(1, $2) AS n WHERE e.account_id = $1`,
      [alice.accountId, MAX_LISTED_DELIVERIES + 5],
    );
    const newest = Array.from({ length: MAX_LISTED_DELIVERIES }, (_, index) => `event ${MAX_LISTED_DELIVERIES + 5 - index}`);
    const listed = await endpoints();
    expect(listed).toHaveLength(2);
    for (const each of listed) expect(each.deliveries.map(({ eventType }: { eventType: string }) => eventType)).toEqual(newest);
  });

  it('are of no other person', async () => {
    await fixture.fund(alice, 21);
    const { id } = await inState('DELIVERED');
    const mallory = await fixture.user();
    await newEndpoint('/mallory', mallory);
    const hers = await fixture.session(mallory);
    expect(await deliveries(hers)).toEqual([]);
    for (const each of [id, UNKNOWN, 'no id']) expect(await replay(each, hers)).toEqual(refused('Delivery not found', 'NOT_FOUND'));
    expect(receiver.deliveries).toHaveLength(1);
  });

  it('are listed to callers with read, and sent again for a session only', async () => {
    await fixture.fund(alice, 21);
    const { id } = await inState('DELIVERED');
    expect(await deliveries(alice.as('read'))).toHaveLength(1);
    for (const key of ['receive', 'write'] as const)
      expect((await graphql(app.url, LIST, {}, alice.as(key))).errors?.[0]?.extensions?.['code']).toBe('INSUFFICIENT_SCOPE');
    const shop = await newOAuthApp(app);
    const { access_token: token } = await shop.connect(alice, { scope: 'read receive write' }, new BrowserSession(app.url));
    for (const credential of [alice.as('all'), { 'oauth2-token': token }])
      expect((await graphql(app.url, REPLAY, { id }, credential)).errors?.[0]?.extensions?.['code']).toBe('NOT_AUTHORIZED');
    expect((await graphql(app.url, REPLAY, { id })).errors?.[0]?.extensions?.['code']).toBe('NOT_AUTHENTICATED');
    expect(receiver.deliveries).toHaveLength(1);
  });

  it('count with their longest list in the cost of a document', async () => {
    const me = LIST.replace(/^\{ me|\}$/g, '');
    const asked = (times: number): string => `{ ${Array.from({ length: times }, (_, n) => `a${n}: me${me}`).join(' ')} }`;
    expect((await graphql(app.url, asked(3), {}, session)).errors).toBeUndefined();
    const [error] = (await graphql(app.url, asked(4), {}, session)).errors ?? [];
    expect([error?.extensions?.['code'], error?.message]).toEqual(['QUERY_TOO_COMPLEX', expect.stringContaining('cost')]);
  });
});
