import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import * as oidc from 'openid-client';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { DpopKey, nonceOf } from '../support/dpop-key.js';
import { Fixture, type Person } from '../support/fixture.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { boxesOf, newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';

/**
 * Named after the modules of the OpenID Foundation's conformance suite: `fapi2-security-profile-final-test-plan`
 * (client_auth_type=private_key_jwt, sender_constrain=dpop, openid=plain_oauth), without its modules for signed requests.
 */
const PREFIX = 'fapi2-security-profile-final-';
const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ME = { query: '{ me { id } }' };

interface Client {
  readonly app: OAuthApp;
  readonly privateKey: CryptoKey;
}

let server: TestApp;
let alice: Person;
let bank: Client;
let otherBank: Client;
let browser: BrowserSession;
const [key, otherKey] = [new DpopKey(), new DpopKey()];

async function newBank(): Promise<Client> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const app = await newOAuthApp(server, { scopes: ['read', 'offline'], requirePkce: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'first' }] };
  return { app: await app.profile({ authMethod: 'private_key_jwt', jwks, requirePar: true, requireDpop: true }), privateKey };
}

beforeAll(async () => {
  const UNTHROTTLED = { THROTTLE_AUTHORIZATION_PAGE: '10000/60', THROTTLE_TOKEN_ADDRESS: '10000/60', THROTTLE_TOKEN_CLIENT: '10000/60' };
  server = await createTestApp({ env: UNTHROTTLED });
  alice = await new Fixture(server).user();
  [bank, otherBank] = [await newBank(), await newBank()];
  browser = new BrowserSession(server.url);
});
afterAll(() => server.close());

type Sent = Readonly<Record<string, string | undefined>>;
const at = (path: string): string => `${server.url}${path}`;
const now = (): number => Math.floor(Date.now() / 1000);
const errorOf = ({ status, body }: HttpAnswer): unknown => [status, body.error];

/** The assertion by which a client authenticates. */
async function authentication({ app, privateKey }: Client, claims: JWTPayload = {}): Promise<Record<string, string>> {
  const own = { iss: app.client.id, sub: app.client.id, aud: server.url, jti: crypto.randomUUID(), iat: now(), exp: now() + 60 };
  const assertion = new SignJWT({ ...own, ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'first' });
  return { client_assertion_type: TYPE, client_assertion: await assertion.sign(privateKey) };
}

const proofFor = async (
  path: string,
  by = key,
  claims: Readonly<Record<string, unknown>> = {},
  token?: string,
): Promise<Record<string, string>> => ({
  dpop: by.proof({ htu: at(path), nonce: await nonceOf(server.url), ...(token && { token }) }, claims),
});

interface Push {
  readonly client?: Client;
  readonly claims?: JWTPayload;
  readonly headers?: Record<string, string>;
}
const push = async (more: Sent = {}, { client = bank, claims = {}, headers = {} }: Push = {}): Promise<HttpAnswer> =>
  client.app.push({ scope: 'read offline', ...(await authentication(client, claims)), ...more }, headers);
const pushed = async (more: Sent = {}, how: Push = {}): Promise<string> => (await push(more, how)).body.request_uri as string;

/** Opens the request as the person's browser does. @returns what comes back to the app */
async function open(requestUri: string, { more = {}, decision = 'allow', app = bank.app } = {}): Promise<Record<string, string>> {
  const page = await app.consentPage(alice, await browser.get(app.pushedUrl(requestUri, more)), browser);
  const end = page.location || (await browser.submit(page, { decision, scope: boxesOf(page) })).location;
  return Object.fromEntries(new URL(end).searchParams);
}
const codeFor = async (more: Sent = {}, how: Push = {}): Promise<string> => (await open(await pushed(more, how)))['code'] ?? '';

interface Redemption {
  readonly client?: Client;
  readonly claims?: JWTPayload;
  readonly headers?: Record<string, string>;
  readonly more?: Sent;
}
async function redeem(code: string, { client = bank, claims = {}, headers, more = {} }: Redemption = {}): Promise<HttpAnswer> {
  const parameters = { grant_type: 'authorization_code', code, redirect_uri: bank.app.redirectUri, code_verifier: bank.app.pkce.verifier };
  const sent = { ...parameters, ...(await authentication(client, claims)), ...more };
  return client.app.token(sent, headers ?? (await proofFor('/oauth2/token')));
}
async function tokensFor(code: string, how: Redemption = {}): Promise<Required<Tokens>> {
  const { status, body } = await redeem(code, how);
  expect([status, body.token_type]).toEqual([200, 'DPoP']);
  return body as Required<Tokens>;
}
const refresh = async (token: string, client = bank, headers?: Record<string, string>): Promise<HttpAnswer> =>
  client.app.token(
    { grant_type: 'refresh_token', refresh_token: token, ...(await authentication(client)) },
    headers ?? (await proofFor('/oauth2/token')),
  );
const call = async (token: string, claims: Readonly<Record<string, unknown>> = {}, scheme = 'DPoP', by = key): Promise<HttpAnswer> =>
  post(at('/graphql'), ME, { authorization: `${scheme} ${token}`, ...(await proofFor('/graphql', by, claims, token)) });
const isAlice = ({ body }: HttpAnswer): boolean => body.data?.me.id === alice.userId;

describe('the server', () => {
  it(`${PREFIX}discovery-end-point-verification`, async () => {
    const { body } = await request(at('/.well-known/openid-configuration'));
    expect(body).toMatchObject({
      pushed_authorization_request_endpoint: at('/oauth2/par'),
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256', 'EdDSA']),
      dpop_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256', 'EdDSA']),
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it(`${PREFIX}happy-flow`, async () => {
    const auth = oidc.PrivateKeyJwt({ key: bank.privateKey, kid: 'first' });
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so as to stand out; plain http is for tests
    const options = { execute: [oidc.allowInsecureRequests] };
    const config = await oidc.discovery(new URL(server.url), bank.app.client.id, undefined, auth, options);
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const [pkceCodeVerifier, expectedState] = [oidc.randomPKCECodeVerifier(), oidc.randomState()];
    const parameters = {
      redirect_uri: bank.app.redirectUri,
      scope: 'read offline',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    };
    const url = await oidc.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
    const back = new URL(await bank.app.allow(alice, await browser.get(url.href), browser));
    const tokens = await oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState }, undefined, { DPoP });
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    const headers = new Headers({ 'content-type': 'application/json' });
    const ask = [new URL(at('/graphql')), 'POST', JSON.stringify(ME), headers, { DPoP }] as const;
    expect(await (await oidc.fetchProtectedResource(config, refreshed.access_token, ...ask)).json()).toEqual({
      data: { me: { id: alice.userId } },
    });
    await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
    await expect(oidc.refreshTokenGrant(config, refreshed.refresh_token ?? '', undefined, { DPoP })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('the authorization request', () => {
  it(`${PREFIX}user-rejects-authentication`, async () => {
    const requestUri = await pushed({ prompt: 'consent' });
    expect(await open(requestUri, { decision: 'deny' })).toMatchObject({
      error: 'access_denied',
      state: 'a-state-of-mine',
      iss: server.url,
    });
  });

  it.each<[string, Sent, Record<string, string>, string | undefined]>([
    ['ensure-authorization-request-without-state-success', { state: undefined }, {}, undefined],
    ['ensure-other-scope-order-succeeds', { scope: 'offline read' }, {}, 'a-state-of-mine'],
    ['ensure-authorization-request-with-long-state', { state: 's'.repeat(256) }, {}, 's'.repeat(256)],
    ['ensure-different-state-inside-and-outside-request-object', {}, { state: 'another-state' }, 'a-state-of-mine'],
    ['state-only-outside-request-object-not-used', { state: undefined }, { state: 'another-state' }, undefined],
    ['par-without-duplicate-parameters', {}, {}, 'a-state-of-mine'],
  ])(`${PREFIX}%s`, async (_module, more, beside, state) => {
    const response = await open(await pushed(more), { more: beside });
    expect([response['state'], response['iss']]).toEqual([state, server.url]);
    await tokensFor(response['code'] ?? '');
  });

  it.each<[string, Sent, string]>([
    ['ensure-request-object-without-redirect-uri-fails', { redirect_uri: undefined }, 'invalid_request'],
    ['ensure-redirect-uri-in-authorization-request', { redirect_uri: '' }, 'invalid_request'],
    ['plain-fapi-tolerate-unregistered-redirect-uri', { redirect_uri: 'https://app.example.test/unregistered' }, 'invalid_request'],
    ['ensure-response-type-code-idtoken-fails', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['ensure-response-type-token-fails', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'par-authorization-request-containing-request_uri-form-param',
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      'invalid_request',
    ],
    ['par-ensure-pkce-required', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['par-plain-pkce-rejected', { code_challenge_method: 'plain' }, 'invalid_request'],
  ])(`${PREFIX}%s`, async (_module, more, error) => {
    expect(errorOf(await push(more))).toEqual([400, error]);
  });

  it(`${PREFIX}ensure-unsigned-authorization-request-without-using-par-fails`, async () => {
    const { location } = await browser.get(bank.app.authorizeUrl());
    expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({ error: 'invalid_request', state: 'a-state-of-mine' });
  });

  it(`${PREFIX}par-attempt-invalid-http-method`, async () => {
    const answer = await request(at('/oauth2/par'), { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  const refusal = async (requestUri: string, app = bank.app): Promise<unknown> => {
    const { status, location, text } = await browser.get(app.pushedUrl(requestUri));
    return [status, location, text.includes('Its request has expired or was used before.')];
  };
  const REFUSED = [400, '', true];

  it(`${PREFIX}par-attempt-reuse-request_uri`, async () => {
    const requestUri = await pushed();
    expect((await open(requestUri))['code']).toEqual(expect.any(String));
    expect(await refusal(requestUri)).toEqual(REFUSED);
  });

  // The suite warns here (FAPI 2.0 5.3.2.2, note 3): the use that counts is the first visit, as RFC 9126 section 4 has it.
  it(`${PREFIX}par-ensure-reused-request-uri-prior-to-auth-completion-succeeds: a warning, it is refused on a page`, async () => {
    const requestUri = await pushed({ prompt: 'login' });
    expect((await browser.get(bank.app.pushedUrl(requestUri))).location).toContain('/login?');
    expect(await refusal(requestUri)).toEqual(REFUSED);
  });

  it(`${PREFIX}par-attempt-to-use-expired-request_uri`, async () => {
    const requestUri = await pushed();
    await server.pool.query('UPDATE oauth_pushed_request SET expires_at = now()');
    expect(await refusal(requestUri)).toEqual(REFUSED);
  });

  it(`${PREFIX}par-attempt-to-use-request_uri-for-different-client`, async () => {
    expect(await refusal(await pushed(), otherBank.app)).toEqual(REFUSED);
  });
});

describe('the authentication of the client', () => {
  it(`${PREFIX}par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted`, async () => {
    expect((await push({}, { claims: { iat: now() + 8, nbf: now() + 8 } })).status).toBe(201);
  });

  it.each<[string, () => JWTPayload]>([
    ['par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails', () => ({ iat: now() + 70, nbf: now() + 70 })],
    ['par-test-array-as-audience-fails', () => ({ aud: [server.url] })],
    ['par-test-par-endpoint-url-as-audience-fails', () => ({ aud: at('/oauth2/par') })],
    ['par-test-token-endpoint-url-as-audience-fails', () => ({ aud: at('/oauth2/token') })],
  ])(`${PREFIX}%s`, async (_module, claims) => {
    expect(errorOf(await push({}, { claims: claims() }))).toEqual([401, 'invalid_client']);
  });

  it.each<[string, () => Redemption, unknown]>([
    ['ensure-client-assertion-in-token-endpoint', () => ({ more: { client_assertion: undefined } }), [401, 'invalid_client']],
    ['ensure-client-assertion-with-exp-is-5-minutes-in-past-fails', () => ({ claims: { exp: now() - 300 } }), [401, 'invalid_client']],
    ['ensure-client-assertion-with-wrong-aud-fails', () => ({ claims: { aud: 'https://evil.example' } }), [401, 'invalid_client']],
    ['ensure-client-assertion-with-no-sub-fails', () => ({ claims: { sub: undefined } }), [401, 'invalid_client']],
    ['ensure-client-id-in-token-endpoint', () => ({ more: { client_id: otherBank.app.client.id } }), [400, 'invalid_request']],
    ['ensure-authorization-code-is-bound-to-client', () => ({ client: otherBank }), [400, 'invalid_grant']],
    ['ensure-holder-of-key-required', () => ({ headers: {} }), [400, 'invalid_dpop_proof']],
    ['ensure-pkce-code-verifier-required', () => ({ more: { code_verifier: undefined } }), [400, 'invalid_grant']],
    ['incorrect-pkce-code-verifier-rejected', () => ({ more: { code_verifier: 'v'.repeat(43) } }), [400, 'invalid_grant']],
  ])(`${PREFIX}%s`, async (_module, how, refused) => {
    expect(errorOf(await redeem(await codeFor(), how()))).toEqual(refused);
  });
});

describe('codes and tokens', () => {
  it(`${PREFIX}attempt-reuse-authorization-code-after-one-second`, async () => {
    const code = await codeFor();
    const { access_token: token } = await tokensFor(code);
    await server.pool.query("UPDATE oauth_code SET used_at = used_at - interval '1 second'");
    expect(errorOf(await redeem(code))).toEqual([400, 'invalid_grant']);
    expect((await call(token)).status).toBe(401);
  });

  it(`${PREFIX}ensure-token-endpoint-fails-with-expired-auth-code`, async () => {
    const code = await codeFor();
    await server.pool.query("UPDATE oauth_code SET expires_at = expires_at - interval '61 seconds' WHERE used_at IS NULL");
    expect(errorOf(await redeem(code))).toEqual([400, 'invalid_grant']);
  });

  it(`${PREFIX}refresh-token`, async () => {
    const { refresh_token: token } = await tokensFor(await codeFor());
    expect(errorOf(await refresh(token, otherBank))).toEqual([400, 'invalid_grant']);
    expect(errorOf(await refresh(token, bank, {}))).toEqual([400, 'invalid_dpop_proof']);
    const unauthenticated = { grant_type: 'refresh_token', refresh_token: token, client_id: bank.app.client.id };
    expect(errorOf(await bank.app.token(unauthenticated, await proofFor('/oauth2/token')))).toEqual([401, 'invalid_client']);
    const { status, body } = await refresh(token);
    expect([status, body.token_type, isAlice(await call(body.access_token))]).toEqual([200, 'DPoP', true]);
  });

  it(`${PREFIX}access-token-type-header-case-sensitivity`, async () => {
    const { access_token: token } = await tokensFor(await codeFor());
    for (const scheme of ['DPoP', 'dpop', 'DPOP']) expect(isAlice(await call(token, {}, scheme))).toBe(true);
  });
});

describe('proofs of the key', () => {
  it.each<[string, () => Record<string, number>]>([
    ['check-dpop-proof-nbf-exp', () => ({ nbf: now(), exp: now() + 60 })],
    ['ensure-dpopproof-with-iat-10seconds-before-succeeds', () => ({ iat: now() - 10 })],
    ['ensure-dpopproof-with-iat-10seconds-after-succeeds', () => ({ iat: now() + 10 })],
  ])(`${PREFIX}%s`, async (_module, claims) => {
    const headers = await proofFor('/oauth2/token', key, claims());
    const { access_token: token } = await tokensFor(await codeFor(), { headers });
    expect(isAlice(await call(token, claims()))).toBe(true);
  });

  it(`${PREFIX}ensure-mismatched-dpop-jkt-fails`, async () => {
    const answer = await push({ dpop_jkt: otherKey.jkt }, { headers: await proofFor('/oauth2/par') });
    expect(errorOf(answer)).toEqual([400, 'invalid_dpop_proof']);
  });

  it.each<[binding: string, fault: string, () => Promise<string>]>([
    [
      'ensure-dpopproof-at-par-endpoint-binding-success',
      'ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt',
      async () => codeFor({}, { headers: await proofFor('/oauth2/par') }),
    ],
    ['ensure-dpop-auth-code-binding-success', 'ensure-token-endpoint-fails-with-mismatched-dpop-jkt', () => codeFor({ dpop_jkt: key.jkt })],
  ])(`${PREFIX}%s, ${PREFIX}%s`, async (_binding, _fault, bound) => {
    await tokensFor(await bound());
    const headers = await proofFor('/oauth2/token', otherKey);
    expect(errorOf(await redeem(await bound(), { headers }))).toEqual([400, 'invalid_grant']);
  });

  it(`${PREFIX}dpop-negative-tests`, async () => {
    const { access_token: token } = await tokensFor(await codeFor());
    const faults: readonly Readonly<Record<string, unknown>>[] = [
      { htm: 'GET' },
      { htu: at('/userinfo') },
      { ath: 'x' },
      { ath: undefined },
      { jti: undefined },
      { iat: now() - 3_600 },
      { iat: now() + 3_600 },
    ];
    for (const fault of faults) expect((await call(token, fault)).status).toBe(401);
    expect((await call(token, {}, 'DPoP', otherKey)).status).toBe(401);
    expect((await call(token, {}, 'Bearer')).status).toBe(401);
    expect(isAlice(await call(token))).toBe(true);
  });
});
