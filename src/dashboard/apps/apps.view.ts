import {
  buttonLink,
  day,
  empty,
  headline,
  html,
  notice,
  untrustedText,
  shellPage,
  table,
  verifiedBadge,
  who,
  type Html,
  type HtmlValue,
  type ShellFrame,
} from '../../page/index.js';
import type { BudgetLimits } from '../../budget/index.js';
import { permissions } from '../limits/limits.view.js';
import { expiry, lastUse, type AppView } from './app.view.js';
import { paths } from '../paths.js';

export interface AppsModel {
  readonly frame: ShellFrame;
  readonly apps: readonly AppView[];
  /** Of those that have one. */
  readonly limits: ReadonlyMap<string, BudgetLimits>;
  /** The app that was just disconnected, for a notice. */
  readonly disconnectedName: string | null;
}

function cells(app: AppView, { frame, limits }: Pick<AppsModel, 'frame' | 'limits'>): readonly HtmlValue[] {
  const name = html`<p class="line"><a href="${paths.app(app.id)}">${untrustedText(app.name)}</a> ${app.verified && verifiedBadge}</p>
    <p class="sub">Connected ${day(app.allowedAt)}</p>`;
  return [
    who(app.name, name),
    permissions(app.scopes, limits.get(app.id)),
    lastUse(app, frame),
    expiry(app, frame),
    buttonLink(paths.disconnectApp(app.id), html`Disconnect<span class="hide"> ${untrustedText(app.name)}</span>`, 'quiet small'),
  ];
}

const none = empty('No connected apps', 'Apps you connect will appear here.');
const gone = (name: string): Html =>
  notice(html`<p><b>${untrustedText(name)}</b> is disconnected. It can no longer use your wallet.</p>`, 'good');

/** `/dashboard/apps`: the connected apps. */
export function appsPage({ frame, apps, limits, disconnectedName }: AppsModel): Html {
  const list =
    apps.length > 0
      ? table({
          caption: 'Connected apps',
          columns: ['App', 'Permissions', 'Last used', 'Expires', ''],
          rows: apps.map((app) => cells(app, { frame, limits })),
        })
      : none;
  const body = html`${headline({ title: 'Connected apps', sub: 'Apps with access to your wallet. Disconnect any of them at any time.' })}
    ${disconnectedName !== null && gone(disconnectedName)}
    <section class="card" aria-label="Apps">${list}</section>`;
  return shellPage(frame, { title: 'Connected apps', currentEntry: 'apps', body });
}
