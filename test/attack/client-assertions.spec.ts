import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { request, type HttpAnswer } from '../support/http.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';

const ISSUER = 'https://issuer.example.test';
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const UNTHROTTLED = { THROTTLE_TOKEN_ADDRESS: '100000/60', THROTTLE_TOKEN_CLIENT: '100000/60', ISSUER_URL: ISSUER };
/** Nothing on this machine may be asked. */
const NO_NETWORK = { ...UNTHROTTLED, EGRESS_ALLOW: '10.255.255.0/24' };

interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

let one: TestApp;
let two: TestApp;
let bank: OAuthApp;
let key: KeyPair;
let other: KeyPair;

async function newKey(alg = 'ES256', kid = 'first'): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg } };
}

beforeAll(async () => {
  one = await createTestApp({ env: UNTHROTTLED });
  two = await createTestApp({ beside: one, env: NO_NETWORK });
  [key, other] = [await newKey(), await newKey()];
  bank = await (await newOAuthApp(one)).profile({ authMethod: 'private_key_jwt', jwks: { keys: [key.jwk] } });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const now = (): number => Math.floor(Date.now() / 1000);
const claims = (more: JWTPayload = {}, app = bank): JWTPayload => ({
  iss: app.client.id,
  sub: app.client.id,
  aud: ISSUER,
  jti: crypto.randomUUID(),
  iat: now(),
  exp: now() + 60,
  ...more,
});
const sign = (payload: JWTPayload, { privateKey } = key, header: object = {}): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'first', ...header }).sign(privateKey);

/** The client that authenticates asks for a grant type that does not exist. */
const send = (assertion: string, more: Readonly<Record<string, string>> = {}, headers = {}, app = one): Promise<HttpAnswer> => {
  const body = new URLSearchParams({ grant_type: 'x', client_assertion_type: TYPE, client_assertion: assertion, ...more });
  return request(`${app.url}/oauth2/token`, { method: 'POST', headers, body });
};
const said = ({ status, body }: HttpAnswer): readonly [number, string] => [status, body.error as string];
const ACCEPTED = [400, 'unsupported_grant_type'];
const REFUSED = [401, 'invalid_client'];

describe('A-36: assertions of clients (private_key_jwt)', () => {
  it('the assertion under attack is accepted when it is not attacked, by every algorithm', async () => {
    expect(said(await send(await sign(claims())))).toEqual(ACCEPTED);
    expect(said(await send(await sign(claims()), { client_id: bank.client.id }))).toEqual(ACCEPTED);
    for (const alg of ['RS256', 'PS256', 'EdDSA', 'Ed25519']) {
      const pair = await newKey(alg);
      const app = await (await newOAuthApp(one)).profile({ authMethod: 'private_key_jwt', jwks: { keys: [pair.jwk] } });
      expect([alg, said(await send(await sign(claims({}, app), pair, { alg })))]).toEqual([alg, ACCEPTED]);
    }
  });

  it.each<[what: string, payload: JWTPayload | (() => JWTPayload)]>([
    ['the issuer in a list', { aud: [ISSUER] }],
    ['the issuer and another server', { aud: [ISSUER, 'https://evil.example'] }],
    ['the token endpoint', { aud: `${ISSUER}/oauth2/token` }],
    ['the issuer with a slash', { aud: `${ISSUER}/` }],
    ['another server', { aud: 'https://evil.example' }],
    ['no audience', { aud: undefined }],
    ['another issuer of the assertion', { iss: 'another' }],
    ['another subject', { sub: 'another' }],
    ['a subject that is no text', { sub: 5 as unknown as string }],
    ['no jti', { jti: undefined }],
    ['an empty jti', { jti: '' }],
    ['a jti of 256 characters', { jti: 'j'.repeat(256) }],
    ['no exp', { exp: undefined }],
    ['an exp that no database has', { exp: 1e300 }],
    ['an exp that is a text', { exp: 'soon' as unknown as number }],
    ['the past', () => ({ exp: now() - 1 })],
    ['a year', () => ({ exp: now() + 31_536_000 })],
    ['ten minutes', () => ({ exp: now() + 600 })],
    ['an iat in the future', () => ({ iat: now() + 120 })],
    ['an nbf in the future', () => ({ nbf: now() + 120 })],
  ])('refuses one for %s', async (_what, more) => {
    expect(said(await send(await sign(claims(typeof more === 'function' ? more() : more))))).toEqual(REFUSED);
  });

  it.each<[what: string, forge: () => string | Promise<string>]>([
    ['no signature', (): string => new UnsecuredJWT(claims()).encode()],
    ['a signature cut off', async () => `${(await sign(claims())).split('.').slice(0, 2).join('.')}.`],
    ['another key', () => sign(claims(), other)],
    ['an unknown key id', () => sign(claims(), key, { kid: 'another' })],
    [
      'HS256 with the public key as the secret',
      async () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: 'first' })
          .sign(new TextEncoder().encode(await exportSPKI(key.publicKey))),
    ],
    ['a key that it brings', () => sign(claims(), other, { jwk: other.jwk, kid: undefined })],
    ['text that is no JWT', (): string => 'x'],
    ['three dots', (): string => '...'],
  ])('refuses one with %s', async (_what, forge) => {
    expect(said(await send(await forge(), { client_id: bank.client.id }))).toEqual(REFUSED);
    expect(said(await send(await forge()))).toEqual(REFUSED);
  });

  it('refuses another type, a secret or a header beside it, and another client_id', async () => {
    expect(said(await send(await sign(claims()), { client_assertion_type: 'saml2-bearer' }))).toEqual(REFUSED);
    expect(said(await send(await sign(claims()), { client_assertion_type: '' }))).toEqual(REFUSED);
    expect(said(await send(await sign(claims()), { client_secret: bank.secret }))).toEqual([400, 'invalid_request']);
    expect(said(await send(await sign(claims()), {}, { authorization: bank.basic }))).toEqual([400, 'invalid_request']);
    expect(said(await send(await sign(claims()), { client_id: 'another' }))).toEqual([400, 'invalid_request']);
  });

  it('a client has one method: no secret works beside keys, and no key beside a secret', async () => {
    expect(said(await bank.token({ grant_type: 'x' }))).toEqual(REFUSED);
    expect(said(await bank.token({ grant_type: 'x', client_id: bank.client.id, client_secret: bank.secret }, {}))).toEqual(REFUSED);
    expect(said(await bank.token({ grant_type: 'x', client_id: bank.client.id }, {}))).toEqual(REFUSED);
    for (const confidential of [true, false])
      expect(said(await send(await sign(claims({}, await newOAuthApp(one, { confidential })))))).toEqual(REFUSED);
    await bank.server.pool.query("UPDATE oauth_client SET state = 'suspended' WHERE id = $1", [bank.client.id]);
    expect(said(await send(await sign(claims())))).toEqual(REFUSED);
    await bank.server.pool.query("UPDATE oauth_client SET state = 'approved' WHERE id = $1", [bank.client.id]);
  });

  it('one works once, of twenty at the same time on two processes', async () => {
    const assertion = await sign(claims());
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(assertion, {}, {}, n % 2 ? one : two)));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === 400).length, statuses.filter((status) => status === 401).length]).toEqual([1, 19]);
    expect(said(await send(assertion, {}, {}, two))).toEqual(REFUSED);
  });

  it('the developer of the client sees why one was refused', async () => {
    await send(await sign(claims({ aud: 'https://evil.example' })));
    const refusals = async (): Promise<string[]> => {
      const rows = await one.pool.query("SELECT sent FROM credential_call WHERE outcome = 'assertion'");
      return rows.rows.map(({ sent }) => sent as string);
    };
    await eventually(async () => (await refusals()).includes('its aud is not the issuer alone'));
  });
});

describe('A-40: addresses of keys (jwks_uri)', () => {
  let host: Server;
  let asked: number;
  let answer: { readonly status: number; readonly body: string; readonly location?: string };

  beforeAll(async () => {
    host = createServer((_request, response) => {
      asked++;
      response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location }).end(answer.body);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => host.once('listening', resolve));
  });
  beforeEach(() => {
    asked = 0;
    answer = { status: 200, body: JSON.stringify({ keys: [key.jwk] }) };
  });
  afterAll(() => host.close());

  const address = (path: string): string => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}`;
  const appAt = async (jwksUri: string): Promise<OAuthApp> =>
    (await newOAuthApp(one)).profile({ authMethod: 'private_key_jwt', jwks: null, jwksUri });

  it('keys are read once for many assertions, also of unknown key ids', async () => {
    const app = await appAt(address('/keys'));
    for (let n = 0; n < 3; n++) expect(said(await send(await sign(claims({}, app))))).toEqual(ACCEPTED);
    for (let n = 0; n < 3; n++) expect(said(await send(await sign(claims({}, app), key, { kid: 'another' })))).toEqual(REFUSED);
    expect(asked).toBe(1);
  });

  it.each([
    ['a redirect', { status: 302, body: '', location: '/keys' }],
    ['an error', { status: 500, body: '' }],
    ['no keys', { status: 200, body: '{}' }],
    ['no JSON', { status: 200, body: '<html>' }],
    ['too much', { status: 200, body: ' '.repeat(100_000) }],
    ['private keys', { status: 200, body: '' }],
  ])('an address that answers with %s gives none', async (what, given) => {
    answer =
      what === 'private keys'
        ? { status: 200, body: JSON.stringify({ keys: [{ ...(await exportJWK(key.privateKey)), kid: 'first' }] }) }
        : given;
    const app = await appAt(address(`/${what.replace(' ', '-')}`));
    for (let n = 0; n < 2; n++) expect(said(await send(await sign(claims({}, app))))).toEqual(REFUSED);
    expect(asked).toBeLessThanOrEqual(given.body === '{}' || what === 'no JSON' ? 2 : 1);
  });

  it.each([
    ['this machine', (): string => address('/keys')],
    ['a private network', (): string => 'http://10.0.0.1/keys'],
    ['the metadata of a cloud', (): string => 'http://169.254.169.254/keys'],
    ['a name of this machine', (): string => `https://localhost:${(host.address() as AddressInfo).port}/keys`],
  ])('an address inside is not asked: %s', async (_what, uri) => {
    const app = await appAt(uri());
    expect(said(await send(await sign(claims({}, app)), {}, {}, two))).toEqual(REFUSED);
    expect(asked).toBe(0);
  });
});
