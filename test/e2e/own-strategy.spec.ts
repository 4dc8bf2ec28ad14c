import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { jwtVerify, SignJWT } from 'jose';
import Custom from 'passport-custom';
import { UserService, type Credential, type CredentialStrategy, type Principal } from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { post, type HttpAnswer } from '../support/http.js';

const KEY = new TextEncoder().encode('a key that the company and its server share');
const ME = '{ me { username } }';

/** What reached the strategy last. */
let seen: Credential | undefined;

@Injectable()
class CompanyJwt extends PassportStrategy(Custom, 'company-jwt') {
  constructor(private readonly users: UserService) {
    super();
  }

  async validate(credential: Credential): Promise<Principal | false> {
    seen = credential;
    const claims = await jwtVerify(credential.secret, KEY, { issuer: 'acme' }).catch(() => null);
    const user = claims && (await this.users.findByEmail(String(claims.payload.sub)));
    if (!user) return false;
    // It may say that it is a session: it is external all the same.
    return { kind: 'session', id: `acme:${user.id}`, userId: user.id, scopes: new Set(['read']) };
  }
}

const jwt = (email: string, key = KEY): Promise<string> =>
  new SignJWT().setProtectedHeader({ alg: 'HS256' }).setIssuer('acme').setSubject(email).setExpirationTime('1m').sign(key);
const isJwt = (secret: string): boolean => secret.split('.').length === 3;
const own: CredentialStrategy = { header: 'authorization', accepts: isJwt, strategy: CompanyJwt };

describe("createApp({ strategies }): a company's JWT", () => {
  let app: TestApp;
  let alice: Person;
  beforeAll(async () => {
    app = await createTestApp({ strategies: [own] });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const ask = (query: string, headers: Record<string, string>): Promise<HttpAnswer> => post(`${app.url}/graphql`, { query }, headers);
  const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` });

  it('acts for the person, within its scopes', async () => {
    const token = await jwt(alice.email);
    expect(JSON.parse((await ask(ME, bearer(token))).text)).toEqual({ data: { me: { username: alice.username } } });
    const refused = await ask(
      `mutation { lnInvoiceCreate(input: { walletId: "${alice.wallets.BTC}", amount: 5 }) { errors { message } } }`,
      bearer(token),
    );
    expect(refused.text).toContain('INSUFFICIENT_SCOPE');
  });

  it('is no session, whatever the strategy says', async () => {
    const made = await ask(
      'mutation { apiKeyCreate(input: { name: "mine", scopes: [READ] }) { apiKeySecret } }',
      bearer(await jwt(alice.email)),
    );
    expect(made.text).toContain('NOT_AUTHORIZED');
  });

  it('is 401 when the strategy refuses it, like any other credential', async () => {
    const forged = await jwt(alice.email, new TextEncoder().encode('another key, which the company does not have'));
    expect((await ask(ME, bearer(forged))).status).toBe(401);
    expect((await ask(ME, { ...bearer(await jwt(alice.email)), 'x-api-key': alice.keys.read })).status).toBe(400);
  });

  it('leaves the other values of the header, and the other credentials, to Sluice', async () => {
    expect((await ask(ME, bearer('sluice_st_nothing'))).status).toBe(401);
    expect(JSON.parse((await ask(ME, { 'x-api-key': alice.keys.read })).text)).toEqual({ data: { me: { username: alice.username } } });
  });

  it('brings the request that it came with, and its proofs', async () => {
    await ask(ME, { ...bearer(await jwt(alice.email)), dpop: 'a proof' });
    expect(seen).toMatchObject({ method: 'POST', url: '/graphql', proofs: { dpop: 'a proof' } });
    expect(seen?.connection.remotePort).toBeGreaterThan(0);
  });
});

it('a strategy that would take every value of a header of Sluice is refused at start', async () => {
  const started = createTestApp({ strategies: [{ header: 'authorization', strategy: CompanyJwt }] });
  await expect(started).rejects.toThrow('which another reads too: say which values it accepts');
});
