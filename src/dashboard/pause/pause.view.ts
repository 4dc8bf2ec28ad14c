import type { AccessPauseRow, PauseCause } from '../../access/user/index.js';
import { csrfField, exact, html, notice, type Html, type ShellFrame, card } from '../../edge/page/index.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';

const BY: Readonly<Record<PauseCause, string>> = {
  owner: 'You paused access.',
  operator: 'The operator of this server paused access for all people.',
  identity: 'Access is paused because your organisation removed your account.',
};

const consequences: Html = html`<ul>
  <li>API keys and connected apps are refused within a second, and work again as before when you resume.</li>
  <li>Webhooks wait, and are sent when you resume.</li>
  <li>Payments on their way end as usual. You can send and receive on these pages.</li>
</ul>`;

export function pausePage(frame: ShellFrame, pauses: readonly AccessPauseRow[]): Html {
  const isOwn = pauses.some(({ cause }) => cause === 'owner');
  const notices = pauses.map(({ cause, since }) => notice(html`<p>${BY[cause]} Since ${exact(since)}.</p>`, 'bad'));
  const form = html`${!isOwn && consequences}
    <form method="post" action="${paths.pause}">
      ${csrfField(frame.csrf)}<input type="hidden" name="access" value="${isOwn ? 'resume' : 'pause'}" />
      <button>${isOwn ? 'Resume access' : 'Pause access'}</button>
    </form>`;
  const sub = 'If a key or an app does what you don’t expect, stop all of them first, and look then.';
  return dashboardPage(frame, { title: 'Pause access', entry: 'account' }, [notices, card('API keys, apps and webhooks', form, { sub })]);
}
