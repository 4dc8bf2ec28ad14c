import { TOTP } from 'otpauth';
import { createApp } from '../../src/app/bootstrap.js';
import { Factors } from '../../src/access/factor/index.js';
import { OperatorService } from '../../src/access/user/index.js';
import { announce } from '../../src/app/demo/index.js';
import { mintToken } from '../../src/platform/kernel/token.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { post } from '../support/http.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { productionEnv } from '../support/production.js';
import { recordStatements } from '../support/statements.js';

/** An address of RFC 5737: the host is not this machine, and no request of the test goes there. */
const TEST_NETWORK = { ISSUER_URL: 'http://192.0.2.7:4000', TOKEN_PREFIX: 'sluice_staging' };

let app: TestApp;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp({
    env: { ...(await productionEnv()), ...TEST_NETWORK, SLUICE_ALLOW_HTTP: '1', REGISTRATION: 'open' },
  });
  alice = await new Fixture(app).user();
});
afterAll(() => app.close());

const ask = (headers: Record<string, string>): ReturnType<typeof post> =>
  post(`${app.url}/graphql`, { query: '{ me { username } }' }, headers);

describe('production with plain HTTP beyond this machine', () => {
  it('is refused at the start, with the variable that permits it', async () => {
    const env = { ...(await productionEnv()), ...TEST_NETWORK, SECRET_KEY: 'k'.repeat(40) };
    await expect(createApp({ env })).rejects.toThrow('ISSUER_URL must be https in production');
  });

  it('says at the start and on every page that passwords can be read on the way', async () => {
    const lines: string[] = [];
    await announce(app.sluice.app, app.url, (line) => void lines.push(line));
    expect(lines.join('\n')).toContain('PLAIN HTTP (SLUICE_ALLOW_HTTP=1)');
    const browser = new BrowserSession(app.url);
    for (const path of ['/login', '/register', '/no-such-page']) expect((await browser.get(path)).text).toContain('<b>Plain HTTP.</b>');
  });
});

describe('the console in production', () => {
  it('refuses an operator who has signed in without a second factor, or has removed it', async () => {
    await app.get(OperatorService).change(alice.userId, true, { who: 'test', because: 'test' });
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard/keys'), { email: alice.email, password: PASSWORD });
    const asked = await browser.get('/operator');
    expect([asked.status, asked.text.includes('Second factor needed')]).toEqual([403, true]);
    const factors = app.get(Factors);
    const { id, secret } = await factors.register(alice.userId, '');
    await factors.enrol(alice.userId, id, new TOTP({ secret }).generate());
    await app.pool.query(`UPDATE session SET amr = amr || '{mfa}' WHERE user_id = $1`, [alice.userId]);
    expect((await browser.get('/operator')).status).toBe(200);
    await factors.removeTotp(alice.userId);
    expect((await browser.get('/operator')).status).toBe(403);
  });
});

describe('keys and tokens of the prefix sluice_staging', () => {
  it('are accepted where they belong', async () => {
    expect(alice.keys.read).toMatch(/^sluice_staging_[0-9A-Za-z]{49}$/);
    expect((await ask(alice.as('read'))).body).toEqual({ data: { me: { username: alice.username } } });
    const session = await new Fixture(app).session(alice);
    expect(session.authorization).toMatch(/^Bearer sluice_staging_st_[0-9A-Za-z]{49}$/);
    expect((await ask(session)).body.data.me.username).toBe(alice.username);
    expect((await newOAuthApp(app)).secret).toMatch(/^sluice_staging_cs_/);
  });

  it('are refused by their checksum, without a look-up', async () => {
    const lookUps = (): number => sent.filter(([text]) => text.includes('k.key_hash = $1')).length;
    const sent = recordStatements(app);
    for (const key of [mistyped(alice.keys.read), mintToken('sluice')]) expect((await ask({ 'x-api-key': key })).status).toBe(401);
    expect(lookUps()).toBe(0);
    expect((await ask({ 'x-api-key': mintToken('sluice_staging') })).status).toBe(401);
    expect(lookUps()).toBe(1);
  });

  it.each([
    ['an API key', '', 'authorization', 'This is an API key.'],
    ['an access token', 'at_', 'x-api-key', 'This is an OAuth access token.'],
    ['a session token', 'st_', 'x-api-key', 'This is a session token.'],
    ['a refresh token', 'rt_', 'oauth2-token', 'This is a refresh token.'],
  ])('get a hint in the wrong place: %s', async (_what, kind, header, hint) => {
    const { status, body } = await ask({ [header]: `sluice_staging_${kind}${'a'.repeat(49)}` });
    expect([status, body.hint]).toEqual([401, expect.stringContaining(hint)]);
  });

  it('are not in the log', () => {
    expect(app.logs.length).toBeGreaterThan(0);
    expect(app.logs.join('')).not.toContain(alice.keys.read.slice(-40));
  });
});

const mistyped = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
