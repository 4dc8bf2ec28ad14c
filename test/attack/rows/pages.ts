import { formAction, hiddenFields, type BrowserSession, type Visit } from '../../support/browser-session.js';
import { outcomeOf, type Row, type Site } from './target.js';

const EVIL = '"><svg onload=alert(1)>';

/** The page on which the server asks who the person is, in a browser of its own. */
async function loginPage(site: Site, more: Readonly<Record<string, string>> = {}): Promise<{ browser: BrowserSession; page: Visit }> {
  const browser = site.browser();
  return { browser, page: await site.page(await browser.get(site.client.url(more)), browser) };
}

/** The page on which the person decides. */
async function consentPage(site: Site): Promise<{ browser: BrowserSession; page: Visit }> {
  const browser = await site.personsBrowser();
  return { browser, page: await site.pageAfterSignIn(await browser.get(site.client.url()), browser) };
}

async function eachPage(site: Site): Promise<Record<string, Visit>> {
  return {
    'sign-in': (await loginPage(site)).page,
    consent: (await consentPage(site)).page,
    error: await site.browser().get(site.client.url({ client_id: 'unknown' })),
  };
}

export const PAGES: readonly Row[] = [
  [
    'A-17: a form that another site sends is refused',
    async (site) => {
      const foreign: readonly Record<string, string>[] = [
        { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        { 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost' },
        { origin: 'https://evil.example' },
      ];
      for (const headers of foreign)
        for (const { browser, page } of [await loginPage(site), await consentPage(site)]) {
          const answer = await browser.post(formAction(page), { ...hiddenFields(page), ...site.agreed(page) }, headers);
          expect([answer.status, answer.location]).toEqual([403, '']);
        }
    },
  ],
  [
    'A-18: a consent is not given by GET',
    async (site) => {
      const { browser, page } = await consentPage(site);
      const fields = new URLSearchParams({ decision: 'allow', ...hiddenFields(page) });
      for (const [name, value] of Object.entries(site.agreed(page))) for (const each of [value].flat()) fields.append(name, each);
      const action = formAction(page);
      const visit = await site.page(await browser.get(`${action}${action.includes('?') ? '&' : '?'}${fields.toString()}`), browser);
      expect(outcomeOf(visit)).not.toBe('code');
    },
  ],
  [
    'A-19: a stolen request cannot be completed in another browser',
    async (site) => {
      const { page: login } = await loginPage(site);
      const { page: consent } = await consentPage(site);
      for (const page of [login, consent]) {
        const victim = (await site.personsBrowser()).clone();
        for (const name of victim.cookies.keys()) if (/-i-|interaction|resume/.test(name)) victim.cookies.delete(name);
        expect(outcomeOf(await site.page(await victim.get(page.url), victim))).toBe('page');
        const answer = await victim.submit(page, site.agreed(page));
        expect(outcomeOf(await site.page(answer, victim))).toBe('page');
      }
    },
  ],
  [
    'A-20: no page can be framed',
    async (site) => {
      for (const [what, { headers }] of Object.entries(await eachPage(site)))
        expect([what, headers.get('x-frame-options'), /frame-ancestors 'none'/.test(headers.get('content-security-policy') ?? '')]).toEqual(
          [what, 'DENY', true],
        );
    },
  ],
  [
    'A-23: markup in parameters is escaped, and an error page repeats none',
    async (site) => {
      const { page } = await loginPage(site, { login_hint: EVIL, ui_locales: EVIL, state: `${EVIL}${EVIL}` });
      expect(page.text).not.toContain('<svg onload');
      for (const more of [{ client_id: EVIL }, { redirect_uri: `https://app.example.test/${EVIL}` }]) {
        const { text } = await site.browser().get(site.client.url({ ...more, error: EVIL, error_description: EVIL, state: EVIL }));
        expect(text).not.toContain('svg onload');
      }
    },
  ],
  [
    'A-24: no page sends a Referer or loads from another site',
    async (site) => {
      const app = new URL(site.client.registered.redirectUri).host;
      for (const [what, { headers, text }] of Object.entries(await eachPage(site))) {
        // Over plain http a page with a form has to let `Origin` through.
        expect([what, ['no-referrer', 'same-origin'].includes(headers.get('referrer-policy') ?? '')]).toEqual([what, true]);
        const loaded = [...text.matchAll(/(?:src|href)="((?:https?:)?\/\/[^"]*)"|url\(((?:https?:)?\/\/[^)]*)\)/g)].map(
          ([, one, other]) => one ?? other ?? '',
        );
        expect([what, loaded.filter((address) => !site.isOurs(address) && new URL(address).host !== app)]).toEqual([what, []]);
      }
    },
  ],
];
