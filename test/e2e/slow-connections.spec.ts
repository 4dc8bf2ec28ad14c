import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture } from '../support/fixture.js';
import { CONNECTIONS } from '../../src/edge/http/connections.js';
import { eventually } from '../../src/testing/eventually.js';
import { RawSocket } from '../support/raw-socket.js';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Sends `text` on a new connection. @returns all that the server sends until it closes the connection */
async function answerTo(text: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(app.url).port), 'localhost');
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
  if (text !== '') socket.write(text);
  await once(socket, 'close');
  return answer;
}

const CASES: readonly [what: string, sent: string, answered: string][] = [
  // A browser opens connections in advance. It would show an answer on one of them as the answer to a click at that moment.
  ['nothing arrives in time is closed without an answer', '', ''],
  ['a part of the headers arrives in time is answered with 408', 'GET / HTTP/1.1\r\nhost: localhost\r\n', 'HTTP/1.1 408 Request Timeout'],
  [
    'a part of the body arrives in time is answered with 408',
    'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    'HTTP/1.1 408 Request Timeout',
  ],
  ['text that is no HTTP arrives is answered with 400', 'hello\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
];

describe('a connection on which', () => {
  // They wait together, because each waits for a time limit of the server.
  let answers: readonly Promise<string>[];
  beforeAll(() => {
    answers = CASES.map(([, sent]) => answerTo(sent));
  });

  it.each(CASES.map(([what, , answered], index) => [what, index, answered] as const))('%s', async (_what, index, answered) => {
    expect((await answers[index])?.split('\r\n')[0]).toBe(answered);
  });

  it('a payment is in progress gets no other answer, when the part of a further request is late', async () => {
    const fixture = new Fixture(app);
    const bob = await fixture.user({ sats: 1_000 });
    const { paymentRequest, paymentHash } = await fixture.outside(100, { hold: true });
    const query = 'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status } }';
    const body = JSON.stringify({ query, variables: { input: { walletId: bob.wallets.BTC, paymentRequest } } });
    const head = `POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${bob.keys.write}\r\ncontent-type: application/json\r\n`;
    // 408 invites a client to repeat its request; the payment has begun.
    expect(await answerTo(`${head}content-length: ${body.length}\r\n\r\n${body}GET / HT`)).toBe('');
    await fixture.release(paymentHash);
    await fixture.expectBalanced();
  });
});

describe('a connection that is open in advance', () => {
  it('ends at once with the server, which waits for a request that has begun', async () => {
    const ending = await createTestApp();
    const accepted = once(ending.sluice.app.getHttpServer(), 'connection');
    const begun = connect(Number(new URL(ending.url).port), 'localhost');
    begun.write('GET / HT');
    await accepted;
    const silent = connect(Number(new URL(ending.url).port), 'localhost');
    await once(silent, 'connect');
    const silentEnd = once(silent, 'close');
    const end = ending.close();
    await silentEnd;
    expect(begun.closed).toBe(false);
    begun.destroy();
    await end;
  });
});

describe('the connections of a server', () => {
  const usual: jest.ReplaceProperty<unknown>[] = [];
  let narrow: TestApp;
  const opened: Socket[] = [];
  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await narrow.close();
    for (const bound of usual.splice(0)) bound.restore();
  });

  const serve = async (bounds: Partial<typeof CONNECTIONS>, env: Record<string, string> = {}): Promise<void> => {
    for (const [name, value] of Object.entries(bounds)) usual.push(jest.replaceProperty(CONNECTIONS, name as 'ofPeer', value));
    narrow = await createTestApp({ env });
  };
  /** A connection on which this is sent; `true` when it was answered, `false` when it was closed without an answer. */
  const open = (text = ''): { readonly socket: Socket; readonly isServed: Promise<boolean> } => {
    const socket = connect(Number(new URL(narrow.url).port), '127.0.0.1').on('error', () => undefined);
    opened.push(socket);
    if (text !== '') socket.write(text);
    return { socket, isServed: Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]) };
  };
  const LIVE = 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n';

  it('of one peer have a bound, and the next one finds a place when one has ended', async () => {
    await serve({ ofPeer: 4 });
    const four = Array.from({ length: 4 }, () => open(LIVE));
    expect(await Promise.all(four.map(({ isServed }) => isServed))).toEqual([true, true, true, true]);
    expect(await open(LIVE).isServed).toBe(false);
    four[2]?.socket.destroy();
    await eventually(() => open(LIVE).isServed);
  });

  it('are not bounded for each peer behind a proxy, whose peers share them', async () => {
    await serve({ ofPeer: 4 }, { TRUST_PROXY: '1' });
    const eight = Array.from({ length: 8 }, () => open(LIVE));
    expect(await Promise.all(eight.map(({ isServed }) => isServed))).toEqual(Array(8).fill(true));
  });

  it('that are idle end while most of them are in use, the oldest first, and none with a request or a socket', async () => {
    // 12 connections; more than 9 are most of them.
    await serve({ ofProcess: 12, idleMs: 0 }, { TRUST_PROXY: '1' });
    const busy = [
      open('GET /health/li'),
      open('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{'),
    ];
    const raw = await RawSocket.admitted(narrow.url);
    const idle = [];
    for (let n = 0; n < 6; n++) {
      idle.push(open(LIVE));
      expect(await idle[n]?.isServed).toBe(true);
    }
    expect(idle.every(({ socket }) => !socket.closed)).toBe(true);
    const [first, second, ...others] = idle;
    const next = [open(LIVE), open(LIVE)];
    expect(await Promise.all(next.map(({ isServed }) => isServed))).toEqual([true, true]);
    for (const one of [first, second]) if (one && !one.socket.closed) await once(one.socket, 'close');
    expect([...others, ...next, ...busy].every(({ socket }) => !socket.closed)).toBe(true);
    expect(raw.socket.readyState).toBe(raw.socket.OPEN);
    await raw.leave();
  });

  it('are no more than the process can have, whatever they do', async () => {
    await serve({ ofProcess: 6, idleMs: 60_000 });
    const six = Array.from({ length: 6 }, () => open(LIVE));
    expect(await Promise.all(six.map(({ isServed }) => isServed))).toEqual(Array(6).fill(true));
    expect(await open(LIVE).isServed).toBe(false);
  });
});
