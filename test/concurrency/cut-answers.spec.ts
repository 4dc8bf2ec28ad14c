import type { ServerResponse } from 'node:http';
import { getIntrospectionQuery } from 'graphql';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { faultsIn } from '../support/logs.js';
import { Pipeline } from '../support/pipeline.js';

/** A client that closes its connection while its answer is on the way is no fault of the server. */
describe('a connection that closes while its answer is compressed', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp()));
  afterAll(() => app.close());

  const shows = (line: string): Promise<boolean> => eventually(async () => (await app.get(Metrics).text()).includes(line));

  it('logs no error, and releases its slot', async () => {
    const server = app.sluice.app.getHttpServer();
    let cut = 0;
    server.prependListener('request', (_request: unknown, response: ServerResponse) => {
      // The head is set and a stream sends the first compressed bytes: now the client closes the connection.
      response.on('pipe', () => {
        cut++;
        response.socket?.destroy();
      });
    });
    for (let n = 0; n < 3; n++) {
      const pipeline = await Pipeline.open(app.url);
      pipeline.send([{ query: getIntrospectionQuery() }], { 'accept-encoding': 'gzip' });
      await eventually(() => cut === n + 1 && pipeline.socket.closed);
    }
    await shows('sluice_work_in_progress 0');
    expect(faultsIn(app.logs, 40)).toEqual([]);
  });
});
