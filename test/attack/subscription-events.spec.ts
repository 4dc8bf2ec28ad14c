import { QUEUE_LIMITS, WorkInProgress } from '../../src/edge/http/index.js';
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
    jest.replaceProperty(QUEUE_LIMITS, 'waitingEach', 1);
    app = await createTestApp({
      settings: { RateLimitSettings: { eventCost: '3000/3600' }, SocketSettings: { subscriptionsPerPrincipal: 3 } },
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

  it('wait for a turn of their account, and hold none while their fields wait for the database', async () => {
    const [raw, ofDave] = [await admitted(carol), await admitted(dave)];
    await follow(raw, carol, 'first', 'subscription { myUpdates { me { username } } }');
    await follow(ofDave, dave, 'his', LIGHT);
    const { database, thread } = app.get(WorkInProgress);
    const turns = [];
    for (let n = 0; database.length === 0 && n < 100; n++) turns.push(database.enter(`caller ${n}`));
    await pay(carol);
    await eventually(() => database.length === 2);
    await pay(dave);
    await eventually(() => framesOf(ofDave, 'his').length === 1);
    expect([raw.frames.map(({ type }) => type), thread.length]).toEqual([['connection_ack'], 0]);
    for (const turn of turns) void Promise.resolve(turn).then(({ end }) => end());
    await eventually(() => framesOf(raw, 'first').length === 1);
    expect(framesOf(raw, 'first')[0]).toMatchObject({ payload: { data: { myUpdates: { me: { username: carol.username } } } } });
    await eventually(() => database.length === 0 && thread.length === 0);
  });

  it('end the subscription if its account has too many that wait, and are not executed for one that has left', async () => {
    const [raw, gone] = [await admitted(dave), await admitted(dave)];
    await follow(gone, dave, 'gone', LIGHT);
    await follow(raw, dave, 'full', LIGHT);
    const { thread } = app.get(WorkInProgress);
    const turn = await thread.enter('another caller');
    await pay(dave);
    await eventually(() => framesOf(raw, 'full').length === 1);
    expect(framesOf(raw, 'full')[0]).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] });
    gone.socket.terminate();
    await gone.closed;
    await eventually(() => thread.length === 0);
    turn.end();
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
