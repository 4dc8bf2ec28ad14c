import type { KeptMail } from '../../edge/mail/index.js';
import { cardPage, empty, html, raw, untrustedText, type Frame, type Html } from '../../edge/page/index.js';

export function demoMailPage(frame: Frame, messages: readonly KeptMail[]): Html {
  const list = messages.map(
    ({ at, to, subject, html: body }) =>
      html`<div class="card">
        <h2>${untrustedText(subject, 200)}</h2>
        <p class="sub">To ${untrustedText(to, 200)}, ${at.slice(0, 19).replace('T', ' ')} UTC</p>
        ${raw(body)}
      </div>`,
  );
  const none = empty('No mail yet', 'Messages of this demo appear here. They are written to the data folder, and go to no one.');
  const body = html`<h1>Mail of this demo</h1>
    ${list.length > 0 ? list : none}`;
  return cardPage(frame, { title: 'Mail of this demo', body });
}
