import type { AskAbove, Budget, BudgetLimits } from '../../access/limit/index.js';
import { isDocumentUrl, type ConnectedApp, type EndedApp, type EndedBecause } from '../../access/oauth/index.js';
import {
  buttonLink,
  day,
  facts,
  html,
  lastUse,
  moment,
  untrustedText,
  outsideText,
  until,
  verifiedBadge,
  scopeBadges,
  type Fact,
  type Html,
  type ShellFrame,
  empty,
  notice,
  table,
  who,
  type HtmlValue,
  card,
} from '../../edge/page/index.js';
import { activityList, type Activity } from '../activity/activity.view.js';
import { askCard } from '../limits/ask.view.js';
import { limitsCard, limitsSaved, permissions } from '../limits/limits.view.js';
import { dashboardPage, gonePage, questionPage } from '../layout.js';
import { paths } from '../paths.js';

const APPS = { href: paths.apps, label: 'Connected apps' } as const;

export type AppView = Omit<ConnectedApp, 'grantIds'>;

export const expiry = ({ endsAt }: AppView, frame: ShellFrame): Html | string => (endsAt ? until(endsAt, frame) : 'When you close the app');

const accessFacts = (app: AppView, frame: ShellFrame): readonly (Fact | false)[] => [
  ['Last used', lastUse(app.lastUsedAt, frame)],
  ['Connected', day(app.allowedAt)],
  ['Expires', expiry(app, frame)],
  ['Returns you to', untrustedText(app.host)],
  // Several apps can have one name and one domain.
  isDocumentUrl(app.id) && ['Describes itself at', html`<code>${untrustedText(app.id, app.id.length)}</code>`],
];

export interface AppModel {
  readonly frame: ShellFrame;
  readonly app: AppView;
  readonly payments: readonly Activity[] | null;
  readonly budget: Budget;
  readonly ask: AskAbove;
  readonly isSaved: boolean;
}

function paymentsCard({ payments, frame }: AppModel): Html | null {
  if (payments === null) return null;
  return card('Payments by this app', payments.length > 0 ? activityList(payments, frame) : html`<p>No payments yet.</p>`);
}

export function appPage(model: AppModel): Html {
  const { app, frame } = model;
  const spender = { kind: 'app', movesMoney: model.payments !== null, form: paths.appLimits(app.id) } as const;
  const page = {
    title: html`${untrustedText(app.name)} ${app.verified && verifiedBadge}`,
    text: outsideText(app.name),
    entry: 'apps',
    back: APPS,
    sub: html`<p class="line">${scopeBadges(app.scopes)}</p>`,
    action: buttonLink(paths.disconnectApp(app.id), 'Disconnect', 'quiet'),
  } as const;
  return dashboardPage(frame, page, [
    model.isSaved && limitsSaved(spender),
    card('Access', facts(accessFacts(app, frame))),
    limitsCard(spender, model.budget),
    askCard(spender, model.ask),
    paymentsCard(model),
  ]);
}

export const REVOKE_KEYS = 'revoke-keys';

interface NamedKey {
  readonly name: string;
}

const namesOf = (keys: readonly NamedKey[]): Html[] => keys.map(({ name }, index) => html`${index > 0 && ', '}${untrustedText(name)}`);

/** Ticked by default: a person who disconnects an app in alarm must not overlook its keys. Unticking it keeps programs working. */
function keysBox(keys: readonly NamedKey[]): Html | null {
  if (keys.length === 0) return null;
  const title =
    keys.length === 1 ? 'Also revoke the API key it created for you' : `Also revoke the ${keys.length} API keys it created for you`;
  return html`<label class="scope"
    ><input type="checkbox" name="${REVOKE_KEYS}" value="yes" checked /><span
      ><b>${title}</b><span class="sub">${namesOf(keys)}</span></span
    ></label
  >`;
}

interface DisconnectModel {
  readonly keys: readonly NamedKey[];
  readonly hasLimits: boolean;
}

export function disconnectAppPage({ frame, app, keys, hasLimits }: Pick<AppModel, 'frame' | 'app'> & DisconnectModel): Html {
  const [title, text] = [html`Disconnect ${untrustedText(app.name)}?`, `Disconnect ${outsideText(app.name)}`];
  const question = {
    title,
    text,
    entry: 'apps',
    action: paths.disconnectApp(app.id),
    button: 'Disconnect',
    cancel: paths.app(app.id),
  } as const;
  const consequences = html`<ul class="list">
      <li>It loses all access within a second.</li>
      <li>Payments it sent stay in your history. Payments in progress will still complete.</li>
      <li>You can reconnect from the app.${hasLimits && ' Its spending limits stay, and apply again then.'}</li>
    </ul>
    ${keysBox(keys)}`;
  return questionPage(frame, question, consequences);
}

export function appGonePage({ frame }: Pick<AppModel, 'frame'>): Html {
  const what = html`This app has no access to your wallet. No action needed.`;
  return gonePage(frame, { title: 'Already disconnected', entry: 'apps', back: APPS }, what, 'Back to connected apps');
}

interface EndedAppView extends EndedApp {
  /** That the app created: those that ended with it by suspicion, or those that still work. */
  readonly keys: readonly NamedKey[];
}

export interface AppsModel {
  readonly frame: ShellFrame;
  readonly apps: readonly AppView[];
  readonly ended: readonly EndedAppView[];
  readonly limits: ReadonlyMap<string, BudgetLimits>;
  readonly disconnectedName: string | null;
}

function cells(app: AppView, { frame, limits }: Pick<AppsModel, 'frame' | 'limits'>): readonly HtmlValue[] {
  const name = html`<p class="line"><a href="${paths.app(app.id)}">${untrustedText(app.name)}</a> ${app.verified && verifiedBadge}</p>
    <p class="sub">Connected ${day(app.allowedAt)}</p>`;
  return [
    who(app.name, name),
    permissions(app.scopes, limits.get(app.id)),
    lastUse(app.lastUsedAt, frame),
    expiry(app, frame),
    buttonLink(paths.disconnectApp(app.id), html`Disconnect<span class="hide"> ${untrustedText(app.name)}</span>`, 'quiet small'),
  ];
}

const SECOND_HOLDER = 'so others may have a copy. Connect the app again only if you trust it.';
const CAUSES: Readonly<Record<EndedBecause, string>> = {
  'authorization code used again': `Disconnected for your safety: its sign-in code was used twice, ${SECOND_HOLDER}`,
  'refresh token used again': `Disconnected for your safety: a token that it had replaced was used again, ${SECOND_HOLDER}`,
  'reported as leaked': `Disconnected for your safety: one of its tokens was found in public, ${SECOND_HOLDER}`,
  'removed by the organisation': 'Your organisation removed your account.',
  'password changed': 'Your password was changed, which disconnects all apps.',
  'revoked by the app': 'The app disconnected itself.',
};

function reasonOf({ because, isSuspicion, keys }: EndedAppView): Html {
  const what = isSuspicion ? 'The API keys it created are revoked too' : 'The API keys it created still work';
  return html`${CAUSES[because]}${keys.length > 0 && html` ${what}: ${namesOf(keys)}`}`;
}

const endedCard = ({ ended, frame }: AppsModel): Html =>
  card(
    'Recently disconnected',
    table({
      caption: 'Recently disconnected',
      columns: ['App', 'Ended', 'Reason'],
      rows: ended.map((app) => [who(app.name, untrustedText(app.name)), moment(app.endedAt, frame), reasonOf(app)]),
    }),
  );

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
  const sub = 'Apps with access to your wallet. Disconnect any of them at any time.';
  return dashboardPage(frame, { title: 'Connected apps', entry: 'apps', sub }, [
    disconnectedName !== null && gone(disconnectedName),
    html`<section class="card" aria-label="Apps">${list}</section>`,
    ended.length > 0 && endedCard(model),
  ]);
}
