import { buttonLink, csrfField, html, untrustedText, shellPage, type Html, type ShellFrame } from '../../page/index.js';
import { HOME, paths } from '../paths.js';

/** `GET /logout`: asks for confirmation, because a link alone must not sign a person out. */
export function logoutPage({ frame }: { readonly frame: ShellFrame }): Html {
  const body = html`<h1>Sign out?</h1>
    <form class="card" method="post" action="${paths.logout}">
      ${csrfField(frame.csrf)}
      <p>You are signed in as <b>${untrustedText(frame.email)}</b>. API keys and connected apps stay active.</p>
      <div class="line"><button>Sign out</button>${buttonLink(HOME, 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: 'Sign out', currentEntry: null, body });
}
