import { execFile } from 'node:child_process';
import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { createTestApp, type TestApp } from '../support/app.js';
import { request, type HttpAnswer } from '../support/http.js';
import { productionEnv } from '../support/production.js';

/** The Accept header of browsers when a person opens an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const NETWORK = '?query={globals{network}}';
const ANSWER = { data: { globals: { network: 'regtest' } } };
const EDITOR_POLICY =
  /^default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; script-src 'nonce-[^' ]+'; style-src-elem 'self' 'unsafe-inline'; font-src data:; connect-src 'self'$/;

describe('the page of the API at /graphql', () => {
  let app: TestApp;
  let url: string;
  beforeAll(async () => {
    app = await createTestApp({ env: { TRUST_PROXY: '1', THROTTLE_ADDRESS: '40/60' } });
    url = `${app.url}/graphql`;
  });
  afterAll(() => app.close());

  let addresses = 0;
  const get = (rest: string, headers: Record<string, string> = {}, method = 'GET'): Promise<HttpAnswer> =>
    request(`${url}${rest}`, { method, headers: { accept: BROWSER, 'x-forwarded-for': `192.0.2.${++addresses}`, ...headers } });
  const scriptsOf = (page: string): string[] => [...page.matchAll(/<script src="([^"]+)"/g)].map(([, href = '']) => href);
  const filesOf = (page: string): string[] => [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, href = '']) => href);

  it('describes the API and its authentication to a browser without a query', async () => {
    const { status, headers, text } = await get('');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html; charset=utf-8', 'no-store']);
    expect(headers.get('content-security-policy')).toMatch(EDITOR_POLICY);
    expect([headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual(['DENY', 'nosniff']);
    for (const word of ['X-API-KEY', 'Oauth2-Token', 'Bearer', 'POST /auth/login', '/dashboard/keys']) expect(text).toContain(word);
    expect(text).toContain(`${app.sluice.config.apiUrl}/graphql`);
    const nonce = /nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
    expect([...text.matchAll(/<script [^>]*nonce="([^"]+)"[^>]*><\/script>/g)].map(([, own]) => own)).toEqual(Array(4).fill(nonce));
    expect((await get('')).text).not.toContain(nonce);
  });

  it('leads to the documents, which lead to each other, to the API and to the dashboard', async () => {
    const read = (path: string): Promise<HttpAnswer> =>
      request(new URL(path, app.url).href, { headers: { accept: BROWSER, 'x-forwarded-for': `203.0.113.${++addresses % 250}` } });
    const pages = new Map<string, string>();
    const links = ['/docs/README.md', ...[...(await get('')).text.matchAll(/href="(\/docs\/[^"]+)"/g)].map(([, href = '']) => href)];
    expect(links).toContain('/docs/api.md');
    for (const link of links) {
      const { pathname, hash } = new URL(link, app.url);
      if (!pages.has(pathname)) {
        const { status, text } = await read(pathname);
        expect([pathname, status]).toEqual([pathname, 200]);
        pages.set(pathname, text);
        for (const place of ['/docs/README.md', '/graphql', '/dashboard']) expect(text).toContain(`href="${place}"`);
        const [, article = ''] = text.split('<article>');
        const found = [...article.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => new URL(href, app.url + pathname));
        links.push(...found.filter(({ host }) => host === new URL(app.url).host).map((target) => target.pathname + target.hash));
      }
      if (hash !== '')
        expect(`${link}: ${pages.get(pathname)?.includes(` id="${decodeURIComponent(hash.slice(1))}"`)}`).toBe(`${link}: true`);
    }
    for (const name of ['clients', 'webhooks', 'operating', 'deploying', 'extending', 'reference/limits', 'reference/variables'])
      expect([...pages.keys()]).toContain(`/docs/${name}.md`);
  });

  it.each(['nope.md', '../package.json', '%2e%2e/package.json', 'images/consent.png', 'reference', '__proto__.md', '%00.md'])(
    'has no document at /docs/%s',
    async (path) => {
      expect((await request(`${app.url}/docs/${path}`, { headers: { accept: BROWSER } })).status).toBe(404);
    },
  );

  it('shows a curl command that works unchanged', async () => {
    const [, line = ''] = /<code>(<span>curl<.+)<\/code>/.exec((await get('')).text) ?? [];
    const command = line
      .replaceAll(/<\/?span>/g, '')
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replace(app.sluice.config.apiUrl, app.url);
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl --silent --max-time 20')]);
    expect(JSON.parse(stdout)).toEqual(ANSWER);
  });

  it('answers HEAD with the same headers, without a body', async () => {
    const { status, headers, text } = await get('', {}, 'HEAD');
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', '']);
    expect(Number(headers.get('content-length'))).toBeGreaterThan(1_000);
  });

  it('ignores credentials, also wrong ones', async () => {
    for (const [name, value] of [
      ['authorization', 'Basic YTpi'],
      ['x-api-key', 'nonsense'],
      ['cookie', 'sluice=x'],
    ] as const)
      expect((await get('', { [name]: value })).headers.get('content-type')).toMatch(/^text\/html/);
    expect((await get(NETWORK, { 'x-api-key': 'nonsense' })).status).toBe(401);
  });

  it('does not replace the answer to a query', async () => {
    const answer = await get(NETWORK);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(answer.body).toEqual(ANSWER);
    // Apollo refuses HEAD.
    expect((await get(NETWORK, {}, 'HEAD')).status).toBe(405);
    const hash = encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } }));
    expect((await get(`?extensions=${hash}`)).body.errors[0].message).toBe('PersistedQueryNotFound');
    expect((await get('?query=')).headers.get('content-type')).toMatch(/json/);
  });

  it.each(['*/*', 'application/json', '', 'application/graphql-response+json', 'text/*', 'text/html;q=0, application/json', 'text/html-x'])(
    'is not sent to a client with Accept %j',
    async (accept) => {
      const { status, headers } = await get('', { accept });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.get('content-type')).not.toMatch(/html/);
    },
  );

  it('is not sent for a POST', async () => {
    const answer = await request(url, {
      method: 'POST',
      headers: { accept: BROWSER, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ globals { network } }' }),
    });
    expect([answer.status, answer.body]).toEqual([200, ANSWER]);
  });

  it('counts for the limit of its address', async () => {
    const address = { 'x-forwarded-for': '198.51.100.7' };
    const statuses: number[] = [];
    for (let i = 0; i < 41; i++) statuses.push((await get('', address)).status);
    expect(statuses).toEqual([...Array<number>(40).fill(200), 429]);
  });

  const raw = (
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }> =>
    new Promise((resolve, reject) => {
      ask(`${app.url}${path}`, { headers: { 'x-forwarded-for': `203.0.113.${++addresses}`, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }));
      })
        .on('error', reject)
        .end();
    });

  it('loads every asset from its own origin, compressed and cacheable', async () => {
    const { text } = await get('');
    const files = filesOf(text);
    expect(files.map((file) => file.replace(/\.[0-9a-f]{12}\./, '.')).sort()).toEqual(
      ['editor.css', 'editor.js', 'graphiql.css', 'graphiql.js', 'mark.svg', 'mark.svg', 'react-dom.js', 'react.js', 'style.css'].map(
        (name) => `/assets/${name}`,
      ),
    );
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const file of files.filter((name) => /react|graphiql/.test(name))) {
      const packed = await raw(file, { 'accept-encoding': 'gzip, deflate, br' });
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': expect.stringMatching(/^text\/(javascript|css); charset=utf-8$/),
        vary: expect.stringMatching(/accept-encoding/i),
      });
      expect(gunzipSync(packed.body).length).toBeGreaterThan(packed.body.length);
      // Without the header every coding is acceptable (RFC 9110 section 12.5.3).
      for (const headers of [
        {},
        { 'accept-encoding': '*' },
        { 'accept-encoding': 'br;q=1, X-GZIP;q=0.1' },
        { 'accept-encoding': '*;q=0, gzip' },
      ]) {
        const stored = await raw(file, headers as Record<string, string>);
        expect([stored.status, stored.headers['content-encoding'], stored.body.equals(packed.body)]).toEqual([200, 'gzip', true]);
      }
      for (const encoding of ['identity', 'gzip;q=0', 'br', '', 'gzip;q=0, *']) {
        const refused = await raw(file, { 'accept-encoding': encoding });
        expect([refused.status, refused.headers['content-encoding'], refused.headers['cache-control']]).toEqual([
          406,
          undefined,
          'no-store',
        ]);
        expect([refused.body.length < 100, refused.headers.vary]).toEqual([true, 'accept-encoding']);
      }
    }
    expect((await request(`${app.url}/assets/graphiql.000000000000.js`)).status).toBe(404);
  });

  it('has an editor in production only when the operator enables it', async () => {
    for (const [more, has] of [
      [{}, false],
      [{ GRAPHIQL: '1' }, true],
    ] as const) {
      const server = await createTestApp({ env: { ...(await productionEnv()), ...more } });
      const { text } = await request(`${server.url}/graphql`, { headers: { accept: BROWSER } });
      expect(/graphiql/i.test(text)).toBe(has);
      await server.close();
    }
  });

  it('has no editor when the operator disables it', async () => {
    const without = await createTestApp({ env: { GRAPHIQL: '0' } });
    try {
      const { status, headers, text } = await request(`${without.url}/graphql`, { headers: { accept: BROWSER } });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).not.toMatch(/script-src|unsafe|connect-src/);
      expect(text).toContain('X-API-KEY');
      expect(text).not.toMatch(/<script|id="key"|graphiql/i);
      const [script = ''] = scriptsOf((await get('')).text).filter((name) => name.includes('graphiql'));
      expect(script).not.toBe('');
      expect((await request(`${without.url}${script}`)).status).toBe(404);
    } finally {
      await without.close();
    }
  });
});
