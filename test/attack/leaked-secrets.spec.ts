import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture } from '../support/fixture.js';

let server: TestApp;
const pages: Visit[] = [];
const secrets = new Map<string, string>();

/** Runs every flow once, right and wrong, at the most verbose log level. */
beforeAll(async () => {
  server = await createTestApp({ env: { LOG_LEVEL: 'trace' } });
  const alice = await new Fixture(server).user();
  const shop = await newOAuthApp(server, { requirePkce: true });
  const browser = new BrowserSession(server.url);
  const note = (name: string, secret: string): string => (secrets.set(name, secret), secret);

  const begun = await browser.get(
    shop.authorizeUrl({
      scope: 'openid read write offline',
      state: note('state', 'a-state-that-is-a-secret'),
      nonce: note('nonce', 'a-nonce-that-is-a-secret'),
    }),
  );
  note('challenge', new URL(begun.location).searchParams.get('login_challenge') ?? '');
  pages.push(await browser.get(begun.location));
  const asked = await shop.consentPage(alice, begun, browser);
  pages.push(asked);
  const code = note(
    'code',
    new URL((await browser.submit(asked, { decision: 'allow', scope: ['read', 'offline'] })).location).searchParams.get('code') ?? '',
  );
  for (const [name, value] of browser.cookies) note(`cookie ${name}`, value);

  const tokens = (await shop.exchange(code)).body;
  const rotated = (await shop.refresh(tokens.refresh_token)).body;
  for (const [name, value] of Object.entries({ ...tokens, access_2: rotated.access_token, refresh_2: rotated.refresh_token }))
    if (/token|_2/.test(name) && name !== 'token_type') note(name, String(value));
  note('verifier', shop.pkce.verifier);
  note('client secret', shop.secret);
  note('authorization header', shop.basic.slice('Basic '.length));
  note('password', PASSWORD);

  await shop.exchange(code);
  await shop.refresh(`${tokens.refresh_token}x`);
  await shop.token(
    { grant_type: 'x' },
    { authorization: `Basic ${Buffer.from(`${shop.client.id}:${note('wrong secret', 'a-wrong-client-secret')}`).toString('base64')}` },
  );
  await shop.revoke(tokens.access_token);
  await shop.userinfo(tokens.access_token);
  await fetch(`${server.url}/userinfo?access_token=${tokens.access_token}`);
  await fetch(`${server.url}/oauth2/token?client_secret=${shop.secret}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=b',
  });
  await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'oauth2-token': tokens.access_token },
    body: '{',
  });
  pages.push(
    await browser.get(
      `/oauth2/auth?client_id=${shop.client.id}&redirect_uri=https://evil.example/&state=${secrets.get('state')}&code=${code}`,
    ),
  );
  pages.push(await browser.get(asked.url));
});
afterAll(() => server.close());

describe('A-24, A-25: secrets that leak', () => {
  it('A-25: the log contains no secret of any flow', () => {
    expect(server.logs.length).toBeGreaterThan(0);
    expect(secrets.size).toBeGreaterThan(14);
    const log = server.logs.join('\n');
    const leaked = [...secrets].filter(([, secret]) => secret === '' || log.includes(secret)).map(([name]) => name);
    expect(leaked).toEqual([]);
  });

  it('A-25: no page contains a secret of another page', () => {
    const ofThePage = new Set(['challenge']);
    const leaked = pages.flatMap(({ text, url }) =>
      [...secrets].filter(([name, secret]) => !ofThePage.has(name) && text.includes(secret)).map(([name]) => `${name} on ${url}`),
    );
    expect(leaked).toEqual([]);
  });

  it('A-24: no page sends a Referer or loads from another origin', () => {
    for (const { headers, text } of pages) {
      // The tests' address is plain http, where pages with forms have to let `Origin` through.
      expect(['no-referrer', 'same-origin']).toContain(headers.get('referrer-policy'));
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*)"/g))
        expect(address).not.toMatch(/^(?:https?:)?\/\/(?!app\.example\.test)/);
    }
  });
});
