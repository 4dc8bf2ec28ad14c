import type { Visit } from '../../support/browser-session.js';
import { newPkce, outcomeOf, type App, type Row, type Site } from './target.js';

/** What becomes of requests that differ in one parameter, each in the browser of a person who has agreed before. */
async function outcomes(app: App, name: string, values: readonly string[]): Promise<Record<string, string>> {
  const browser = await app.site.personsBrowser();
  const found: [string, string][] = [];
  for (const value of values) found.push([value, outcomeOf(await browser.get(app.url({ [name]: value })))]);
  return Object.fromEntries(found);
}
const all = (values: readonly string[], outcome: string): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, outcome]));

/** Addresses that look like a registered one. */
function lookalikes(registered: string): string[] {
  const { protocol, host, pathname } = new URL(registered);
  const other = protocol === 'https:' ? 'http:' : 'https:';
  const appended = [
    '/',
    '/../x',
    '/%2e%2e/x',
    '//evil',
    '\\evil',
    '?a=b',
    '?',
    '#f',
    '#',
    '%20',
    ' ',
    '\t',
    '\n',
    '\0',
    '\u202e',
    '&code=x',
    ';evil',
  ];
  return [
    ...appended.map((text) => `${registered}${text}`),
    ` ${registered}`,
    `${protocol}//${host}@evil.example${pathname}`,
    `${protocol}//evil.example@${host}${pathname}`,
    `${protocol}//${host}.evil.example${pathname}`,
    `${protocol}//${host}.${pathname}`,
    `${protocol}//${host.toUpperCase()}${pathname}`,
    `${protocol}//${host}${pathname.toUpperCase()}`,
    `${protocol.toUpperCase()}//${host}${pathname}`,
    `${protocol}//${host.split(':')[0]}:444${pathname}`,
    `${other}//${host}${pathname}`,
    `${protocol}//${host.replace('.', '。')}x${pathname}`,
    `${protocol}//${host}${pathname.replace('c', '%63')}`,
    `${protocol}//${host}${pathname.replace('c', '%2563')}`,
  ];
}

async function repeated(site: Site, added: string): Promise<string> {
  const browser = await site.personsBrowser();
  return outcomeOf(await browser.get(`${site.client.url()}&${added}`));
}

export const REQUESTS: readonly Row[] = [
  [
    'A-01: an address that is not registered gets nothing, also no error',
    async (site) => {
      const { redirectUri } = site.client.registered;
      const evil = ['https://evil.example/', `${redirectUri}.evil.example`, 'javascript:alert(1)', 'data:text/html,x', '//evil.example'];
      expect(await outcomes(site.client, 'redirect_uri', evil)).toEqual(all(evil, 'page'));
      const browser = await site.personsBrowser();
      for (const more of [{ scope: 'nothing', response_type: 'x' }, { prompt: 'none' }])
        expect(outcomeOf(await browser.get(site.client.url({ redirect_uri: evil[0], ...more })))).toBe('page');
    },
  ],
  [
    'A-02: an unknown client gets no redirect',
    async (site) => {
      const browser = await site.personsBrowser();
      for (const more of [{}, { redirect_uri: 'https://evil.example/', error: 'x' }, { prompt: 'none' }])
        expect(outcomeOf(await browser.get(site.client.url({ client_id: 'unknown', ...more })))).toBe('page');
    },
  ],
  [
    'A-03: addresses that look like the registered one are refused',
    async (site) => {
      const confused = lookalikes(site.client.registered.redirectUri);
      expect(await outcomes(site.client, 'redirect_uri', confused)).toEqual(all(confused, 'page'));
    },
  ],
  [
    'A-04: of an address on 127.0.0.1 only the port may differ',
    async (site) => {
      const { pathname, search } = new URL(site.native.registered.redirectUri);
      const at = (origin: string, rest = `${pathname}${search}`): string => `${origin}${rest}`;
      const right = [at('http://127.0.0.1'), at('http://127.0.0.1:51004')];
      const wrong = [
        at('http://127.0.0.1.evil.example'),
        at('http://localhost:51004'),
        at('https://127.0.0.1:51004'),
        at('http://0x7f.1'),
        at('http://2130706433'),
        at('http://[::ffff:127.0.0.1]'),
        at('http://127.0.0.1:80@evil.example'),
        at('http://127.0.0.1:1', `${pathname}/other${search}`),
        at('http://127.0.0.1:1', `${pathname}?another=1`),
        at('http://127.0.0.1:1', `${pathname}${search}${search ? '&' : '?'}b`),
      ];
      expect(await outcomes(site.native, 'redirect_uri', [...right, ...wrong])).toEqual({ ...all(right, 'asked'), ...all(wrong, 'page') });
    },
  ],
  [
    'A-05: a posted sign-in and a posted consent are answered with 303, which sends no body on',
    async (site) => {
      const browser = site.browser();
      const { searchParams, pathname } = new URL(site.client.url());
      const posted = await browser.post(pathname, Object.fromEntries(searchParams));
      // A server need not take such a request by POST.
      const begun = posted.status === 404 || posted.status === 405 ? await browser.get(site.client.url()) : posted;
      const login = await site.page(begun, browser);
      const signedIn = await browser.submit(login, site.agreed(login));
      const consent = await site.page(signedIn, browser);
      const decided = await browser.submit(consent, site.agreed(consent));
      expect([begun.status, signedIn.status, decided.status]).toEqual([303, 303, 303]);
    },
  ],
  [
    'A-06: a repeated parameter is refused; one with brackets is another parameter',
    async (site) => {
      const { id, redirectUri } = site.client.registered;
      const pages = [
        `client_id=${id}`,
        'client_id=',
        `redirect_uri=${encodeURIComponent(redirectUri)}`,
        'redirect_uri=https://evil.example/',
      ];
      for (const added of pages) expect([added, await repeated(site, added)]).toEqual([added, 'page']);
      for (const added of ['scope=openid', 'response_type=code', 'prompt=login', 'state=another-state', 'nonce=a&nonce=b'])
        expect([added, await repeated(site, added)]).toEqual([added, 'invalid_request']);
      for (const added of [
        'scope[]=write',
        'scope[0]=write',
        '__proto__[scope]=write',
        '__proto__=x',
        'constructor[prototype][x]=y',
        'scope%00=write',
      ])
        expect([added, await repeated(site, added)]).toEqual([added, 'asked']);
      const browser = await site.personsBrowser();
      const { searchParams, pathname } = new URL(site.client.url());
      const sent = Object.fromEntries(searchParams);
      expect(outcomeOf(await browser.post(`${pathname}?client_id=${id}`, sent))).toBe('page');
      expect(outcomeOf(await browser.post(`${pathname}?redirect_uri=https://evil.example/`, sent))).toBe('page');
    },
  ],
  [
    'A-07: the parameters of the response occur once, whatever the request brings',
    async (site) => {
      const browser = await site.personsBrowser();
      const begun = await browser.get(`${site.client.url()}&code=evil&iss=https%3A%2F%2Fevil.example&error=evil`);
      const { searchParams } = await site.client.agree(begun, browser);
      for (const name of ['code', 'state', 'iss']) expect([name, searchParams.getAll(name).length]).toEqual([name, 1]);
      expect(searchParams.toString()).not.toContain('evil');
    },
  ],
  [
    'A-08: state returns unchanged, and is no header',
    async (site) => {
      const browser = site.browser();
      const states = [
        'ünïcödé 🦊 state',
        'a+b c%20d%2B',
        '%%%25%00',
        '&code=evil&state=evil',
        '#fragment',
        '"><svg onload=alert(1)>',
        '\r\nSet-Cookie: a=b',
        'x'.repeat(2_048),
      ];
      for (const state of states) {
        const visit = await browser.get(site.client.url({ state, prompt: 'none' }));
        const { searchParams } = new URL(visit.location);
        expect([searchParams.get('error'), searchParams.getAll('state')]).toEqual(['login_required', [state]]);
        expect(visit.headers.get('set-cookie') ?? '').not.toContain('a=b');
      }
      const signedIn = await site.personsBrowser();
      const end = await site.client.agree(await signedIn.get(site.client.url({ state: states[0] })), signedIn);
      expect([end.searchParams.getAll('state'), end.searchParams.has('code')]).toEqual([[states[0]], true]);
    },
  ],
  [
    'A-13: a challenge is S256, or the request is refused',
    async (site) => {
      const methods = ['plain', 's256', 'S256 ', ' S256', 'S512', 'none'];
      expect(await outcomes(site.client, 'code_challenge_method', methods)).toEqual(all(methods, 'invalid_request'));
      const browser = await site.personsBrowser();
      for (const app of [site.client, site.native]) {
        const without = app.url({ code_challenge: newPkce().challenge, code_challenge_method: undefined });
        expect(outcomeOf(await browser.get(without))).toBe('invalid_request');
      }
    },
  ],
  [
    'A-15: every response has iss, byte for byte as in discovery',
    async (site) => {
      const browser = await site.personsBrowser();
      const issOf = (address: string): string[] => new URL(address).searchParams.getAll('iss');
      const refused: Visit = await browser.get(site.client.url({ response_type: 'x' }));
      expect(issOf(refused.location)).toEqual([site.found.issuer]);
      expect(issOf((await site.browser().get(site.client.url({ prompt: 'none' }))).location)).toEqual([site.found.issuer]);
      const end = await site.client.agree(await browser.get(site.client.url()), browser);
      expect([issOf(end.href), site.found.issuer]).toEqual([[site.found.issuer], site.target.issuer]);
    },
  ],
];
