import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';

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
});
