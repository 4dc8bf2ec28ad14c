import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Totp } from '../../src/access/factor/totp.js';
import { OperatorService } from '../../src/access/user/index.js';
import { Mail } from '../../src/edge/mail/index.js';
import { ASSETS } from '../../src/edge/page/index.js';
import { PAGES } from '../../src/operator/console/console-page.js';
import { Database } from '../../src/platform/database/index.js';
import { eventually } from '../../src/testing/index.js';
import { createApp } from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { startSmtpServer } from '../support/smtp-server.js';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(document.domain)</script><rect width="9" height="9"/></svg>';
const NAME = 'Bär & Söhne: "Pay"';
const SHOWN = 'Bär &amp; Söhne: &quot;Pay&quot;';
const SUPPORT = '<footer class="sub">Support: <a href="mailto:help@example.test">help@example.test</a></footer>';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'sluice-brand-'))));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('a branded installation', () => {
  let app: TestApp;
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
  let fixture: Fixture;
  let alice: Person;
  let browser: BrowserSession;
  beforeAll(async () => {
    smtp = await startSmtpServer([]);
    const brand = {
      BRAND_NAME: NAME,
      BRAND_MARK: fileOf('mark.svg', SVG),
      BRAND_COLOR: '#7A1FA2',
      BRAND_SUPPORT: 'mailto:help@example.test',
    };
    app = await createTestApp({ env: { ...brand, MAIL_URL: smtp.url, MAIL_FROM: 'pay@example.test' } });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
    await app.get(OperatorService).change(alice.userId, true, { who: 'test', because: 'test' });
    browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
  });
  afterAll(async () => {
    await app.close();
    smtp.close();
  });
  const newest = async (): Promise<string> => {
    const { text } = await browser.get('/dashboard/history');
    return /\/dashboard\/history\/[0-9a-f-]{36}/.exec(text)?.[0] ?? '';
  };

  /** The page of the limits quotes the documents, which name the software. */
  it('says its name, mark and support on every page, and not that of the software', async () => {
    const client = await newOAuthApp(app);
    const paths = [
      ...['', '/history', '/keys', '/apps', '/security', '/webhooks', '/developer', '/account', '/activity', '/nothing'].map(
        (path) => `/dashboard${path}`,
      ),
      ...['', ...PAGES.map(({ path }) => `/${path}`).filter((path) => path !== '/limits')].map((path) => `/operator${path}`),
      ...[
        '/login?switch=1',
        '/register',
        '/forgot',
        '/graphql',
        '/consent?consent_challenge=none',
        '/oauth2/auth',
        '/nothing',
        '/demo/mail',
      ],
      (await browser.get(client.authorizeUrl({ scope: 'read write' }))).location,
      await newest(),
    ];
    for (const path of paths) {
      const { text } = await browser.get(path, { accept: 'text/html' });
      expect([path, /<title>[^<]* - (.*)<\/title>/.exec(text)?.[1], /height="28" \/>([^<]*)</.exec(text)?.[1]]).toEqual([
        path,
        SHOWN,
        SHOWN,
      ]);
      expect([path, text.includes(SUPPORT), /.*Sluice.*/.exec(text)?.[0]]).toEqual([path, true, undefined]);
    }
  });

  it('names the issuer of a receipt', async () => {
    expect((await browser.get(await newest())).text).toMatch(/Issued by<\/dt>\s*<dd>Bär &amp; Söhne: &quot;Pay&quot;, localhost:\d+, on /);
  });

  it('signs its mail, and sends it under its name', async () => {
    await app.get(Database).transaction((tx) => app.get(Mail).send(tx, 'carol@example.test', { subject: 'Hello', lines: ['One line'] }));
    const { data } = await eventually(async () => smtp.mails.find(({ to }) => to[0] === '<carol@example.test>'));
    const decoded = Buffer.from(
      data.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString();
    expect(data).toMatch(/^From: =\?UTF-8\?.*\?= <pay@example\.test>\r$/m);
    expect(decoded).toContain(`One line\r\n\r\n${NAME}\r\n\r\nSupport:\r\nmailto:help@example.test`);
    expect(decoded).toContain(`<p>${SHOWN}</p>\r\n<p><a href="mailto:help@example.test">Support</a></p>`);
    expect(decoded).not.toContain('Sluice');
  });

  it('is the name in authenticator apps and of passkeys, without the colon that ends a name there', async () => {
    const { uri } = await app.get(Totp).register(alice.userId, alice.email);
    expect(decodeURIComponent(uri)).toContain(`otpauth://totp/Bär & Söhne  "Pay" localhost `);
    expect((await browser.get('/dashboard/security/passkeys')).text).toContain(
      '&quot;name&quot;:&quot;Bär &amp; Söhne: \\&quot;Pay\\&quot;&quot;',
    );
  });

  it('attack: a script in the mark has no origin to run in', async () => {
    const { text } = await browser.get('/login?switch=1');
    const [, href = ''] = /<link rel="icon" href="([^"]*)" type="image\/svg\+xml"/.exec(text) ?? [];
    for (const path of [href, '/favicon.ico']) {
      const { headers, text: body } = await browser.get(path);
      expect([body, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([SVG, 'image/svg+xml', 'nosniff']);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    }
    expect(text).not.toMatch(/<svg|<object|<embed/);
  });

  it('has its colour in a stylesheet that is cached by its content', async () => {
    const [href = ''] = /\/assets\/style\.[0-9a-f]{12}\.css/.exec((await browser.get('/login?switch=1')).text) ?? [];
    const { text, headers } = await browser.get(href);
    expect(text).toMatch(/:root\{--accent:light-dark\(#7a1fa2,#[0-9a-f]{6}\);--on-accent:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);--wash:/);
    expect([href === ASSETS.style.href, headers.get('cache-control')]).toEqual([false, 'public, max-age=31536000, immutable']);
    expect((await browser.get(ASSETS.style.href)).status).toBe(200);
  });
});

it('refuses at start what pages cannot show', async () => {
  const big = fileOf('big.svg', `<svg>${' '.repeat(65_536)}</svg>`);
  const page = fileOf('page.svg', '<html><script>1</script></html>');
  const cases: readonly (readonly [env: Record<string, string>, problem: RegExp])[] = [
    [{ BRAND_NAME: 'x'.repeat(41) }, /BRAND_NAME must be 1 to 40 printable characters/],
    [{ BRAND_NAME: 'Pay\u202eyaP' }, /BRAND_NAME must be/],
    [{ BRAND_NAME: ' Pay' }, /BRAND_NAME must be/],
    [{ BRAND_COLOR: 'purple' }, /BRAND_COLOR must be # and six hexadecimal digits/],
    [{ BRAND_COLOR: '#ffee00' }, /BRAND_COLOR is too light: .* #[0-9a-f]{6} is the nearest that has it/],
    [{ BRAND_SUPPORT: 'javascript:alert(1)' }, /BRAND_SUPPORT must be mailto: with/],
    [{ BRAND_SUPPORT: 'http://help.example' }, /BRAND_SUPPORT must be/],
    [{ BRAND_MARK: join(folder, 'none.svg') }, /BRAND_MARK names no file that can be read/],
    [{ BRAND_MARK: folder }, /BRAND_MARK names no file/],
    [{ BRAND_MARK: big }, /BRAND_MARK names a file of more than 65536 bytes/],
    [{ BRAND_MARK: page }, /BRAND_MARK names a file that is neither an SVG nor a PNG/],
  ];
  for (const [env, problem] of cases) {
    const started = createApp({ env: { SLUICE_DATA_DIR: folder, ...env } });
    await expect(started).rejects.toThrow(problem);
  }
});
