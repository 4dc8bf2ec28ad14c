import { createHash, randomBytes } from 'node:crypto';
import { ApplicationService, ClientProfiles, type Client, type ClientProfile } from '../../src/access/oauth/index.js';
import type { TestApp } from './app.js';
import { request, type HttpAnswer } from './http.js';
import { BrowserSession, type Visit } from './browser-session.js';
import { PASSWORD, type Person } from './fixture.js';

export const CALLBACK = 'https://app.example.test/callback';

export type RegisteredApp = Parameters<ApplicationService['register']>[0];

/** The response of the token endpoint. */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

type Sent = Readonly<Record<string, string | undefined>>;

const present = (parameters: Sent): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** PKCE, as an app creates it. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A third-party app: the operator registers and approves it, and then it uses only HTTP. */
export class OAuthApp {
  constructor(
    readonly server: TestApp,
    readonly client: Client,
    readonly secret: string,
    readonly pkce = newPkce(),
  ) {}

  get basic(): string {
    return `Basic ${Buffer.from(`${this.client.id}:${this.secret}`).toString('base64')}`;
  }

  get redirectUri(): string {
    return this.client.redirectUris[0] ?? '';
  }

  /** The address to which an app sends people; omits parameters that are undefined. */
  authorizeUrl(more: Sent = {}): string {
    const pkce = this.client.requirePkce ? { code_challenge: this.pkce.challenge, code_challenge_method: 'S256' } : {};
    const parameters = {
      response_type: 'code',
      client_id: this.client.id,
      redirect_uri: this.redirectUri,
      scope: 'read',
      state: 'a-state-of-mine',
      ...pkce,
      ...more,
    };
    return `/oauth2/auth?${new URLSearchParams(present(parameters)).toString()}`;
  }

  /** Pushes the request of `authorizeUrl` (RFC 9126). */
  push(
    more: Sent = {},
    headers: Readonly<Record<string, string>> = this.client.confidential ? { authorization: this.basic } : {},
  ): Promise<HttpAnswer> {
    return this.form('/oauth2/par', Object.fromEntries(new URL(this.authorizeUrl(more), this.server.url).searchParams), headers);
  }

  /** The address to which the app sends people after that. */
  pushedUrl(requestUri: string, more: Sent = {}): string {
    return `/oauth2/auth?${new URLSearchParams(present({ client_id: this.client.id, request_uri: requestUri, ...more })).toString()}`;
  }

  /** The operator sets what the app may and must do beyond its application. */
  async profile(change: Partial<ClientProfile>): Promise<this> {
    const outcome = await this.server.get(ClientProfiles).set(this.client.id, change, { who: 'test' });
    if (outcome.kind !== 'changed') throw new Error(`The profile was not set: ${JSON.stringify(outcome)}`);
    return this;
  }

  /** POST to the token endpoint, authenticated by Basic unless `headers` replace that. */
  token(
    parameters: Sent,
    headers: Readonly<Record<string, string>> = this.client.confidential ? { authorization: this.basic } : {},
  ): Promise<HttpAnswer> {
    const own = this.client.confidential ? {} : { client_id: this.client.id };
    return this.form('/oauth2/token', { ...own, ...parameters }, headers);
  }

  exchange(code: string, more: Sent = {}): Promise<HttpAnswer> {
    const verifier = this.client.requirePkce ? this.pkce.verifier : undefined;
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, code_verifier: verifier, ...more });
  }

  refresh(refreshToken: string, more: Sent = {}): Promise<HttpAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more });
  }

  revoke(token: string, more: Sent = {}): Promise<HttpAnswer> {
    const own = this.client.confidential ? {} : { client_id: this.client.id };
    return this.form('/oauth2/revoke', { ...own, token, ...more }, this.client.confidential ? { authorization: this.basic } : {});
  }

  introspect(token: string, more: Sent = {}): Promise<HttpAnswer> {
    return this.form('/oauth2/introspect', { token, ...more }, { authorization: this.basic });
  }

  userinfo(accessToken: string): Promise<HttpAnswer> {
    return request(`${this.server.url}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
  }

  /** A person's whole flow: sign in if asked, allow what is asked, and return to the app with a code. */
  async code(person: Person, more: Sent = {}, browser = new BrowserSession(this.server.url)): Promise<string> {
    const end = await this.allow(person, await browser.get(this.authorizeUrl(more)), browser);
    const code = new URL(end).searchParams.get('code');
    if (code === null) throw new Error(`The app was not given a code: ${end}`);
    return code;
  }

  /** From the response of the authorization endpoint to the address that calls the app back. */
  async allow(person: Person, begun: Visit, browser: BrowserSession): Promise<string> {
    const asked = await this.consentPage(person, begun, browser);
    if (!asked.location) return (await browser.submit(asked, { decision: 'allow', scope: boxesOf(asked) })).location;
    return asked.location;
  }

  /** Up to the consent page; or to the redirect, where the person is not asked. */
  consentPage({ email }: Person, begun: Visit, browser: BrowserSession): Promise<Visit> {
    return browser.signInOnTheWay(begun, { email, password: PASSWORD });
  }

  async connect(person: Person, more: Sent = {}, browser?: BrowserSession): Promise<Tokens> {
    const { status, body, text } = await this.exchange(await this.code(person, more, browser));
    if (status !== 200) throw new Error(`No tokens: ${status} ${text}`);
    return body as Tokens;
  }

  private form(path: string, parameters: Sent, headers: Readonly<Record<string, string>>): Promise<HttpAnswer> {
    const body = new URLSearchParams(present(parameters));
    return request(`${this.server.url}${path}`, { method: 'POST', headers: { ...headers }, body });
  }
}

/** The values of all boxes of a consent page. */
export const boxesOf = ({ text }: Visit): string[] =>
  [...text.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([input]) => /value="([^"]*)"/.exec(input)?.[1] ?? '');

/** Registers an app and approves it. By default confidential, with any scope, and PKCE optional. */
export async function newOAuthApp(server: TestApp, wanted: Partial<RegisteredApp> = {}): Promise<OAuthApp> {
  const app = {
    name: 'Corner Coffee',
    redirectUris: [CALLBACK],
    scopes: ['read', 'receive', 'write', 'offline', 'openid'],
    requirePkce: false,
    homepage: 'https://app.example.test/',
    ...wanted,
  };
  const outcome = await server.get(ApplicationService).register(app, { who: 'test' });
  if (outcome.kind !== 'registered') throw new Error(`No app was registered: ${JSON.stringify(outcome)}`);
  return new OAuthApp(server, outcome.client, outcome.secret ?? '');
}
