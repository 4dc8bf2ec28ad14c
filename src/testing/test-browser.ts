import type { CredentialHeaders } from './graphql.js';

/** A page or a redirect, as the browser received it. */
export interface TestPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address that a redirect leads to, absolute; `''` if it is none. */
  readonly location: string;
}

/** The fields of a form that a person fills in; several values for checkboxes of one name. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** The browser of one person, without JavaScript. It keeps cookies, follows no redirects, and sends forms with their hidden fields. */
export class TestBrowser {
  private readonly cookies = new Map<string, string>();

  /** @param url of the application, for example `app.url` */
  constructor(private readonly url: string) {}

  /** The cookies of this browser, as the headers of a request of your own. */
  get headers(): CredentialHeaders {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  /** Fetches a page. @param address a path, or the `location` of a redirect */
  get(address: string): Promise<TestPage> {
    return this.send(address, { headers: {} });
  }

  /**
   * Sends the form of a page to its `action`, with its hidden fields: the CSRF token is one.
   * @param fields what the person filled in, and the button if it has a name
   * @throws Error if the page has no such form
   */
  async submit(page: TestPage, action: string, fields: FormFields = {}): Promise<TestPage> {
    const body = new URLSearchParams(hiddenFields(page.text, action));
    for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    return this.send(action, { method: 'POST', headers, body: body.toString() });
  }

  private async send(address: string, init: RequestInit & { readonly headers: CredentialHeaders }): Promise<TestPage> {
    const url = new URL(address, this.url);
    if (url.origin !== new URL(this.url).origin) throw new Error(`${url.href} is not a page of ${this.url}`);
    const headers = { accept: 'text/html', ...init.headers, ...(this.cookies.size > 0 && this.headers) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    response.headers.getSetCookie().forEach((header) => this.keep(header));
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? '' : new URL(location, url).href,
    };
  }

  private keep(header: string): void {
    const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(header) ?? [];
    if (/; *Max-Age=0(;|$)/i.test(header)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const attribute = (tag: string, name: string): string => decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

function hiddenFields(html: string, action: string): [name: string, value: string][] {
  const forms = [...html.matchAll(/(<form\b[^>]*>)([^]*?)<\/form>/g)];
  const form = forms.find(([, tag = '']) => attribute(tag, 'action') === action);
  if (!form) throw new Error(`The page has no form with the action ${action}: ${html.slice(0, 500)}`);
  const inputs = [...(form[2] ?? '').matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag);
  return inputs.filter((tag) => attribute(tag, 'type') === 'hidden').map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]);
}
