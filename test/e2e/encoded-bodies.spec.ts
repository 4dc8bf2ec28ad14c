import { gzipSync } from 'node:zlib';
import { createTestApp, type TestApp } from '../support/app.js';
import { request, type HttpAnswer } from '../support/http.js';

const QUERY = JSON.stringify({ query: '{ globals { network } }' });

/** The server accepts no compressed body: it could expand to a thousand times its size. */
describe('a request body with a Content-Encoding', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp()));
  afterAll(() => app.close());

  const send = (path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string>): Promise<HttpAnswer> =>
    request(`${app.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  it.each(['gzip', 'GZIP', 'br', 'deflate', 'gzip, gzip', 'identity, gzip', 'unheard-of'])(
    '%s gets 415, with the accepted encodings',
    async (encoding) => {
      const { status, headers, body } = await send('/graphql', gzipSync(QUERY), { 'content-encoding': encoding });
      expect([status, headers.get('accept-encoding')]).toEqual([415, 'identity']);
      expect(body).toEqual({
        error: { code: 415, status: 'UNSUPPORTED_MEDIA_TYPE', message: 'Send the body as it is, without Content-Encoding' },
        errors: [{ message: 'Send the body as it is, without Content-Encoding' }],
      });
    },
  );

  it.each(['/auth/login', '/oauth2/token', '/login'])('gets 415 at %s too', async (path) => {
    expect((await send(path, gzipSync('{}'), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it.each(['identity', 'Identity', ''])('"%s" is no encoding', async (encoding) => {
    const { status, body } = await send('/graphql', QUERY, { 'content-encoding': encoding });
    expect([status, body]).toEqual([200, { data: { globals: { network: 'regtest' } } }]);
  });

  it('is never decompressed, whatever its size', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20, 0x20), { level: 9 });
    expect(bomb.length).toBeLessThan(128 * 1024);
    const before = process.memoryUsage.rss();
    for (let n = 0; n < 20; n++) expect((await send('/graphql', bomb, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 2 ** 20);
  });
});
