import type { Budget } from '../../access/limit/index.js';
import type { ConnectedApp } from '../../access/oauth/index.js';
import {
  buttonLink,
  csrfField,
  day,
  facts,
  headline,
  html,
  moment,
  untrustedText,
  outsideText,
  shellPage,
  until,
  verifiedBadge,
  scopeBadges,
  type Fact,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { activityList, type Activity } from '../activity/activity.view.js';
import { limitsCard, limitsSaved } from '../limits/limits.view.js';
import { paths } from '../paths.js';

export type AppView = Omit<ConnectedApp, 'grantIds'>;

export const lastUse = ({ lastUsedAt }: AppView, frame: ShellFrame): Html | string =>
  lastUsedAt ? moment(lastUsedAt, frame) : 'Not used yet';

export const expiry = ({ endsAt }: AppView, frame: ShellFrame): Html | string => (endsAt ? until(endsAt, frame) : 'When you close the app');

const accessFacts = (app: AppView, frame: ShellFrame): readonly Fact[] => [
  ['Last used', lastUse(app, frame)],
  ['Connected', day(app.allowedAt)],
  ['Expires', expiry(app, frame)],
];

export interface AppModel {
  readonly frame: ShellFrame;
  readonly app: AppView;
  readonly payments: readonly Activity[] | null;
  readonly budget: Budget;
  readonly isSaved: boolean;
}

function paymentsCard({ payments, frame }: AppModel): Html | null {
  if (payments === null) return null;
  const list = payments.length > 0 ? activityList(payments, frame) : html`<p>No payments yet.</p>`;
  return html`<section class="card">
    <h2>Payments by this app</h2>
    ${list}
  </section>`;
}

export function appPage(model: AppModel): Html {
  const { app, frame } = model;
  const spender = { kind: 'app', movesMoney: model.payments !== null, form: paths.appLimits(app.id) } as const;
  const title = html`${untrustedText(app.name)} ${app.verified && verifiedBadge}`;
  const action = buttonLink(paths.disconnectApp(app.id), 'Disconnect', 'quiet');
  const sub = html`<p class="line">${scopeBadges(app.scopes)}</p>`;
  const body = html`${headline({ title, back: { href: paths.apps, label: 'Connected apps' }, sub, action })}
    ${model.isSaved && limitsSaved(spender)}
    <section class="card">
      <h2>Access</h2>
      ${facts([...accessFacts(app, frame), ['Returns you to', untrustedText(app.host)]])}
    </section>
    ${limitsCard(spender, model.budget)} ${paymentsCard(model)}`;
  return shellPage(frame, { title: outsideText(app.name), currentEntry: 'apps', body });
}

export const REVOKE_KEYS = 'revoke-keys';

/** Ticked by default: a person who disconnects an app in alarm must not overlook its keys. Unticking it keeps programs working. */
function keysBox(keys: readonly { readonly name: string }[]): Html | null {
  if (keys.length === 0) return null;
  const title =
    keys.length === 1 ? 'Also revoke the API key it created for you' : `Also revoke the ${keys.length} API keys it created for you`;
  const names = keys.map(({ name }, index) => html`${index > 0 && ', '}${untrustedText(name)}`);
  return html`<label class="scope"
    ><input type="checkbox" name="${REVOKE_KEYS}" value="yes" checked /><span><b>${title}</b><span class="sub">${names}</span></span></label
  >`;
}

interface DisconnectModel {
  readonly keys: readonly { readonly name: string }[];
  readonly hasLimits: boolean;
}

export function disconnectAppPage({ frame, app, keys, hasLimits }: Pick<AppModel, 'frame' | 'app'> & DisconnectModel): Html {
  const body = html`<h1>Disconnect ${untrustedText(app.name)}?</h1>

    <form class="card" method="post" action="${paths.disconnectApp(app.id)}">
      ${csrfField(frame.csrf)}
      <ul class="list">
        <li>It loses all access within a second.</li>
        <li>Payments it sent stay in your history. Payments in progress will still complete.</li>
        <li>You can reconnect from the app.${hasLimits && ' Its spending limits stay, and apply again then.'}</li>
      </ul>
      ${keysBox(keys)}
      <div class="line"><button class="danger">Disconnect</button>${buttonLink(paths.app(app.id), 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: `Disconnect ${outsideText(app.name)}`, currentEntry: 'apps', body });
}

export function appGonePage({ frame }: Pick<AppModel, 'frame'>): Html {
  const body = html`${headline({ title: 'Already disconnected', back: { href: paths.apps, label: 'Connected apps' } })}
    <section class="card">
      <p>This app has no access to your wallet. No action needed.</p>
      <p>${buttonLink(paths.apps, 'Back to connected apps')}</p>
    </section>`;
  return shellPage(frame, { title: 'Already disconnected', currentEntry: 'apps', body });
}
