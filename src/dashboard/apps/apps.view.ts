import {
  buttonLink,
  day,
  empty,
  headline,
  html,
  moment,
  notice,
  untrustedText,
  shellPage,
  table,
  verifiedBadge,
  who,
  type Html,
  type HtmlValue,
  type ShellFrame,
} from '../../edge/page/index.js';
import type { BudgetLimits } from '../../access/limit/index.js';
import type { EndedApp, EndedBecause } from '../../access/oauth/index.js';
import { permissions } from '../limits/limits.view.js';
import { expiry, lastUse, type AppView } from './app.view.js';
import { paths } from '../paths.js';

export interface AppsModel {
  readonly frame: ShellFrame;
  readonly apps: readonly AppView[];
  readonly ended: readonly EndedApp[];
  readonly limits: ReadonlyMap<string, BudgetLimits>;
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

const SECOND_HOLDER = 'so others may have a copy. Connect the app again only if you trust it.';
const CAUSES: Readonly<Record<EndedBecause, string>> = {
  'authorization code used again': `Disconnected for your safety: its sign-in code was used twice, ${SECOND_HOLDER}`,
  'refresh token used again': `Disconnected for your safety: a token that it had replaced was used again, ${SECOND_HOLDER}`,
  'password changed': 'Your password was changed, which disconnects all apps.',
  'revoked by the app': 'The app disconnected itself.',
};

const endedCard = ({ ended, frame }: AppsModel): Html =>
  html`<section class="card">
    <h2>Recently disconnected</h2>
    ${table({
      caption: 'Recently disconnected',
      columns: ['App', 'Ended', 'Reason'],
      rows: ended.map(({ name, endedAt, because }) => [who(name, untrustedText(name)), moment(endedAt, frame), CAUSES[because]]),
    })}
  </section>`;

const none = empty('No connected apps', 'Apps you connect will appear here.');
const gone = (name: string): Html =>
  notice(html`<p><b>${untrustedText(name)}</b> is disconnected. It can no longer use your wallet.</p>`, 'good');

export function appsPage(model: AppsModel): Html {
  const { frame, apps, ended, limits, disconnectedName } = model;
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
    <section class="card" aria-label="Apps">${list}</section>
    ${ended.length > 0 && endedCard(model)}`;
  return shellPage(frame, { title: 'Connected apps', currentEntry: 'apps', body });
}
