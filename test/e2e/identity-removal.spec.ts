import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { IdentityRemoval, IdentitySignIn } from '../../src/access/identity/index.js';
import { AccessPauseService } from '../../src/access/user/index.js';
import { AccountService } from '../../src/money/wallet/index.js';
import { WebhookService } from '../../src/money/webhook/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD } from '../support/fixture.js';
import { newOAuthApp } from '../support/oauth-app.js';

const CLIENT = 'sluice-at-the-company';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** What a back-channel logout needs of a provider: discovery and keys. */
class Provider {
  isDown = false;
  private constructor(
    readonly server: Server,
    readonly key: CryptoKey,
  ) {}

  static async start(): Promise<Provider> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    const server = createServer(({ url }, response) => {
      if (provider.isDown) return void response.writeHead(503).end();
      const issuer = provider.issuer;
      const body = url === '/keys' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys`, authorization_endpoint: `${issuer}/auth` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const provider: Provider = new Provider(server, privateKey);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get issuer(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  claims(more: JWTPayload): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    return { iss: this.issuer, aud: CLIENT, iat: now, exp: now + 120, jti: crypto.randomUUID(), events: { [EVENT]: {} }, ...more };
  }

  token(more: JWTPayload, key: CryptoKey | Uint8Array = this.key, alg = 'RS256'): Promise<string> {
    return new SignJWT(this.claims(more)).setProtectedHeader({ alg, kid: 'one', typ: 'logout+jwt' }).sign(key);
  }
}

let provider: Provider;
beforeAll(async () => void (provider = await Provider.start()));
afterAll(() => provider.server.close());

interface Member {
  readonly id: string;
  readonly key: string;
  readonly browser: BrowserSession;
}

class Company {
  constructor(readonly app: TestApp) {}

  /** Signs in by the provider. */
  async signIn(subject: string, sid?: string): Promise<{ userId: string; browser: BrowserSession }> {
    const identity = {
      issuer: provider.issuer,
      subject,
      email: `${subject}@company.test`,
      emailVerified: true,
      authTime: new Date(),
      amr: [],
      sid,
    };
    const outcome = await this.app
      .get(IdentitySignIn)
      .signIn(identity, new Date(), { purpose: 'page', userAgent: 'test', address: '127.0.0.1' });
    if (outcome.kind !== 'signed_in') throw new Error(outcome.kind);
    const browser = new BrowserSession(this.app.url);
    browser.cookies.set('sluice', outcome.token);
    return { userId: outcome.userId, browser };
  }

  async member(subject: string, sid?: string): Promise<Member> {
    const { userId: id, browser } = await this.signIn(subject, sid);
    const made = await this.app.get(ApiKeyService).create({ userId: id, name: 'shop', scopes: ['read'], expireInDays: null });
    if (made.kind !== 'created') throw new Error(made.kind);
    return { id, key: made.secret, browser };
  }

  /** An app that the member has connected: its access token. */
  async connect({ browser }: Member): Promise<string> {
    const client = await newOAuthApp(this.app);
    const page = await browser.get((await browser.get(client.authorizeUrl({ scope: 'read' }))).location);
    const { location } = await browser.submit(page, { decision: 'allow', scope: 'read' });
    return (await client.exchange(new URL(location).searchParams.get('code') ?? '')).body.access_token as string;
  }

  async isIn(browser: BrowserSession): Promise<boolean> {
    return (await browser.get('/dashboard')).status === 200;
  }

  /** "works", or the status of the refusal. */
  async works(headers: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetch(`${this.app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: '{ me { id } }' }),
    });
    const { error } = (await response.json()) as { error?: { status: string } };
    return error?.status ?? 'works';
  }

  async logout(token: string): Promise<number> {
    const body = new URLSearchParams({ logout_token: token });
    return (await fetch(`${this.app.url}/login/company/logout`, { method: 'POST', body })).status;
  }
}

describe('a back-channel logout, with IDENTITY_REMOVED=pause', () => {
  let app: TestApp;
  let company: Company;
  beforeAll(async () => {
    app = await createTestApp({ env: { IDENTITY_ISSUER: provider.issuer, IDENTITY_CLIENT_ID: CLIENT } });
    company = new Company(app);
  });
  afterAll(() => app.close());

  it('is answered with 503 while the keys of the provider cannot be read, so that the provider repeats it', async () => {
    provider.isDown = true;
    const token = await provider.token({ sub: 'unknown' });
    expect(await company.logout(token)).toBe(503);
    provider.isDown = false;
    expect(await company.logout(token)).toBe(200);
  });

  it('with a sid ends the sessions of this sid, and nothing else', async () => {
    const alice = await company.member('alice', 'a');
    const [sameSid, otherSid] = [(await company.signIn('alice', 'a')).browser, (await company.signIn('alice', 'b')).browser];
    expect(await company.logout(await provider.token({ sub: 'alice', sid: 'a' }))).toBe(200);
    expect(await Promise.all([alice.browser, sameSid, otherSid].map((browser) => company.isIn(browser)))).toEqual([false, false, true]);
    expect(await company.works({ 'x-api-key': alice.key })).toBe('works');
  });

  it('with a sub alone ends all sessions and pauses keys and apps, until the next sign-in by the provider restores exactly what was', async () => {
    const bob = await company.member('bob', 'a');
    const withoutSid = (await company.signIn('bob')).browser;
    const token = await company.connect(bob);
    const credentials: readonly Record<string, string>[] = [{ 'x-api-key': bob.key }, { 'oauth2-token': token }];
    const states = (): Promise<string[]> => Promise.all(credentials.map((each) => company.works(each)));
    expect(await states()).toEqual(['works', 'works']);
    expect(await company.logout(await provider.token({ sub: 'bob' }))).toBe(200);
    expect([await company.isIn(bob.browser), await company.isIn(withoutSid)]).toEqual([false, false]);
    expect(await states()).toEqual(['ACCESS_PAUSED', 'ACCESS_PAUSED']);
    const back = await company.signIn('bob');
    expect([await company.isIn(back.browser), await states()]).toEqual([true, ['works', 'works']]);

    // A pause of the person's own is another one: it stays.
    await app.get(AccessPauseService).pause(bob.id, 'owner');
    expect(await company.logout(await provider.token({ sub: 'bob' }))).toBe(200);
    await company.signIn('bob');
    expect((await app.get(AccessPauseService).find(bob.id)).map(({ cause }) => cause)).toEqual(['owner']);
  });

  it('attack: a token of another audience, issuer, key, kind or time, or a second time', async () => {
    const carol = await company.member('carol', 'c');
    const now = Math.floor(Date.now() / 1000);
    const { privateKey } = await generateKeyPair('RS256');
    const publicKey = new TextEncoder().encode(JSON.stringify(await (await fetch(`${provider.issuer}/keys`)).json()));
    const sub = 'carol';
    const forged = [
      provider.token({ sub, aud: 'another-client' }),
      provider.token({ sub, iss: 'https://other.example' }),
      provider.token({ sub, nonce: 'n' }),
      provider.token({ sub, events: undefined }),
      provider.token({ sub, events: { [EVENT]: 'yes' } }),
      provider.token({ sub, jti: undefined }),
      provider.token({ sub, exp: undefined }),
      provider.token({ sub, iat: undefined }),
      provider.token({ sub, iat: now - 700 }),
      provider.token({ sub, exp: now - 60 }),
      provider.token({ sub: undefined, sid: undefined }),
      provider.token({ sub, sid: 'c\0' }),
      provider.token({ sub }, privateKey),
      provider.token({ sub }, publicKey, 'HS256'),
      new UnsecuredJWT(provider.claims({ sub })).encode(),
      '',
      'a.b.c',
    ];
    for (const token of forged) expect(await company.logout(await token)).toBe(400);
    const asJson = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ logout_token: 'x' }) };
    expect((await fetch(`${app.url}/login/company/logout`, asJson)).status).toBe(400);
    expect([await company.isIn(carol.browser), await company.works({ 'x-api-key': carol.key })]).toEqual([true, 'works']);

    const token = await provider.token({ sub });
    expect(await company.logout(token)).toBe(200);
    const again = await company.signIn('carol');
    expect([await company.logout(token), await company.isIn(again.browser)]).toEqual([400, true]);
    expect(app.logs.join()).not.toContain(token);
  });

  it('a session by the provider ends after IDENTITY_SESSION_HOURS, one by a password does not', async () => {
    const dave = await company.signIn('dave');
    const erin = await new Fixture(app).user();
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: erin.email, password: PASSWORD });
    const age = (hours: number): Promise<unknown> =>
      app.pool.query('UPDATE session SET created_at = now() - make_interval(hours => $2) WHERE user_id = ANY ($1)', [
        [dave.userId, erin.userId],
        hours,
      ]);
    await age(23);
    expect([await company.isIn(dave.browser), await company.isIn(browser)]).toEqual([true, true]);
    await age(25);
    expect([await company.isIn(dave.browser), await company.isIn(browser)]).toEqual([false, true]);
  });
});

describe.each(['end', 'sessions'] as const)('people who are absent for IDENTITY_ABSENT_DAYS, with IDENTITY_REMOVED=%s', (rule) => {
  it('count as removed once, and those who have signed in since do not', async () => {
    const app = await createTestApp({
      settings: { IdentitySettings: { IDENTITY_ABSENT_DAYS: 30, IDENTITY_REMOVED: rule } },
      env: { IDENTITY_ISSUER: provider.issuer, IDENTITY_CLIENT_ID: CLIENT },
    });
    const company = new Company(app);
    const [absent, present] = [await company.member('absent'), await company.member('present')];
    const [token, other] = [await company.connect(absent), await company.connect(present)];
    for (const member of [absent, present]) {
      const { id } = await app.get(AccountService).getOfUser(member.id);
      await app.get(WebhookService).add(id, 'https://hooks.example/');
    }
    await app.pool.query(`UPDATE user_identity SET proved_at = now() - interval '31 days'`);
    // This one is of a provider of before, and stays as it is.
    await app.pool.query(
      `INSERT INTO user_identity (issuer, subject, user_id, proved_at) VALUES ('https://new.example', 'x', $1, now() - interval '29 days')`,
      [present.id],
    );
    await app.get(IdentityRemoval).removeAbsent(AbortSignal.timeout(30_000));
    const stateOf = async ({ key, browser }: Member, app2: string): Promise<unknown[]> => [
      await company.isIn(browser),
      await company.works({ 'x-api-key': key }),
      await company.works({ 'oauth2-token': app2 }),
    ];
    const hooks = await app.pool.query('SELECT a.user_id AS id FROM webhook_endpoint e JOIN account a ON a.id = e.account_id ORDER BY 1');
    const kept = rule === 'end' ? [present] : [absent, present];
    expect(hooks.rows.map(({ id }: { id: string }) => id)).toEqual(kept.map(({ id }) => id).sort());
    const gone = rule === 'end' ? 'Unauthorized' : 'works';
    expect([await stateOf(absent, token), await stateOf(present, other)]).toEqual([
      [false, gone, gone],
      [true, 'works', 'works'],
    ]);
    if (rule === 'end') {
      const back = await company.signIn('absent');
      expect([
        await stateOf(absent, token),
        (await back.browser.get('/dashboard/apps')).text.includes('Your organisation removed your account.'),
      ]).toEqual([[false, gone, gone], true]);
    }
    const removals = app.logs.filter((line) => line.includes('identity_removed')).length;
    await app.get(IdentityRemoval).removeAbsent(AbortSignal.timeout(30_000));
    expect([removals, app.logs.filter((line) => line.includes('identity_removed')).length]).toEqual([1, 1]);
    await app.close();
  });
});
