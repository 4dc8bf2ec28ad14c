import { createTestApp, type TestApp } from '../support/app.js';
import { CALLBACK, newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;
let browser: BrowserSession;

beforeAll(async () => {
  server = await createTestApp({ env: { THROTTLE_AUTHORIZATION_PAGE: '10000/60' } });
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
  // Alice is signed in and has allowed everything before: the endpoint redirects without asking, so it is most exposed.
  browser = new BrowserSession(server.url);
  await shop.code(alice, { scope: 'read' }, browser);
});
afterAll(() => server.close());

const begin = (more: Readonly<Record<string, string | undefined>>, app = shop): Promise<Visit> => browser.get(app.authorizeUrl(more));
const answered = ({ location }: Visit): Record<string, string> => Object.fromEntries(new URL(location).searchParams);
function expectPage(visit: Visit): void {
  expect([visit.status, visit.headers.get('location')]).toEqual([400, null]);
  expect(visit.text).toContain('data-testid="error-client"');
}

it('the flow under attack returns a code when it is not attacked', async () => {
  expect(answered(await begin({}))).toMatchObject({ code: expect.any(String) });
});

describe('A-01, A-02: open redirects', () => {
  it.each([
    'https://evil.example/',
    'https://evil.example/callback',
    `${CALLBACK}.evil.example`,
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
  ])('A-01: %s', async (uri) => {
    expectPage(await begin({ redirect_uri: uri }));
    // Also with an error that the endpoint would send to the app.
    expectPage(await begin({ redirect_uri: uri, scope: 'nothing', response_type: 'x' }));
    expectPage(await begin({ redirect_uri: uri, prompt: 'none' }));
  });

  it('A-02: unknown clients are not redirected', async () => {
    expectPage(await begin({ client_id: 'unknown' }));
    expectPage(await begin({ client_id: 'unknown', redirect_uri: 'https://evil.example/', error: 'x' }));
  });
});

describe('A-03: callback URLs that look like the registered one are refused on a page', () => {
  const confused = [
    `${CALLBACK}/`,
    `${CALLBACK}/../x`,
    `${CALLBACK}/%2e%2e/x`,
    `${CALLBACK}//evil`,
    `${CALLBACK}\\evil`,
    `${CALLBACK}?a=b`,
    `${CALLBACK}?`,
    `${CALLBACK}#f`,
    `${CALLBACK}#`,
    'https://app.example.test@evil.example/callback',
    'https://evil.example@app.example.test/callback',
    'https://app.example.test./callback',
    'https://APP.example.test/callback',
    'https://app.example.test/CALLBACK',
    'HTTPS://app.example.test/callback',
    `${CALLBACK}%20`,
    `${CALLBACK} `,
    ` ${CALLBACK}`,
    `${CALLBACK}\t`,
    `${CALLBACK}\n`,
    `${CALLBACK}\0`,
    'https://app.example.test:443/callback',
    'http://app.example.test/callback',
    'https://app。example.test/callback',
    'https://app.example.test/c%61llback',
    'https://app.example.test/c%2561llback',
    `${CALLBACK}\u202e`,
    `${CALLBACK}&code=x`,
    `${CALLBACK};evil`,
  ];
  it.each(confused)('%j', async (uri) => expectPage(await begin({ redirect_uri: uri })));
});

describe('A-04: the loopback rule', () => {
  let native: OAuthApp;
  beforeAll(async () => {
    native = await newOAuthApp(server, { confidential: false, redirectUris: ['http://127.0.0.1/cb?a=1', 'http://localhost:3000/cb'] });
  });

  it.each(['http://127.0.0.1:51004/cb?a=1', 'http://127.0.0.1/cb?a=1', 'http://localhost:3001/cb'])(
    'accepts any port of a loopback literal: %s',
    async (uri) => {
      expect((await begin({ redirect_uri: uri }, native)).location).toContain('/consent?');
    },
  );

  it('redirects to the requested port', async () => {
    const { location } = await begin({ redirect_uri: 'http://127.0.0.1:51004/cb?a=1', scope: 'nothing' }, native);
    expect(location).toMatch(/^http:\/\/127\.0\.0\.1:51004\/cb\?a=1&error=invalid_scope/);
  });

  it.each([
    'http://127.0.0.1.evil.example/cb?a=1',
    'http://localhost/cb?a=1',
    'http://localhost:3001/other',
    'http://localhost.evil.example:3000/cb',
    'http://127.0.0.1:1/other?a=1',
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:1/cb?a=2',
    'http://127.0.0.1:1/cb?a=1&b',
    'https://127.0.0.1:1/cb?a=1',
    'http://0x7f.1/cb?a=1',
    'http://2130706433/cb?a=1',
    'http://[::ffff:127.0.0.1]/cb?a=1',
    'http://127.0.0.1:80@evil.example/cb?a=1',
  ])('refuses %s', async (uri) => expectPage(await begin({ redirect_uri: uri }, native)));

  it('does not hold for apps with a secret', async () => {
    const confidential = await newOAuthApp(server, { redirectUris: ['http://127.0.0.1/cb'] });
    expectPage(await begin({ redirect_uri: 'http://127.0.0.1:51004/cb' }, confidential));
  });
});

it('A-05: a posted sign-in or consent is redirected with 303, never with 307', async () => {
  const fresh = new BrowserSession(server.url);
  const begun = await fresh.post(
    '/oauth2/auth',
    Object.fromEntries(new URL(shop.authorizeUrl({ scope: 'read write' }), server.url).searchParams),
  );
  const asked = await shop.consentPage(alice, begun, fresh);
  const decided = await fresh.submit(asked, { decision: 'allow', scope: ['read'] });
  expect([begun.status, decided.status]).toEqual([303, 303]);
});

describe('A-06: parameter pollution', () => {
  const again = (query: string): Promise<Visit> => browser.get(`${shop.authorizeUrl()}&${query}`);

  it('answers a repeated client_id or redirect_uri on a page', async () => {
    expectPage(await again(`client_id=${shop.client.id}`));
    expectPage(await again('client_id='));
    expectPage(await again(`redirect_uri=${encodeURIComponent(CALLBACK)}`));
    expectPage(await again('redirect_uri=https://evil.example/'));
    expectPage(await browser.get(shop.authorizeUrl().replace('client_id=', 'client_id=unknown&client_id=')));
  });

  it.each(['scope=read', 'response_type=code', 'prompt=login', 'nonce=a&nonce=b', 'state=another-state', 'authorization_details=a'])(
    'returns an error for any other repeated parameter (%s)',
    async (query) => {
      const parameters = new URL(
        (
          await again(
            query.includes('&') || query.startsWith('scope') || query.startsWith('resp') || query.startsWith('state')
              ? query
              : `${query}&${query}`,
          )
        ).location,
      ).searchParams;
      expect([parameters.get('error'), parameters.get('code')]).toEqual(['invalid_request', null]);
    },
  );

  it('counts parameters in the address and in the body together', async () => {
    const body = Object.fromEntries(new URL(shop.authorizeUrl(), server.url).searchParams);
    expectPage(await browser.post(`/oauth2/auth?client_id=${shop.client.id}`, body));
    expectPage(await browser.post(`/oauth2/auth?redirect_uri=https://evil.example/`, body));
    expect(answered(await browser.post('/oauth2/auth?scope=write', body))).toMatchObject({ error: 'invalid_request' });
  });

  it.each(['scope[]=write', 'scope[0]=write', '__proto__[scope]=write', '__proto__=x', 'constructor[prototype][x]=y', 'scope%00=write'])(
    'ignores the unknown parameter %s',
    async (query) => {
      expect(answered(await again(query))).toMatchObject({ code: expect.any(String), scope: 'read' });
      expect(({} as Record<string, unknown>)['scope']).toBeUndefined();
    },
  );
});

it('A-07: the parameters of the response occur once', async () => {
  const tenant = await newOAuthApp(server, { redirectUris: ['https://app.example.test/cb?tenant=1'] });
  const url = new URL((await begin({ scope: 'nothing' }, tenant)).location);
  for (const name of ['error', 'state', 'iss', 'tenant']) expect(url.searchParams.getAll(name)).toHaveLength(1);
  await expect(newOAuthApp(server, { redirectUris: ['https://app.example.test/cb?code=1'] })).rejects.toThrow(/code/);
});

it.each([
  'unicode ünïcödé 🦊',
  'a+b c%20d%2B',
  '%%%25%00',
  '&code=evil&state=evil',
  '#fragment',
  '"><svg onload=alert(1)>',
  'x'.repeat(2_048),
  '\r\nSet-Cookie: a=b',
])('A-08: state is returned unchanged: %j', async (state) => {
  for (const more of [{}, { scope: 'nothing' }]) {
    const visit = await begin({ state, ...more });
    expect(new URL(visit.location).searchParams.getAll('state')).toEqual([state]);
    expect(new URL(visit.location).searchParams.getAll('code').length + new URL(visit.location).searchParams.getAll('error').length).toBe(
      1,
    );
    expect(visit.headers.get('set-cookie')).toBeNull();
  }
});
