import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture } from '../support/fixture.js';

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
