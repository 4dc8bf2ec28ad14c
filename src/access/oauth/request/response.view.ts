import { attributes, cardPage, html, untrustedText, type Frame, type Html } from '../../../edge/page/index.js';
import { hostOf } from '../client/client.js';

interface ResponseModel {
  readonly frame: Frame;
  readonly nonce: string;
  readonly redirectUri: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Posts the response to the app by itself; without a script, the person presses the button. */
export function responsePage({ frame, nonce, redirectUri, parameters }: ResponseModel): Html {
  const host = hostOf(redirectUri);
  const fields = Object.entries(parameters).map(([name, value]) => html`<input ${attributes({ type: 'hidden', name, value })} />`);
  const body = html`<form class="card" method="post" action="${redirectUri}" data-testid="response">
      ${fields}
      <h1>Back to the app</h1>
      <p>You’re returning to <b>${untrustedText(host)}</b>.</p>
      <button>Continue</button>
    </form>
    <script nonce="${nonce}">
      document.forms[0].submit();
    </script>`;
  return cardPage(frame, { title: 'Back to the app', body });
}
