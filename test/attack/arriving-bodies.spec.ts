import { BODY_BYTES } from '../../src/edge/http/arriving-bodies.js';
import { connect, type Socket } from 'node:net';
import { Metrics } from '../../src/platform/metrics/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { post } from '../support/http.js';

const HEAD = 'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
const MEGABYTE = 2 ** 20;

/** A body that has not ended yet takes memory before any other limit counts its request. */
describe('request bodies that stall half-way', () => {
  let app: TestApp;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    jest.replaceProperty(BODY_BYTES, 'ofAddress', 2 * MEGABYTE);
    jest.replaceProperty(BODY_BYTES, 'ofProcess', 3 * MEGABYTE);
    app = await createTestApp({ env: { TRUST_PROXY: '1' } });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await eventually(async () => (await numberOf('sluice_bodies_arriving_bytes')) === 0);
  });
  afterAll(() => app.close());

  const numberOf = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await app.get(Metrics).text())?.[1] ?? 0);
  const refusedBy = (bound: string): Promise<number> => numberOf(`sluice_bodies_refused_total{bound="${bound}"}`);

  /** @returns the answer received so far */
  function send(head: string, body: string, address = '198.51.100.1'): { readonly socket: Socket; readonly answer: () => string } {
    let text = '';
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined);
    socket.on('data', (data) => (text += String(data)));
    socket.write(`${HEAD}x-forwarded-for: ${address}\r\n${head}\r\n${body}`);
    sockets.push(socket);
    return { socket, answer: () => text };
  }
  const half = (address: string): ReturnType<typeof send> => send('content-length: 250000\r\n', ' '.repeat(200_000), address);

  it('are refused in thousands of chunks: each chunk takes more memory than its bytes', async () => {
    const { socket, answer } = send('transfer-encoding: chunked\r\n', '1\r\n \r\n'.repeat(5_000));
    await eventually(() => socket.closed);
    expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
    expect(await refusedBy('pieces')).toBe(1);
  });

  it('are limited for an address, without effect on others', async () => {
    const asked = Array.from({ length: 13 }, () => half('198.51.100.2'));
    await eventually(async () => (await refusedBy('address')) >= 3);
    await eventually(() => asked.filter(({ socket }) => socket.closed).every(({ answer }) => answer().startsWith('HTTP/1.1 503 ')));
    expect(asked.find(({ answer }) => answer() !== '')?.answer()).toMatch(/\r\nretry-after: 2\r\n/i);
    expect(await numberOf('sluice_bodies_arriving_bytes')).toBeLessThanOrEqual(2 * MEGABYTE + 200_000);
    const { status } = await post(`${app.url}/graphql`, { query: '{ globals { network } }' }, { 'x-forwarded-for': '198.51.100.3' });
    expect(status).toBe(200);
  });

  it('are limited for the process', async () => {
    for (let i = 0; i < 20; i++) half(`198.51.100.${10 + i}`);
    await eventually(async () => (await refusedBy('process')) >= 5);
    expect(await numberOf('sluice_bodies_arriving_bytes')).toBeLessThanOrEqual(3 * MEGABYTE + 200_000);
  });

  it('are released when they are complete', async () => {
    const body = JSON.stringify({ query: '{ globals { network } }', variables: { a: 'a'.repeat(60_000) } });
    const { socket, answer } = send(`content-length: ${body.length}\r\n`, body.slice(0, 50_000), '198.51.100.40');
    await eventually(async () => (await numberOf('sluice_bodies_arriving_bytes')) > 40_000);
    socket.write(body.slice(50_000));
    await eventually(() => answer().startsWith('HTTP/1.1 200 '));
    expect(await numberOf('sluice_bodies_arriving_bytes')).toBe(0);
  });
});
