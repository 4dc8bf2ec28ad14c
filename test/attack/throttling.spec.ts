import { createTestApp, type TestApp } from '../support/app.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';

const LIMITS = {
  TRUST_PROXY: '1',
  THROTTLE_ADDRESS: '60/60',
  THROTTLE_PRINCIPAL: '8/60',
  THROTTLE_REGISTRATION: '3/3600',
  THROTTLE_AUTHORIZATION_PAGE: '4/60',
  THROTTLE_ANONYMOUS_INVOICE: '5/60',
  THROTTLE_INVOICE_RECIPIENT: '12/60',
};

/** Each bucket is full at its limit, reports so in its headers, and affects no other caller. */
describe('rate limits', () => {
  let app: TestApp;
  let alice: Person;
  let addresses = 0;
  beforeAll(async () => {
    app = await createTestApp({ env: LIMITS });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${++addresses}` });
  const globals = (headers: Record<string, string>): Promise<HttpAnswer> =>
    post(`${app.url}/graphql`, { query: '{ globals { network } }' }, headers);
  const expectFull = ({ status, headers }: Pick<HttpAnswer | Visit, 'status' | 'headers'>, bucket: string, policy: string): void => {
    expect(status).toBe(429);
    expect(headers.get('ratelimit')).toMatch(new RegExp(`"${bucket}";r=0;t=\\d+`));
    expect(headers.get('ratelimit-policy')).toContain(`"${bucket}";${policy}`);
    const retry = Number(headers.get('retry-after'));
    expect(retry >= 1 && retry <= 3_600).toBe(true);
  };

  it('count all requests of an address, for any path and caller', async () => {
    const here = elsewhere();
    const paths = ['/favicon.ico', '/login', '/.well-known/jwks.json', '/nowhere', '/graphql?query={__typename}', '/userinfo'];
    const answers = [];
    const headersOf = (i: number): Record<string, string> => ({ ...here, ...(i % 3 === 0 && { 'x-api-key': 'nonsense' }) });
    for (let i = 0; i < 62; i++) answers.push(await request(`${app.url}${paths[i % paths.length]}`, { headers: headersOf(i) }));
    expect(answers.slice(0, 60).map(({ status }) => status)).not.toContain(429);
    for (const credential of [alice.as('read'), { 'x-api-key': 'nonsense' }]) {
      const last = await globals({ ...here, ...credential });
      expectFull(last, 'address', 'q=60;w=60');
      const { message } = last.body.error as { message: string };
      expect(last.body).toEqual({ error: { code: 429, status: 'TOO_MANY_REQUEST', message }, errors: [{ message }] });
    }
    expect((await globals({ ...elsewhere(), ...alice.as('read') })).status).toBe(200);
  });

  it('count calls of a principal, from any address; another key of the same person has its own limit', async () => {
    for (let i = 0; i < 8; i++) expect((await globals({ ...elsewhere(), ...alice.as('write') })).status).toBe(200);
    expectFull(await globals({ ...elsewhere(), ...alice.as('write') }), 'principal', 'q=8;w=60');
    expect((await globals({ ...elsewhere(), ...alice.as('receive') })).status).toBe(200);
  });

  it('count pages of a session, from any address; another session of the same person has its own limit', async () => {
    const dave = await new Fixture(app).user();
    const signedIn = async (): Promise<BrowserSession> => {
      const browser = new BrowserSession(app.url);
      await browser.signInFrom(elsewhere()['x-forwarded-for'] ?? '', { email: dave.email, password: PASSWORD });
      return browser;
    };
    const [one, other] = [await signedIn(), await signedIn()];
    const paths = ['/dashboard', '/dashboard/keys', '/dashboard/receive', '/dashboard/nowhere', '/login', '/dashboard/account'];
    const pages: Visit[] = [];
    for (let i = 0; i < 8; i++) pages.push(await one.get(paths[i % paths.length] ?? '', elsewhere()));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 404, 303, 200, 200, 200]);
    expect(pages[3]?.text).toContain('href="/dashboard/keys"');
    const refused = await one.get('/dashboard', elsewhere());
    expectFull(refused, 'principal', 'q=8;w=60');
    expect(refused.headers.get('ratelimit')).toMatch(/"account";r=5991;/);
    expect(refused.text).toContain('Too many requests');
    // The page of an error costs a look-up too.
    const missing = await one.get('/dashboard/nowhere', elsewhere());
    expect([missing.status, missing.text.includes('href="/dashboard/keys"')]).toEqual([404, false]);
    expect((await one.get('/dashboard/events', { ...elsewhere(), 'sec-fetch-site': 'same-origin' })).status).toBe(429);
    expect((await other.get('/dashboard', elsewhere())).status).toBe(200);
  });

  it('count registrations of an address', async () => {
    const register = async (from: Record<string, string>, n: number): Promise<Visit> => {
      const browser = new BrowserSession(app.url);
      const csrf = /name="csrf" value="([^"]*)"/.exec((await browser.get('/register', from)).text)?.[1] ?? '';
      const fields = { csrf, email: `n${n}@example.test`, username: `someone_${n}`, password: 'a good long password' };
      return browser.post('/register', fields, { 'sec-fetch-site': 'same-origin', ...from });
    };
    const here = elsewhere();
    for (let i = 0; i < 3; i++) expect((await register(here, i)).status).toBe(303);
    expectFull(await register(here, 9), 'registration', 'q=3;w=3600');
    expect((await register(elsewhere(), 10)).status).toBe(303);
  });

  it('count authorization requests of an address that need a page', async () => {
    const shop = await newOAuthApp(app);
    const here = elsewhere();
    for (let i = 0; i < 4; i++) expect((await new BrowserSession(app.url).get(shop.authorizeUrl(), here)).status).toBe(303);
    expectFull(await new BrowserSession(app.url).get(shop.authorizeUrl(), here), 'authorization-page', 'q=4;w=60');
    expect((await new BrowserSession(app.url).get(shop.authorizeUrl({ prompt: 'none' }), here)).status).toBe(303);
    expect((await new BrowserSession(app.url).get(shop.authorizeUrl(), elsewhere())).status).toBe(303);
  });

  it('count anonymous LNURL invoices by address and by recipient, and never the recipient’s own', async () => {
    const lnurl = (from: Record<string, string>): Promise<HttpAnswer> =>
      request(`${app.url}/.well-known/lnurlp/${alice.username}/callback?amount=1000`, { headers: from });
    const here = elsewhere();
    for (let i = 0; i < 5; i++) expect((await lnurl(here)).body.pr).toMatch(/^lnbcrt/);
    expectFull(await lnurl(here), 'anonymous-invoice', 'q=5;w=60');
    for (let i = 0; i < 7; i++) expect((await lnurl(elsewhere())).body.pr).toMatch(/^lnbcrt/);
    // The recipient's limit is reached: the first three a minute of any address are created all the same.
    const there = elsewhere();
    for (let i = 0; i < 3; i++) expect((await lnurl(there)).body.pr).toMatch(/^lnbcrt/);
    expect((await lnurl(there)).body).toMatchObject({ status: 'ERROR' });
    expect((await alice.invoice(1)).paymentRequest).toMatch(/^lnbcrt/);
  });

  describe('the address of a caller', () => {
    const limit = 5;
    /** One server for each number of proxies: every case has addresses of its own. */
    const servers = new Map<string, Promise<TestApp>>();
    afterAll(async () => {
      for (const server of servers.values()) await (await server).close();
    });
    const serverBehind = (proxies: string): Promise<TestApp> => {
      const server = servers.get(proxies) ?? createTestApp({ env: { THROTTLE_ADDRESS: `${limit}/60`, TRUST_PROXY: proxies } });
      servers.set(proxies, server);
      return server;
    };
    const served = async (proxies: string, headersOf: (i: number) => Record<string, string>): Promise<number[]> => {
      const { url } = await serverBehind(proxies);
      const statuses = [];
      for (let i = 0; i < limit + 3; i++) statuses.push((await request(`${url}/favicon.ico`, { headers: headersOf(i) })).status);
      return statuses;
    };
    const LIMITED = [...Array<number>(limit).fill(200), 429, 429, 429];

    it.each([
      [
        'forwarded headers are ignored without TRUST_PROXY',
        '0',
        (i: number) => ({ 'x-forwarded-for': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}`, 'x-real-ip': `192.0.2.${i}` }),
      ],
      ['of one proxy only what it added', '1', (i: number) => ({ 'x-forwarded-for': `192.0.2.${i}, 198.51.100.1` })],
      ['of two proxies only what the outer one added', '2', (i: number) => ({ 'x-forwarded-for': `192.0.2.${i}, 198.51.100.1, 10.0.0.1` })],
      ['one network of IPv6 is one address', '1', (i: number) => ({ 'x-forwarded-for': `2001:db8:1:2:${i}::${i}` })],
      ['nonsense is the proxy itself', '1', (i: number) => ({ 'x-forwarded-for': `nonsense-${i}` })],
      ['IPv4 in IPv6 is IPv4', '1', (i: number) => ({ 'x-forwarded-for': i % 2 ? '192.0.2.9' : '::ffff:192.0.2.9' })],
    ] as const)('%s', async (_what, proxies, headersOf) => {
      expect(await served(proxies, headersOf)).toEqual(LIMITED);
    });

    it('is that of its IPv6 /56 too, which has four times as many', async () => {
      const { url } = await serverBehind('1');
      const callFrom = (address: string): Promise<HttpAnswer> => request(`${url}/favicon.ico`, { headers: { 'x-forwarded-for': address } });
      const statuses = [];
      // What is refused to one /64 uses up nothing of its neighbours.
      for (let i = 0; i < 4 * limit; i++) statuses.push((await callFrom('2001:db8:5:1200::1')).status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(limit);
      for (let i = 1; i <= 3 * limit; i++) expect((await callFrom(`2001:db8:5:12${i.toString(16).padStart(2, '0')}::1`)).status).toBe(200);
      expectFull(await callFrom('2001:db8:5:12ff::1'), 'address', 'q=20;w=60');
      expect((await callFrom('2001:db8:5:1300::1')).status).toBe(200);
    });

    it('differs for different people behind one proxy', async () => {
      expect(new Set(await served('1', (i) => ({ 'x-forwarded-for': `192.0.2.${i}` })))).toEqual(new Set([200]));
    });
  });
});
