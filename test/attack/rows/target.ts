import { createHash, randomBytes } from 'node:crypto';
import { BrowserSession, type Fields, type Visit } from '../../support/browser-session.js';
import { request, type HttpAnswer } from '../../support/http.js';

/** A client as its server knows it. */
export interface Registered {
  readonly id: string;
  readonly secret?: string;
  readonly redirectUri: string;
}

/** An authorization server under attack, with what its operator gives an attacker who is an ordinary app. */
export interface Target {
  readonly issuer: string;
  /** The addresses of its processes; the first is the issuer's. */
  readonly processes: readonly [string, ...string[]];
  readonly client: Registered;
  readonly second: Registered;
  /** A client without a secret, with a callback on 127.0.0.1. */
  readonly native: Registered;
  readonly person: { readonly user: string; readonly password: string };
  /** Lets this time pass at the server. */
  pass(seconds: number): Promise<unknown>;
  /** Headers that make a caller one of an address that has sent nothing before. */
  elsewhere(): Readonly<Record<string, string>>;
  /** Every secret that the attack has seen or sent. */
  readonly seen: Set<string>;
}

/** An attack: it throws where the server does not resist. */
export type Row = readonly [title: string, attack: (target: Site) => Promise<void>];

type Sent = Readonly<Record<string, string | undefined>>;

/** What the request asks for: an identity, and a refresh token. */
export const SCOPE = 'openid offline_access';
export const REFUSED = [400, 'invalid_grant'];

export const saidBy = ({ status, body }: HttpAnswer): readonly [number, unknown] => [
  status,
  (body as { error?: string } | undefined)?.error,
];

const present = (sent: Sent): Record<string, string> =>
  Object.fromEntries(Object.entries(sent).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

interface Discovered {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly userinfo_endpoint: string;
  readonly revocation_endpoint: string;
  readonly jwks_uri: string;
}

/** The server as its discovery document describes it, seen from one address. */
export class Site {
  readonly client: App;
  readonly second: App;
  readonly native: App;
  private readonly headers: Readonly<Record<string, string>>;
  /** Where the person has signed in, once for all rows. */
  private static readonly signedIn = new WeakMap<Target, Promise<BrowserSession>>();

  private constructor(
    readonly target: Target,
    readonly found: Discovered,
  ) {
    this.headers = target.elsewhere();
    [this.client, this.second, this.native] = [new App(this, target.client), new App(this, target.second), new App(this, target.native)];
  }

  static async at(target: Target): Promise<Site> {
    const { status, body } = await request(`${target.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (status !== 200) throw new Error(`${target.issuer} has no discovery document: ${status}`);
    return new Site(target, body as Discovered);
  }

  browser(cookies?: Map<string, string>): BrowserSession {
    return new BrowserSession(new URL(this.found.authorization_endpoint).origin, this.headers, cookies);
  }

  /** The browser in which the person is signed in. */
  async personsBrowser(): Promise<BrowserSession> {
    const begun = Site.signedIn.get(this.target) ?? this.signIn();
    Site.signedIn.set(this.target, begun);
    return this.browser((await begun).cookies);
  }

  private async signIn(): Promise<BrowserSession> {
    const browser = this.browser();
    await this.client.code({}, browser);
    return browser;
  }

  /** An endpoint at one of the processes. */
  endpoint(name: 'token' | 'userinfo' | 'revocation', process = 0): string {
    const url = new URL(this.found[`${name}_endpoint`]);
    return `${this.target.processes[process % this.target.processes.length]}${url.pathname}`;
  }

  isOurs(address: string): boolean {
    return new URL(address).origin === new URL(this.found.authorization_endpoint).origin;
  }

  /** Follows the server's own redirects up to a page, or to the redirect to an app. */
  async page(begun: Visit, browser: BrowserSession): Promise<Visit> {
    let visit = begun;
    for (let hops = 0; visit.location !== '' && this.isOurs(visit.location) && hops < 8; hops++) visit = await browser.get(visit.location);
    return visit;
  }

  /** Up to the page that is not about signing in. */
  async pageAfterSignIn(begun: Visit, browser: BrowserSession): Promise<Visit> {
    let page = await this.page(begun, browser);
    for (let tries = 0; page.text.includes('type="password"') && tries < 2; tries++)
      page = await this.page(await browser.submit(page, this.agreed(page)), browser);
    return page;
  }

  /** What a person who agrees types, ticks and presses on a page. */
  agreed({ text }: Visit): Fields {
    const fields: Record<string, string | string[]> = {};
    const signsIn = text.includes('type="password"');
    for (const [tag = '', kind] of text.matchAll(/<(input|button)\b[^>]*>/g)) {
      const of = (attribute: string): string => new RegExp(`\\b${attribute}="([^"]*)"`).exec(tag)?.[1] ?? '';
      const name = of('name');
      const type = of('type') || (kind === 'input' ? 'text' : 'submit');
      if (name === '') continue;
      if (type === 'checkbox') fields[name] = [...[fields[name] ?? []].flat(), of('value')];
      else if (type === 'submit')
        fields[name] = /allow|accept|approve|yes/i.test(of('value')) ? of('value') : (fields[name] ?? of('value'));
      else if (signsIn && type === 'password') fields[name] = this.target.person.password;
      else if (signsIn && (type === 'text' || type === 'email')) fields[name] = this.target.person.user;
    }
    return fields;
  }

  post(url: string, sent: Sent | URLSearchParams | string, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> {
    const body = typeof sent === 'string' || sent instanceof URLSearchParams ? sent : new URLSearchParams(present(sent));
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return request(url, { method: 'POST', headers: { ...type, ...this.headers, ...headers }, body });
  }

  /** Userinfo is what each server has; a token that opens it is alive. */
  userinfo(token: string, process = 0): Promise<HttpAnswer> {
    return request(this.endpoint('userinfo', process), { headers: { ...this.headers, authorization: `Bearer ${token}` } });
  }

  async works(token: string, process = 0): Promise<boolean> {
    return (await this.userinfo(token, process)).status === 200;
  }

  see<T extends string | undefined>(secret: T): T {
    if (secret) this.target.seen.add(secret);
    return secret;
  }
}

/** What the authorization endpoint has done, in a word. */
export function outcomeOf({ status, location, url }: Visit): string {
  if (location === '') return status >= 400 ? 'page' : 'asked';
  const { origin, searchParams } = new URL(location);
  if (origin === new URL(url).origin) return 'asked';
  return searchParams.has('code') ? 'code' : (searchParams.get('error') ?? location);
}

interface Sending {
  readonly process?: number;
  readonly path?: 'token' | 'revocation';
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client, which uses only HTTP. */
export class App {
  readonly pkce = newPkce();

  constructor(
    readonly site: Site,
    public registered: Registered,
  ) {
    site.see(registered.secret);
    site.see(this.pkce.verifier);
  }

  get basic(): string {
    return `Basic ${Buffer.from(`${this.registered.id}:${this.registered.secret ?? ''}`).toString('base64')}`;
  }

  url(more: Sent = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.registered.id,
      redirect_uri: this.registered.redirectUri,
      scope: SCOPE,
      prompt: 'consent',
      state: 'a-state-of-mine',
      code_challenge: this.pkce.challenge,
      code_challenge_method: 'S256',
      ...more,
    };
    return `${this.site.found.authorization_endpoint}?${new URLSearchParams(present(parameters)).toString()}`;
  }

  /** A person's whole flow: signs in if asked, agrees to what is asked. @returns the address that calls the app back */
  async agree(begun: Visit, browser: BrowserSession): Promise<URL> {
    let visit = await this.site.pageAfterSignIn(begun, browser);
    for (let pages = 0; visit.location === '' && pages < 3; pages++)
      visit = await this.site.page(await browser.submit(visit, this.site.agreed(visit)), browser);
    if (visit.location === '') throw new Error(`The person got no further than ${visit.url}: ${visit.status} ${visit.text.slice(-1_500)}`);
    return new URL(visit.location);
  }

  async code(more: Sent = {}, given?: BrowserSession): Promise<string> {
    const browser = given ?? (await this.site.personsBrowser());
    const end = await this.agree(await browser.get(this.url(more)), browser);
    const code = end.searchParams.get('code');
    if (code === null) throw new Error(`The app was not given a code: ${end.href}`);
    return this.site.see(code);
  }

  /** POST to the token endpoint of a process. */
  async token(sent: Sent, { process = 0, path = 'token', headers = {} }: Sending = {}): Promise<HttpAnswer> {
    const { id, secret } = this.registered;
    const own = secret === undefined ? { client_id: id } : {};
    const as: Record<string, string> = secret === undefined ? {} : { authorization: this.basic };
    const answer = await this.site.post(this.site.endpoint(path, process), { ...own, ...sent }, { ...as, ...headers });
    const body = (answer.body ?? {}) as Readonly<Record<string, string>>;
    for (const name of ['access_token', 'refresh_token', 'id_token']) this.site.see(body[name]);
    return answer;
  }

  exchange(code: string, more: Sent = {}, process = 0): Promise<HttpAnswer> {
    const { redirectUri } = this.registered;
    const sent = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: this.pkce.verifier, ...more };
    return this.token(sent, { process });
  }

  refresh(refreshToken: string, more: Sent = {}, process = 0): Promise<HttpAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more }, { process });
  }

  revoke(token: string, process = 0): Promise<HttpAnswer> {
    return this.token({ token }, { process, path: 'revocation' });
  }

  async connect(more: Sent = {}, browser?: BrowserSession): Promise<Tokens> {
    const { status, body, text } = await this.exchange(await this.code(more, browser));
    if (status !== 200) throw new Error(`No tokens: ${status} ${text}`);
    return body as Tokens;
  }
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly scope: string;
}
