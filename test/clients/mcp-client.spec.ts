import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { DocumentHost } from '../support/document-host.js';
import { Fixture, type Person } from '../support/fixture.js';
import { post, type HttpAnswer } from '../support/http.js';
import { boxesOf, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { PROJECT } from '../support/server-process.js';

/** What an agent gives the SDK: where it keeps things, and how it opens a browser. */
interface Provider {
  readonly redirectUrl: string;
  readonly clientMetadata: object;
  readonly clientMetadataUrl: string;
  state(): string;
  clientInformation(): object | undefined;
  saveClientInformation(information: { readonly client_id: string }): void;
  tokens(): Tokens | undefined;
  saveTokens(tokens: Tokens): void;
  redirectToAuthorization(url: URL): void;
  saveCodeVerifier(verifier: string): void;
  codeVerifier(): string;
}

interface Sdk {
  readonly auth: (
    provider: Provider,
    options: {
      readonly serverUrl: string;
      readonly authorizationCode?: string;
      readonly scope?: string;
      readonly resourceMetadataUrl?: URL;
    },
  ) => Promise<'AUTHORIZED' | 'REDIRECT'>;
  readonly extractWWWAuthenticateParams: (response: Response) => { readonly resourceMetadataUrl?: URL };
}

// Built for CommonJS and for ES modules; Jest loads the former.
const { auth, extractWWWAuthenticateParams } = createRequire(join(PROJECT, 'test/client/package.json'))(
  '@modelcontextprotocol/sdk/client/auth.js',
) as Sdk;

const DOCUMENT = 'https://agent.example.test/app.json';
const REDIRECT = 'http://localhost:51234/callback';

class Agent implements Provider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadataUrl = DOCUMENT;
  readonly clientMetadata = { client_name: 'Agent', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  readonly state = (): string => 'a-state-of-mine';
  information?: { readonly client_id: string };
  held?: Tokens;
  opened?: URL;
  private verifier = '';

  clientInformation = (): object | undefined => this.information;
  saveClientInformation = (information: { readonly client_id: string }): void => void (this.information = information);
  tokens = (): Tokens | undefined => this.held;
  saveTokens = (tokens: Tokens): void => void (this.held = tokens);
  redirectToAuthorization = (url: URL): void => void (this.opened = url);
  saveCodeVerifier = (verifier: string): void => void (this.verifier = verifier);
  codeVerifier = (): string => this.verifier;
}

let server: TestApp;
let host: DocumentHost;
let alice: Person;
let app: OAuthApp;

beforeAll(async () => {
  server = await createTestApp({ env: { CLIENT_METADATA_ALLOWED: new URL(DOCUMENT).host } });
  host = await DocumentHost.open(server);
  alice = await new Fixture(server).user();
  app = host.publish(server, DOCUMENT, { redirect_uris: ['http://localhost/callback'] });
});
afterAll(async () => {
  await host?.close();
  await server?.close();
});

const api = (): string => `${server.url}/graphql`;
const me = (headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> => post(api(), { query: '{ me { username } }' }, headers);

/** From the address of the API alone to a token: the person allows all that is asked. */
async function connected(more: { readonly scope?: string; readonly resourceMetadataUrl?: URL } = {}): Promise<Agent> {
  const [agent, browser] = [new Agent(), new BrowserSession(server.url)];
  expect(await auth(agent, { serverUrl: api(), ...more })).toBe('REDIRECT');
  const page = await app.consentPage(alice, await browser.get(agent.opened?.href ?? ''), browser);
  const { location } = await browser.submit(page, { decision: 'allow', scope: boxesOf(page) });
  expect(location.startsWith(`${REDIRECT}?`)).toBe(true);
  const authorizationCode = new URL(location).searchParams.get('code') ?? '';
  expect(await auth(agent, { serverUrl: api(), authorizationCode, ...more })).toBe('AUTHORIZED');
  return agent;
}

describe('the OAuth code of @modelcontextprotocol/sdk, unregistered', () => {
  it('gets from the address of the API to a token, and a query with it', async () => {
    const agent = await connected();
    expect(agent.information).toMatchObject({ client_id: DOCUMENT });
    expect(agent.opened?.searchParams.get('resource')).toBe(api());
    expect(agent.held).toMatchObject({ token_type: 'bearer', scope: 'read receive write' });
    const answer = await me({ authorization: `Bearer ${agent.held?.access_token}` });
    expect(answer.body).toEqual({ data: { me: { username: alice.username } } });
  });

  it('follows WWW-Authenticate of a refused call, and refreshes', async () => {
    const refused = await fetch(api(), { method: 'POST', headers: { authorization: 'Bearer sluice_at_unknown' }, body: '{}' });
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(refused);
    expect([refused.status, resourceMetadataUrl?.href]).toEqual([401, `${server.url}/.well-known/oauth-protected-resource/graphql`]);
    const agent = await connected({ scope: 'read offline_access', ...(resourceMetadataUrl && { resourceMetadataUrl }) });
    const before = agent.held;
    expect(await auth(agent, { serverUrl: api() })).toBe('AUTHORIZED');
    expect(agent.held?.access_token).not.toBe(before?.access_token);
    expect((await me({ authorization: `Bearer ${agent.held?.access_token}` })).status).toBe(200);
    expect((await app.revoke(agent.held?.refresh_token ?? '')).status).toBe(200);
    expect((await me({ authorization: `Bearer ${agent.held?.access_token}` })).status).toBe(401);
  });
});
