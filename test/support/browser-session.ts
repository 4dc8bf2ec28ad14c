/** One page or redirect, as a browser received it. */
export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The absolute address of the redirect; `''` where there is none. */
  readonly location: string;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A person's browser without JavaScript: it keeps cookies and sends forms, and follows redirects only where a test says so. */
export class BrowserSession {
  /** @param always headers of every request, for example those of a proxy */
  constructor(
    readonly origin: string,
    private readonly always: Readonly<Record<string, string>> = {},
    readonly cookies = new Map<string, string>(),
  ) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Visit> {
    return this.send(path, { method: 'GET', headers });
  }

  /** Sends a form from a page of the same site, as browsers do under `Referrer-Policy: no-referrer`. */
  post(
    path: string,
    fields: Fields,
    headers: Readonly<Record<string, string>> = { origin: 'null', 'sec-fetch-site': 'same-origin' },
  ): Promise<Visit> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: body.toString(),
    });
  }

  /** Fills in the form of a page and sends it; hidden fields are included, boxes and buttons only as given. */
  submit(page: Visit, fields: Fields): Promise<Visit> {
    return this.post(formAction(page), { ...hiddenFields(page), ...fields });
  }

  /** Follows redirects within the site and signs in where asked, up to the page that asks for more, or to the redirect to another site. */
  async signInOnTheWay(begun: Visit, account: { readonly email: string; readonly password: string }): Promise<Visit> {
    let visit = begun;
    while (visit.location.startsWith(`${this.origin}/`)) {
      const page = await this.get(visit.location);
      visit = page.url.includes('/login') && !page.location ? await this.submit(page, account) : page;
    }
    return visit;
  }

  /** Signs in on the sign-in page as a browser at this address does; the server must trust one proxy. */
  async signInFrom(address: string, account: { readonly email: string; readonly password: string }): Promise<Visit> {
    const from = { 'x-forwarded-for': address };
    const page = await this.get('/login?switch=1', from);
    return this.post('/login', { ...hiddenFields(page), ...account }, { ...from, 'sec-fetch-site': 'same-origin' });
  }

  /** A person's whole flow from an app's redirect to `url`: sign in if asked, tick these boxes, allow. @returns the final redirect */
  async allow(url: string, account: { readonly email: string; readonly password: string }, scopes: readonly string[]): Promise<URL> {
    const page = await this.signInOnTheWay(await this.get(url), account);
    return new URL(page.location || (await this.submit(page, { decision: 'allow', scope: scopes })).location);
  }

  /** Another browser with a copy of these cookies. */
  clone(): BrowserSession {
    return new BrowserSession(this.origin, this.always, new Map(this.cookies));
  }

  private async send(path: string, init: RequestInit & { headers: Readonly<Record<string, string>> }): Promise<Visit> {
    const url = new URL(path, this.origin).href;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...this.always, ...init.headers, ...(cookie && { cookie }) },
    });
    for (const header of response.headers.getSetCookie()) this.keep(header);
    const location = response.headers.get('location');
    const text = await response.text();
    return {
      url,
      status: response.status,
      headers: response.headers,
      text,
      location: location === null ? '' : new URL(location, url).href,
    };
  }

  private keep(header: string): void {
    const [pair = '', ...attributes] = header.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    if (attributes.some((attribute) => attribute.trim() === 'Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(equals + 1));
  }
}

const decode = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** The action of the page's only form. */
export function formAction({ text }: Visit): string {
  const action = /<form[^>]*\baction="([^"]*)"/.exec(text)?.[1];
  if (action === undefined) throw new Error(`There is no form in: ${text.slice(0, 500)}`);
  return decode(action);
}

/** The hidden fields of the page's form. */
export function hiddenFields({ text }: Visit): Record<string, string> {
  const inputs = text.matchAll(/<input[^>]*type="hidden"[^>]*>/g);
  return Object.fromEntries(
    [...inputs].map(([input]) => [/name="([^"]*)"/.exec(input)?.[1] ?? '', decode(/value="([^"]*)"/.exec(input)?.[1] ?? '')]),
  );
}
