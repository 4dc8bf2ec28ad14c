import { WorkInProgress } from '../../src/http/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { untilListening } from '../support/event-probe.js';
import { Fixture, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { RawSocket, type Frame } from '../support/raw-socket.js';

/** As large as an answer to one event may be. */
const HEAVY = 'subscription { myUpdates { me { defaultAccount { transactions(first: 100) { edges { node { id memo status } } } } } } }';
const LIGHT = 'subscription { myUpdates { update { ... on IntraLedgerUpdate { transaction { id } } } } }';
const SEND = 'mutation ($i: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $i) { status } }';

/** A payment of one satoshi makes as many executions as there are subscriptions: they are bounded in number and in cost, and take turns. */
describe('events of subscriptions', () => {
  let app: TestApp;
  let alice: Person;
  let bob: Person;
  let carol: Person;
  let dave: Person;
  const sockets: RawSocket[] = [];

  beforeAll(async () => {
    app = await createTestApp({
      env: { THROTTLE_EVENT_COST: '3000/3600', SUBSCRIPTIONS_PER_PRINCIPAL: '3', QUERIES_WAITING_PER_ACCOUNT: '1' },
    });
    const fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
    [carol, dave] = [await fixture.user(), await fixture.user()];
  });
  afterEach(async () => void (await Promise.all(sockets.splice(0).map((raw) => raw.leave()))));
  afterAll(() => app.close());

  const admitted = async (person: Person, key: 'read' | 'all' = 'read'): Promise<RawSocket> => {
    const raw = await RawSocket.admitted(app.url, person.as(key));
    sockets.push(raw);
    return raw;
  };
  const follow = (raw: RawSocket, person: Person, id: string, query: string): Promise<void> =>
    untilListening(app, 'transaction.changed', person.accountId, () => raw.subscribe(id, query));
  const pay = (person: Person): Promise<unknown> =>
    graphql(app.url, SEND, { i: { walletId: bob.wallets.BTC, recipientWalletId: person.wallets.BTC, amount: 1 } }, bob.as('write'));
  const framesOf = ({ frames }: RawSocket, id: string): Frame[] => frames.filter((frame) => frame.id === id);

  it('are charged by cost: beyond the limit of the account a subscription ends, and nothing else does', async () => {
    const [raw, other, ofCarol] = [await admitted(alice), await admitted(alice, 'all'), await admitted(carol)];
    await follow(raw, alice, 'heavy', HEAVY);
    await follow(ofCarol, carol, 'hers', HEAVY);
    for (let count = 1; framesOf(raw, 'heavy').every(({ type }) => type === 'next'); count++) {
      await pay(alice);
      await eventually(() => framesOf(raw, 'heavy').length === count);
    }
    // Each costs about 900.
    const frames = framesOf(raw, 'heavy');
    expect(frames.length).toBeGreaterThan(2);
    expect(frames.length).toBeLessThan(6);
    expect(frames.at(-1)).toEqual({
      id: 'heavy',
      type: 'error',
      payload: [{ message: 'Too many requests, please wait for a while and try again.', extensions: { code: 'TOO_MANY_REQUEST' } }],
    });

    // It is the limit of the account; its calls have their own.
    await follow(other, alice, 'light', LIGHT);
    await pay(alice);
    await eventually(() => framesOf(other, 'light').length === 1);
    expect(framesOf(other, 'light')[0]).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'TOO_MANY_REQUEST' } }] });
    expect((await graphql(app.url, '{ me { id } }', {}, alice.as('read'))).errors).toBeUndefined();
    expect([raw, other].every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true);

    await pay(carol);
    await eventually(() => framesOf(ofCarol, 'hers').length === 1);
    expect(framesOf(ofCarol, 'hers')[0]).toMatchObject({ type: 'next', payload: { data: { myUpdates: { me: {} } } } });
  });

  it('are executed one at a time for an account, in turn with its queries; other accounts do not wait', async () => {
    const [raw, ofDave] = [await admitted(carol), await admitted(dave)];
    await follow(raw, carol, 'first', 'subscription { myUpdates { me { username } } }');
    await follow(raw, carol, 'second', 'subscription { myUpdates { me { username } } }');
    await follow(ofDave, dave, 'his', LIGHT);
    const { queries, events } = app.get(WorkInProgress);
    const { queriesAtOnce } = app.sluice.config.work;
    for (let n = 0; n < queriesAtOnce; n++) expect(queries.enter(`caller ${n}`, { isGone: false })).toBeUndefined();
    await pay(carol);
    await eventually(() => queries.length === 1 && events.length === 1);
    await pay(dave);
    await eventually(() => framesOf(ofDave, 'his').length === 1);
    expect(raw.frames.map(({ type }) => type)).toEqual(['connection_ack']);
    for (let n = 0; n < queriesAtOnce; n++) queries.leave(`caller ${n}`);
    for (const id of ['first', 'second']) {
      await eventually(() => framesOf(raw, id).length === 1);
      expect(framesOf(raw, id)[0]).toMatchObject({ payload: { data: { myUpdates: { me: { username: carol.username } } } } });
    }
    await eventually(() => queries.length === 0 && events.length === 0);
  });

  it('end the subscription if they wait for too long, and are not executed for one that has left', async () => {
    const [raw, gone] = [await admitted(dave), await admitted(dave)];
    await follow(gone, dave, 'gone', LIGHT);
    await follow(raw, dave, 'full', LIGHT);
    const { events } = app.get(WorkInProgress);
    expect(events.enter(dave.userId, { isGone: false })).toBeUndefined();
    await pay(dave);
    await eventually(() => framesOf(raw, 'full').length === 1);
    expect(framesOf(raw, 'full')[0]).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] });
    gone.socket.terminate();
    await gone.closed;
    await eventually(() => events.length === 0);
    events.leave(dave.userId);
    expect(raw.socket.readyState).toBe(raw.socket.OPEN);
  });

  it('are bounded by the number of subscriptions of a credential, on all its sockets', async () => {
    const [one, other, third] = [await admitted(carol), await admitted(carol), await admitted(carol, 'all')];
    for (const [raw, id] of [
      [one, '1'],
      [one, '2'],
      [other, '1'],
    ] as const)
      await follow(raw, carol, id, LIGHT);
    other.subscribe('2', LIGHT);
    expect(await other.closed).toEqual({ code: 4429, reason: 'Too many subscriptions' });
    await follow(third, carol, '1', LIGHT);
    await follow(one, carol, '3', LIGHT);
    expect(one.socket.readyState).toBe(one.socket.OPEN);
  });
});
