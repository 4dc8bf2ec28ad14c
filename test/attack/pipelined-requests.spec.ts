import { CONNECTION } from '../../src/edge/http/work-in-progress.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { post } from '../support/http.js';
import { Pipeline } from '../support/pipeline.js';

const NETWORK = { query: '{ globals { network } }' };
const UNKNOWN = { query: '{ me { id } }' };
/** Four times what a connection may have in progress, which is the limit of those that arrive at once. */
const MOST = 12;

/** Node parses all requests of a packet before it reads another connection: their number is limited, whatever their answers cost. */
describe('pipelined requests', () => {
  let app: TestApp;
  beforeAll(async () => {
    jest.replaceProperty(CONNECTION, 'atOnce', MOST / 4);
    app = await createTestApp({ env: { TRUST_PROXY: '1', THROTTLE_ADDRESS: '50/60' } });
  });
  afterAll(() => app.close());

  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${++addresses}` });
  async function answered(): Promise<number> {
    const lines = (await app.get(Metrics).text()).matchAll(/^sluice_http_requests_total\{[^}]*\} (\d+)$/gm);
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  it('are answered, each in its order, up to a limit', async () => {
    const pipeline = await Pipeline.open(app.url);
    pipeline.send(Array<object>(MOST).fill(NETWORK), elsewhere());
    await eventually(() => pipeline.answers.length === MOST);
    for (const { status } of pipeline.answers) expect([200, 503]).toContain(status);
    expect(pipeline.answers[0]?.status).toBe(200);
    pipeline.send([NETWORK], elsewhere());
    await eventually(() => pipeline.answers.length === MOST + 1);
    expect(pipeline.answers[MOST]?.status).toBe(200);
    await pipeline.close();
  });

  it.each([
    ['that are worked on', NETWORK, {}],
    ['that a wrong key refuses', UNKNOWN, { 'x-api-key': 'sluice_wrong' }],
    ['past the limit of their address', NETWORK, { 'x-forwarded-for': '198.51.100.1' }],
  ])('%s, end their connection beyond it, and the others are not answered', async (_which, body, headers) => {
    for (let call = 0; call < 51; call++) await post(`${app.url}/graphql`, NETWORK, { 'x-forwarded-for': '198.51.100.1' });
    const before = await answered();
    const pipeline = await Pipeline.open(app.url);
    pipeline.send(Array<object>(300).fill(body), { ...elsewhere(), ...headers });
    await eventually(() => pipeline.socket.closed);
    expect((await post(`${app.url}/graphql`, NETWORK, elsewhere())).status).toBe(200);
    expect((await answered()) - before).toBeLessThanOrEqual(MOST + 1);
    await eventually(async () => /^sluice_work_in_progress 0$/m.test(await app.get(Metrics).text()));
  });

  it.each([
    ['cannot be decoded', 'GET /%zz HTTP/1.1\r\nhost: localhost\r\n\r\n', 1],
    ['no page has', 'GET /nowhere HTTP/1.1\r\nhost: localhost\r\n\r\n', MOST],
  ])('for an address that %s end their connection: each counts before it is routed', async (_which, request, most) => {
    const { socket } = await Pipeline.open(app.url);
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.write(request.repeat(300));
    await eventually(() => socket.closed);
    expect(received.split('HTTP/1.1 4').length - 1).toBeLessThanOrEqual(most);
  });
});
