import { attributes, buttonLink, cardPage, csrfField, html, untrustedText, type Frame, type Html } from '../../../edge/page/index.js';
import { hostOf, type Client } from '../client/client.js';
import { ROUTES } from '../routes.js';
import type { LogoutRequest } from './logout-requests.js';

interface AskModel extends Pick<LogoutRequest, 'redirectUri' | 'sent'> {
  readonly client: Pick<Client, 'name'> | null;
  readonly frame: Frame;
  readonly email: string;
  readonly csrf: string;
}

/** Asks whether an app may sign the person out, because any page can link here. */
export function askLogoutPage({ frame, email, csrf, client, redirectUri, sent }: AskModel): Html {
  const fields = Object.entries(sent).map(([name, value]) => html`<input ${attributes({ type: 'hidden', name, value })} />`);
  const body = html`<form class="card" method="post" action="${ROUTES.logout}" data-testid="logout">
    ${csrfField(csrf)} ${fields}
    <h1>Sign out?</h1>
    ${client && html`<p><b>${untrustedText(client.name)}</b> asks to sign you out of ${frame.brand.name}.</p>`}
    <p>You are signed in as <b>${untrustedText(email)}</b>. API keys and connected apps stay active.</p>
    ${redirectUri !== null && html`<p>Then you return to <b>${untrustedText(hostOf(redirectUri))}</b>.</p>`}
    <div class="line"><button>Sign out</button>${buttonLink('/dashboard', 'Stay signed in', 'quiet')}</div>
  </form>`;
  return cardPage(frame, { title: 'Sign out', body });
}
