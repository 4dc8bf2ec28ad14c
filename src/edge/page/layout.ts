import { ASSETS } from './assets.js';
import { csrfField } from './field.js';
import type { Frame, ShellFrame, MenuEntry } from './frame.js';
import { attributes, html, raw, type Html, type HtmlValue } from './html.js';
import { untrustedText } from './untrusted-text.js';

const DOCTYPE = raw('<!doctype html>');

export interface PageContent {
  /** Unique per page; the layout adds the brand's name, and "Error: " in front if the form has errors. */
  readonly title: Html | string;
  readonly error?: boolean;
  /** Without a script the browser loads the page again after this time; the script follows the elements with `data-due`. */
  readonly refreshSeconds?: number | undefined;
  readonly body: Html;
}

const documentOf = ({ brand }: Frame, page: PageContent, extra: Html | null, body: Html): Html =>
  html`${DOCTYPE}
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.error && 'Error: '}${page.title} - ${brand.name}</title>
        <link rel="icon" href="${brand.mark.href}" type="${brand.mark.type}" />
        <link rel="stylesheet" href="${brand.style.href}" />
        ${extra}
      </head>
      ${body}
    </html>`;

const BANNERS = {
  demo: html`<aside class="demo" aria-label="Demo"><b>Demo mode.</b> All money is simulated.</aside>`,
  simulated: html`<aside class="demo" aria-label="Simulated money"><b>Simulated money.</b> This money has no real value.</aside>`,
} as const;

const PLAIN_HTTP = html`<aside class="demo" aria-label="Plain HTTP">
  <b>Plain HTTP.</b> Passwords and keys can be read on the way to this server.
</aside>`;

const banner = (frame: Frame): HtmlValue => [frame.banner !== null && BANNERS[frame.banner], frame.plainHttp && PLAIN_HTTP];
const mark = ({ brand }: Frame): Html => html`<img src="${brand.mark.href}" alt="" width="28" height="28" />${brand.name}`;
const support = ({ brand }: Frame): HtmlValue =>
  brand.support && html`<footer class="sub">Support: <a href="${brand.support.href}">${brand.support.text}</a></footer>`;

const narrow = (frame: Frame, page: PageContent, look: { readonly gate: boolean; readonly wide?: boolean | undefined }): Html =>
  html`<body ${attributes({ class: look.gate && 'gate' })}>
    ${banner(frame)}
    <main id="main" ${attributes({ class: look.wide && 'wide' })}>
      <p class="brand">${mark(frame)}</p>
      ${page.body} ${support(frame)}
    </main>
  </body>`;

export const cardPage = (frame: Frame, page: PageContent & { readonly wide?: boolean }): Html =>
  documentOf(frame, page, null, narrow(frame, page, { gate: true, wide: page.wide }));

export const toolPage = (frame: Frame, page: PageContent, extra: Html): Html =>
  documentOf(frame, page, extra, narrow(frame, page, { gate: false }));

/** The entries of the navigation; those of extensions go by their address. */
export type NavigationKey =
  'wallet' | 'history' | 'account' | 'activity' | 'keys' | 'apps' | 'security' | 'webhooks' | 'developer' | MenuEntry['href'];

interface Entry extends MenuEntry {
  readonly key?: NavigationKey;
}

const MONEY: readonly Entry[] = [
  { key: 'wallet', href: '/dashboard', label: 'Wallet' },
  { key: 'history', href: '/dashboard/history', label: 'History' },
  { key: 'account', href: '/dashboard/account', label: 'Account' },
  { key: 'activity', href: '/dashboard/activity', label: 'Activity' },
];
const ACCESS: readonly Entry[] = [
  { key: 'keys', href: '/dashboard/keys', label: 'API keys' },
  { key: 'apps', href: '/dashboard/apps', label: 'Connected apps' },
  { key: 'security', href: '/dashboard/security', label: 'Security' },
  { key: 'webhooks', href: '/dashboard/webhooks', label: 'Webhooks' },
  { key: 'developer', href: '/dashboard/developer', label: 'Your apps' },
  { href: '/graphql', label: 'API' },
  { href: '/docs/README.md', label: 'Documentation' },
];

const OPERATOR: readonly Entry[] = [{ href: '/operator', label: 'Console' }];

const entries = (list: readonly Entry[], current: NavigationKey | null): readonly Html[] =>
  list.map(
    ({ href, label, key = href }) => html`<li><a ${attributes({ href, 'aria-current': key === current && 'page' })}>${label}</a></li>`,
  );

const group = (id: string, title: string, items: readonly Html[]): Html =>
  html`<p id="${id}">${title}</p>
    <ul aria-labelledby="${id}">
      ${items}
    </ul>`;

/** On a phone the same element is a popover behind "Menu"; without popover support it stays open above the page. */
function navigation(frame: ShellFrame, current: NavigationKey | null): Html {
  return html`<nav id="nav" popover aria-label="Main">
    <button type="button" class="menu quiet small" popovertarget="nav">Close</button>
    <ul>
      ${entries(MONEY, current)}
    </ul>
    ${group('nav-access', 'Access', entries(ACCESS, current))}
    ${frame.isOperator && group('nav-operator', 'Operator', entries(OPERATOR, current))}
    ${frame.menu.length > 0 && group('nav-more', 'More', entries(frame.menu, current))}
    <form method="post" action="/logout">
      ${csrfField(frame.csrf)}<span class="sub">${untrustedText(frame.email)}</span>
      <button class="quiet small">Sign out</button>
    </form>
  </nav>`;
}

/** A page for a signed-in person: navigation beside the content, and one optional script. `place` is `currentEntry` by its name of 0.2.0. */
export function shellPage(
  frame: ShellFrame,
  page: PageContent & ({ readonly currentEntry: NavigationKey | null } | { readonly place: NavigationKey | null }),
): Html {
  const script = html`<script type="module" src="${ASSETS.enhance.href}" nonce="${frame.nonce}"></script>`;
  const body = html`<body class="app" ${attributes({ 'data-events': frame.events })}>
    <a class="skip" href="#main">Skip to content</a>
    ${banner(frame)}
    <header class="top">
      <a class="brand" href="/dashboard">${mark(frame)}</a>
      <button type="button" class="menu quiet small" popovertarget="nav">Menu</button>
      ${navigation(frame, 'place' in page ? page.place : page.currentEntry)}
    </header>
    <main id="main" tabindex="-1">
      <p class="hide" role="status" id="news"></p>
      ${page.body} ${support(frame)}
    </main>
  </body>`;
  const refresh =
    page.refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}" /></noscript>`;
  return documentOf(frame, page, html`${script}${refresh}`, body);
}
