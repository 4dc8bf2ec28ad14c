import { queryObjects } from 'node:v8';
import { ConnectionRegistry } from '../../src/edge/socket/connection-registry.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { RawSocket, type Frame } from '../support/raw-socket.js';

const KIB = 1_024;
const PRICE = 'subscription { realtimePrice(input: { currency: "USD" }) { errors { code } } }';
/** A document with many operations: it takes ten times its text. */
const heavy = (name: string): string => Array.from({ length: 40 }, (_, index) => PRICE.replace('{', `${name}${index} {`)).join('\n');
const REFUSED = [{ extensions: { code: 'TOO_MANY_REQUEST' } }];

/** A subscription keeps its message and its document until it ends, so their number does not bound their memory. */
describe('memory of subscriptions', () => {
  let app: TestApp;
  let alice: Person;
  const sockets: RawSocket[] = [];

  beforeAll(async () => {
    app = await createTestApp({
      env: { TRUST_PROXY: '1' },
    });
    alice = await new Fixture(app).user();
  });
  afterEach(async () => void (await Promise.all(sockets.splice(0).map((raw) => raw.leave()))));
  afterAll(() => app.close());

  const from = async (address: string, person?: Person): Promise<RawSocket> => {
    const raw = await RawSocket.admitted(app.url, person?.as('read'), { headers: { 'x-forwarded-for': address } });
    sockets.push(raw);
    return raw;
  };
  const ask = async (raw: RawSocket, id: string, payload: object): Promise<Frame> => {
    raw.send({ id, type: 'subscribe', payload });
    return raw.next();
  };
  const long = (n: number): object => ({ query: heavy(`A${n}x`), operationName: `A${n}x1` });

  it('is bounded by the number of long documents and messages of a caller; short ones stay open', async () => {
    const refused: Frame[] = [];
    for (let n = 0; n < 40 && refused.length === 0; n += 5) {
      const raw = await from('192.0.2.1');
      for (let id = n; id < n + 5; id++) {
        const frame = await ask(raw, String(id), long(id));
        if (frame.type === 'error') refused.push(frame);
      }
    }
    expect(refused[0]).toMatchObject({ payload: REFUSED });
    const raw = await from('192.0.2.1');
    expect(await ask(raw, 'padded', { query: PRICE, variables: { unused: 'x'.repeat(8 * KIB) } })).toMatchObject({ payload: REFUSED });
    expect(await ask(raw, 'short', { query: PRICE })).toMatchObject({ id: 'short', type: 'next' });
    expect(await ask(await from('192.0.2.2'), 'long', long(100))).toMatchObject({ type: 'next' });
    expect(await ask(await from('192.0.2.1', alice), 'long', long(101))).toMatchObject({ type: 'next' });
    await Promise.all(sockets.splice(0).map((open) => open.leave()));
    expect(await ask(await from('192.0.2.1'), 'long', long(102))).toMatchObject({ type: 'next' });
  });

  it('is bounded by five subscriptions on a socket without a credential', async () => {
    const raw = await from('192.0.2.3');
    for (let id = 0; id < 5; id++) expect(await ask(raw, String(id), { query: PRICE })).toMatchObject({ type: 'next' });
    raw.subscribe('5', PRICE);
    expect(await raw.closed).toEqual({ code: 4429, reason: 'Too many subscriptions' });
    const known = await from('192.0.2.3', alice);
    for (let id = 0; id < 6; id++) expect(await ask(known, String(id), { query: PRICE })).toMatchObject({ type: 'next' });
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
    raw.send({ others: Array<object>(5_000).fill({}), id: 'first', type: 'subscribe', payload: { query: PRICE } });
    expect(await raw.next()).toMatchObject({ id: 'first', type: 'next' });
    expect(objects() - before).toBeLessThan(2_500);
    raw.send('[{}]');
    expect(await raw.closed).toMatchObject({ code: 4400 });
  });
});
