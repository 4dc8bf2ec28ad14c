import {
  buttonLink,
  empty,
  facts,
  headline,
  html,
  notice,
  untrustedText,
  shellPage,
  verifiedBadge,
  who,
  type Html,
  type ShellFrame,
} from '../../page/index.js';
import { accessFacts, type AppView } from './app.view.js';
import { paths } from './paths.js';
import { scopeBadges } from './scope.view.js';

export interface AppsModel {
  readonly frame: ShellFrame;
  readonly apps: readonly AppView[];
  /** The app that was just disconnected, for a notice. */
  readonly disconnectedName: string | null;
}

function item(app: AppView, frame: ShellFrame): Html {
  const head = html`<h2 class="line"><a href="${paths.app(app.id)}">${untrustedText(app.name)}</a> ${app.verified && verifiedBadge}</h2>
    <p class="line">${scopeBadges(app.scopes)}</p>`;
  const end = buttonLink(paths.disconnectApp(app.id), html`Disconnect<span class="hide"> ${untrustedText(app.name)}</span>`, 'quiet small');
  return html`<li class="item">
    <div class="line apart">${who(app.name, head)}${end}</div>
    ${facts(accessFacts(app, frame), true)}
  </li>`;
}

const none = empty('No connected apps', 'Apps you connect will appear here.');
const gone = (name: string): Html =>
  notice(html`<p><b>${untrustedText(name)}</b> is disconnected. It can no longer use your wallet.</p>`, 'good');

/** `/dashboard/apps`: the connected apps. */
export function appsPage({ frame, apps, disconnectedName }: AppsModel): Html {
  const list =
    apps.length > 0
      ? html`<ul class="rows">
          ${apps.map((app) => item(app, frame))}
        </ul>`
      : none;
  const body = html`${headline({ title: 'Connected apps', sub: 'Apps with access to your wallet. Disconnect any of them at any time.' })}
    ${disconnectedName !== null && gone(disconnectedName)}
    <section class="card" aria-label="Apps">${list}</section>`;
  return shellPage(frame, { title: 'Connected apps', place: 'apps', body });
}
