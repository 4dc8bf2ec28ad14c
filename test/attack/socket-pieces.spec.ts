import { createTestApp, type TestApp } from '../support/app.js';
import { RawSocket } from '../support/raw-socket.js';

/** Each fragment is kept until the last one has arrived: a few bytes on the wire, hundreds in memory, and no message to count. */
describe('WebSocket messages in many fragments', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp()));
  afterAll(() => app.close());

  it('close the connection', async () => {
    const raw = await RawSocket.admitted(app.url);
    for (let i = 0; i < 1_000; i++) raw.socket.send('a', { fin: false });
    expect((await raw.closed).code).toBe(1008);
  });

  it('are accepted while they are few', async () => {
    const raw = await RawSocket.admitted(app.url);
    const text = JSON.stringify({ type: 'ping', payload: { a: 'b' } });
    [...text].forEach((letter, i) => raw.socket.send(letter, { fin: i === text.length - 1 }));
    expect(await raw.next()).toEqual({ type: 'pong', payload: { a: 'b' } });
    await raw.leave();
  });
});
