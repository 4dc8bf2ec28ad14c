import { createTestApp, type TestApp } from '../support/app.js';
import { mintToken } from '../../src/platform/kernel/token.js';
import { request, type HttpAnswer } from '../support/http.js';
import { CALLBACK, newOAuthApp, type OAuthApp } from '../support/oauth-app.js';

let server: TestApp;
let shop: OAuthApp;

beforeAll(async () => {
  const many = '100000/60';
  const env = {
    THROTTLE_AUTHORIZATION_PAGE: many,
    THROTTLE_PUSHED_REQUEST: many,
    THROTTLE_TOKEN_ADDRESS: many,
    THROTTLE_TOKEN_CLIENT: many,
  };
  server = await createTestApp({ env });
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());

const FORM = 'application/x-www-form-urlencoded';
type Pairs = readonly (readonly [name: string, encoded: string])[];
const text = (pairs: Pairs): string => pairs.map(([name, value]) => `${name}=${value}`).join('&');

const ALL = ['absent', 'empty', 'repeated', 'array', 'object', 'nul', 'escape', 'bytes', 'oversized'] as const;
type Kind = (typeof ALL)[number];

/** What becomes of a parameter: the encoded pairs that take its place. */
const KINDS: Readonly<Record<Kind, (name: string, value: string) => Pairs>> = {
  absent: () => [],
  empty: (name) => [[name, '']],
  repeated: (name, value) => [
    [name, value],
    [name, value],
  ],
  array: (name, value) => [[`${name}[]`, value]],
  object: (name, value) => [[`${name}[__proto__]`, value]],
  nul: (name, value) => [[name, `${value}%00`]],
  escape: (name) => [[name, '%zz']],
  bytes: (name) => [[name, '%ff%fe']],
  oversized: (name) => [[name, 'x'.repeat(17_000)]],
};

/** By parameter: what is said if it is absent, if it is `%zz`, and if it has bytes that are not UTF-8. */
type Expected = Readonly<Record<string, readonly [value: string, absent: string, escape: string, bytes?: string]>>;

/** One request for each kind of each parameter; says what was answered otherwise than expected. */
async function differences(
  expected: Expected,
  send: (pairs: Pairs) => Promise<string>,
  rule: (name: string, kind: Kind, of: Expected[string]) => string,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, of] of Object.entries(expected))
    for (const kind of ALL) {
      const others = Object.entries(expected).filter(([each, [value]]) => each !== name && value !== '');
      const pairs = [...others.map(([each, [value]]) => [each, value] as const), ...KINDS[kind](name, of[0])];
      const [said, wanted] = [await send(pairs), rule(name, kind, of)];
      if (said !== wanted) found.push(`${name}, ${kind}: ${said} instead of ${wanted}`);
    }
  return found;
}

/** An answer in one word. */
const wordOf = ({ status, body, text: sent }: HttpAnswer): string =>
  status < 300 ? 'ok' : ((body as { error?: string } | undefined)?.error ?? `${status} ${sent.slice(0, 100)}`);

const authorizationRequest = (): Expected => ({
  client_id: [shop.client.id, 'page', 'page'],
  redirect_uri: [encodeURIComponent(CALLBACK), 'page', 'page'],
  response_type: ['code', 'invalid_request', 'unsupported_response_type'],
  scope: ['read', 'invalid_scope', 'invalid_scope'],
  state: ['a-state-of-mine', 'invalid_state', 'invalid_state'],
  response_mode: ['query', 'ok', 'invalid_request'],
  nonce: ['n', 'ok', 'ok'],
  prompt: ['login', 'ok', 'invalid_request'],
  max_age: ['10', 'ok', 'invalid_request'],
  display: ['page', 'ok', 'ok'],
  ui_locales: ['en', 'ok', 'ok'],
  claims_locales: ['en', 'ok', 'ok'],
  acr_values: ['1', 'ok', 'ok'],
  claims: ['{}', 'ok', 'ok'],
  login_hint: ['alice', 'ok', 'ok'],
  resource: [encodeURIComponent(`${server.url}/graphql`), 'ok', 'invalid_target'],
  // Not sent beside the others.
  id_token_hint: ['', 'ok', 'invalid_request'],
  code_challenge: ['', 'ok', 'invalid_request'],
  code_challenge_method: ['', 'ok', 'invalid_request'],
  request: ['', 'ok', 'request_not_supported'],
  request_uri: ['', 'ok', 'request_uri_not_supported'],
  registration: ['', 'ok', 'registration_not_supported'],
});

/** Of the authorization endpoint. */
function authorizeRule(name: string, kind: Kind, [, absent, escape, bytes = escape]: Expected[string]): string {
  if (kind === 'absent' || kind === 'empty' || kind === 'array' || kind === 'object') return absent;
  if (kind === 'escape') return escape;
  if (kind === 'bytes') return bytes;
  if (kind === 'oversized' || absent === 'page') return 'page';
  if (name === 'resource') return kind === 'nul' ? 'invalid_target' : 'ok';
  return 'invalid_request';
}

const authorizeWord = ({ status, headers, text: page }: HttpAnswer): string => {
  const location = headers.get('location') ?? '';
  // Without a text: an address of more than 16 KiB, which Node itself does not read.
  if (status === 400 && location === '' && (page === '' || page.includes('data-testid="error-client"'))) return 'page';
  if (status === 303 && location.startsWith('/login?')) return 'ok';
  if (status !== 303 || !location.startsWith(`${CALLBACK}?`)) return `${status} to ${location}`;
  return new URL(location).searchParams.get('error') ?? location;
};

describe('bad input: every parameter absent, empty, repeated, array-shaped, oversized, NUL, %zz, not UTF-8', () => {
  it('at the authorization endpoint, by GET', async () => {
    const send = async (pairs: Pairs): Promise<string> => authorizeWord(await request(`${server.url}/oauth2/auth?${text(pairs)}`));
    expect(await differences(authorizationRequest(), send, authorizeRule)).toEqual([]);
  });

  it('at the authorization endpoint, by POST', async () => {
    const send = async (pairs: Pairs): Promise<string> =>
      authorizeWord(await request(`${server.url}/oauth2/auth`, { method: 'POST', headers: { 'content-type': FORM }, body: text(pairs) }));
    expect(await differences(authorizationRequest(), send, authorizeRule)).toEqual([]);
  });

  const post = (
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = { authorization: shop.basic },
  ): Promise<HttpAnswer> => request(`${server.url}${path}`, { method: 'POST', headers: { 'content-type': FORM, ...headers }, body });

  it('at the endpoint for pushed requests', async () => {
    const send = async (pairs: Pairs): Promise<string> => wordOf(await post('/oauth2/par', text(pairs)));
    const rule = (name: string, kind: Kind, of: Expected[string]): string => {
      const asPushed = authorizeRule(name, kind, of);
      if (kind === 'nul' || kind === 'oversized' || (kind === 'repeated' && name !== 'resource')) return 'invalid_request';
      // Any request_uri, an empty one too.
      if (name === 'request_uri') return ['absent', 'array', 'object'].includes(kind) ? 'ok' : 'invalid_request';
      // The header says who the client is.
      if (name === 'client_id') return kind === 'escape' || kind === 'bytes' ? 'invalid_request' : 'ok';
      return asPushed === 'page' ? 'invalid_request' : asPushed;
    };
    expect(await differences(authorizationRequest(), send, rule)).toEqual([]);
  });

  /** Of the endpoints that clients call: what the header says is not repeated by a parameter. */
  const clientRule =
    (judged: readonly string[]) =>
    (name: string, kind: Kind, [, absent, escape, bytes = escape]: Expected[string]): string => {
      if (kind === 'oversized' || kind === 'repeated') return 'invalid_request';
      if (kind === 'escape') return escape;
      if (kind === 'bytes') return bytes;
      if (kind === 'nul') return judged.includes(name) ? escape : 'invalid_request';
      return absent;
    };

  it('at the token endpoint', async () => {
    const [code, refresh] = [mintToken('sluice_ac'), mintToken('sluice_rt')];
    const send = async (pairs: Pairs): Promise<string> => wordOf(await post('/oauth2/token', text(pairs)));
    const rule = clientRule(['code', 'code_verifier', 'refresh_token']);
    const ofCode: Expected = {
      grant_type: ['authorization_code', 'invalid_request', 'unsupported_grant_type'],
      code: [code, 'invalid_request', 'invalid_grant'],
      redirect_uri: [encodeURIComponent(CALLBACK), 'invalid_grant', 'invalid_grant'],
      code_verifier: ['v'.repeat(43), 'invalid_grant', 'invalid_grant'],
      client_id: [shop.client.id, 'invalid_grant', 'invalid_request'],
      client_secret: ['', 'invalid_grant', 'invalid_request'],
      client_assertion: ['', 'invalid_grant', 'invalid_request'],
      client_assertion_type: ['', 'invalid_grant', 'invalid_grant'],
    };
    expect(await differences(ofCode, send, rule)).toEqual([]);
    const ofRefresh: Expected = {
      grant_type: ['refresh_token', 'invalid_request', 'unsupported_grant_type'],
      refresh_token: [refresh, 'invalid_request', 'invalid_grant'],
      scope: ['read', 'invalid_grant', 'invalid_scope'],
    };
    expect(await differences(ofRefresh, send, rule)).toEqual([]);
    const resources = ['%zz', '%ff', '%00', 'x'.repeat(2_001)].map((value) => `&resource=${value}`);
    const words = resources.map(async (more) => wordOf(await post('/oauth2/token', `grant_type=authorization_code&code=${code}${more}`)));
    expect(await Promise.all(words)).toEqual(['invalid_grant', 'invalid_target', 'invalid_request', 'invalid_target']);
  });

  it('at the revocation endpoint', async () => {
    const send = async (pairs: Pairs): Promise<string> => wordOf(await post('/oauth2/revoke', text(pairs)));
    const expected: Expected = { token: [mintToken('sluice_rt'), 'invalid_request', 'ok'], token_type_hint: ['refresh_token', 'ok', 'ok'] };
    expect(await differences(expected, send, clientRule(['token']))).toEqual([]);
  });

  it.each(['/oauth2/par', '/oauth2/token', '/oauth2/revoke'])('%s reads a form alone, with nothing secret in the address', async (path) => {
    const body = `grant_type=refresh_token&refresh_token=${mintToken('sluice_rt')}&token=x`;
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', `${FORM}x`])
      expect([type, wordOf(await post(path, body, { 'content-type': type, authorization: shop.basic }))]).toEqual([
        type,
        'invalid_request',
      ]);
    const utf16 = await post(path, body, { 'content-type': `${FORM}; charset=utf-16`, authorization: shop.basic });
    expect(utf16.status).toBeLessThan(500);
    for (const name of ['client_secret', 'client_assertion', 'code', 'code_verifier', 'refresh_token', 'token', 'access_token'])
      expect([name, wordOf(await post(`${path}?${name}=x`, body))]).toEqual([name, 'invalid_request']);
    const get = await request(`${server.url}${path}?${body}`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('nothing of this was an unexpected error', () => {
    expect(server.logs.filter((line) => /oauth_unexpected_error|oauth_request_failed/.test(line))).toEqual([]);
  });
});
