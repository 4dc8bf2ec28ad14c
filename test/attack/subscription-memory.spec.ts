import { queryObjects } from 'node:v8';
import { Metrics } from '../../src/metrics/index.js';
import { ConnectionRegistry } from '../../src/socket/connection-registry.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { RawSocket, type Frame } from '../support/raw-socket.js';

const KIB = 1_024;
const PRICE = 'subscription { realtimePrice(input: { currency: "USD" }) { errors { code } } }';
/** A document with many operations: it takes ten times its text. */
const heavy = (name: string): string => Array.from({ length: 60 }, (_, index) => PRICE.replace('{', `${name}${index} {`)).join('\n');
const REFUSED = [{ extensions: { code: 'TOO_MANY_REQUEST' } }];

/** A subscription keeps its message and its document until it ends, so their number does not bound their memory. */
describe('memory of subscriptions', () => {
  let app: TestApp;
  let alice: Person;
  const sockets: RawSocket[] = [];

  beforeAll(async () => {
    app = await createTestApp({
      env: { TRUST_PROXY: '1', SUBSCRIPTION_BYTES_PER_CALLER: String(300 * KIB), SUBSCRIPTION_BYTES_PER_PROCESS: String(800 * KIB) },
    });
    alice = await new Fixture(app).user();
  });
  afterEach(async () => {
    await Promise.all(sockets.splice(0).map((raw) => raw.leave()));
    await eventually(async () => (await bytes()) === 0);
  });
  afterAll(() => app.close());

  const bytes = async (): Promise<number> => {
    const text = await app.get(Metrics).text();
    return Number(/^sluice_subscriptions_bytes (\d+)$/m.exec(text)?.[1]);
  };
  const from = async (address: string, person?: Person): Promise<RawSocket> => {
    const raw = await RawSocket.admitted(app.url, person?.as('read'), { headers: { 'x-forwarded-for': address } });
    sockets.push(raw);
    return raw;
  };
  const ask = async (raw: RawSocket, id: string, payload: object): Promise<Frame> => {
    raw.send({ id, type: 'subscribe', payload });
    return raw.next();
  };
  const padded = (length: number): object => ({ query: PRICE, variables: { unused: 'x'.repeat(length) }, extra: [{}, {}] });

  it('counts messages: beyond the limit of a caller a subscription is refused, and the others stay open', async () => {
    const raw = await from('192.0.2.1');
    expect(await ask(raw, 'first', padded(30 * KIB))).toMatchObject({ id: 'first', type: 'next' });
    expect(await ask(raw, 'second', padded(30 * KIB))).toMatchObject({ id: 'second', type: 'next' });
    expect(await ask(raw, 'third', padded(30 * KIB))).toMatchObject({ id: 'third', type: 'error', payload: REFUSED });
    expect(await ask(raw, 'short', { query: PRICE })).toMatchObject({ id: 'short', type: 'next' });
    raw.send({ id: 'first', type: 'complete' });
    await eventually(async () => (await bytes()) < 200 * KIB);
    expect(await ask(raw, 'third', padded(30 * KIB))).toMatchObject({ id: 'third', type: 'next' });
  });

  it('counts a document once for all subscriptions that use it', async () => {
    const raw = await from('192.0.2.1');
    const [one, other] = [heavy('A'), heavy('B')];
    expect(await ask(raw, 'one', { query: PRICE })).toMatchObject({ type: 'next' });
    const before = await bytes();
    for (const id of ['two', 'three', 'four']) expect(await ask(raw, id, { query: PRICE })).toMatchObject({ type: 'next' });
    const each = ((await bytes()) - before) / 3;
    expect(each).toBeGreaterThan(4 * KIB);
    expect(each).toBeLessThan(5 * KIB);
    expect(await ask(raw, 'heavy', { query: one, operationName: 'A1' })).toMatchObject({ type: 'error', payload: REFUSED });
    expect(await ask(raw, 'other', { query: other, operationName: 'B1' })).toMatchObject({ type: 'error', payload: REFUSED });
  });

  it('bounds strangers together by half of the limit of the process, and still serves each a short one', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      expect(await ask(await from(address), 'first', padded(25 * KIB))).toMatchObject({ type: 'next' });
    const late = await from('192.0.2.4');
    expect(await ask(late, 'long', padded(25 * KIB))).toMatchObject({ type: 'error', payload: REFUSED });
    expect(await ask(late, 'short', { query: PRICE })).toMatchObject({ type: 'next' });
    expect(await ask(await from('192.0.2.4', alice), 'long', padded(25 * KIB))).toMatchObject({ type: 'next' });
  });

  it('does not keep what connection_init contained: parsed, it may take many times the longest message', async () => {
    await from('192.0.2.1', alice);
    const { open } = app.get(ConnectionRegistry) as unknown as { readonly open: ReadonlyMap<string, ReadonlySet<object>> };
    const connections = [...open.values()].flatMap((each) => [...each]);
    expect(connections).toHaveLength(1);
    expect(connections[0]).not.toHaveProperty('connectionParams');
  });

  it('does not keep keys that messages of the protocol do not have', async () => {
    const raw = await from('192.0.2.1');
    const objects = (): number => queryObjects(Object, { format: 'count' });
    const before = objects();
    raw.send({ others: Array<object>(20_000).fill({}), id: 'first', type: 'subscribe', payload: { query: PRICE } });
    expect(await raw.next()).toMatchObject({ id: 'first', type: 'next' });
    expect(objects() - before).toBeLessThan(10_000);
    raw.send('[{}]');
    expect(await raw.closed).toMatchObject({ code: 4400 });
  });

  it('ends the count of subscriptions that are refused, fail, or end by themselves', async () => {
    const raw = await from('192.0.2.1');
    const unknown = 'subscription { lnInvoicePaymentStatusByHash(input: { paymentHash: "' + '0'.repeat(64) + '" }) { status } }';
    expect(await ask(raw, 'unknown', { query: unknown })).toMatchObject({
      id: 'unknown',
      type: expect.stringMatching(/next|error/) as string,
    });
    await eventually(async () => (await bytes()) === 0);
    expect(await ask(await from('192.0.2.1'), 'mine', { query: 'subscription { myUpdates { errors { code } } }' })).toMatchObject({
      id: 'mine',
    });
    await eventually(async () => (await bytes()) === 0);
    raw.subscribe('gone', PRICE);
    raw.socket.terminate();
    await eventually(async () => (await bytes()) === 0);
  });
});
