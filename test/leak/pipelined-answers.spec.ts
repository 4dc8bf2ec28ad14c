import { CONNECTION } from '../../src/edge/http/work-in-progress.js';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';

const CONNECTIONS = 10;
const PIPELINED = 130;
const WARM_UP = 10;
const ATTACKS = 20;
const MAX_MB = 60;
const MAX_HEAP_MB = 25;
const BODY = JSON.stringify({ query: '{ globals { network lightningAddressDomain } }' });
const REQUEST = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

/** Requests in one write on connections that close before the answers: unread answers must leave the memory. */
describe('pipelined requests of closed connections', () => {
  let app: TestApp;
  beforeAll(async () => {
    // Without the bounds that refuse most of them: the server has to process each request, or there would be no answers to lose.
    jest.replaceProperty(CONNECTION, 'atOnce', 1_000);
    app = await createTestApp({
      env: {
        THROTTLE_ADDRESS: '1000000/60',
        WORK_PER_ADDRESS: '100000',
        WORK_PER_PROCESS: '100000',
        LOG_LEVEL: 'error',
      },
    });
  });
  afterAll(() => app.close());

  const collect = ((): (() => void) => {
    setFlagsFromString('--expose_gc');
    return runInNewContext('gc') as () => void;
  })();
  const open = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.sluice.app.getHttpServer().getConnections((error: Error | null, n: number) => (error ? reject(error) : resolve(n))),
    );
  const attackOnce = async (): Promise<void> => {
    const sockets = Array.from({ length: CONNECTIONS }, () =>
      connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined),
    );
    for (const socket of sockets) socket.write(REQUEST.repeat(PIPELINED));
    await delay(300);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => (await open()) === 0);
  };
  const megabytes = (): { heap: number; rss: number } => {
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    return { heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 };
  };

  it(`free their memory after ${ATTACKS} attacks`, async () => {
    // Neither code that the first requests load and compile nor what the allocator keeps for the next attack is a leak.
    for (let attack = 0; attack < WARM_UP; attack++) await attackOnce();
    const before = megabytes();
    for (let attack = 0; attack < ATTACKS; attack++) await attackOnce();
    // The allocator returns pages a while after the collection.
    await eventually(() => {
      const now = megabytes();
      return now.heap - before.heap < MAX_HEAP_MB && now.rss - before.rss < MAX_MB;
    }, 10_000).catch(() => undefined);
    const after = megabytes();
    expect(after.heap - before.heap).toBeLessThan(MAX_HEAP_MB);
    expect(after.rss - before.rss).toBeLessThan(MAX_MB);
  });
});
