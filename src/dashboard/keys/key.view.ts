import type { ApiKeyRow } from '../../access/api-key/index.js';
import type { CallRow } from '../../access/call/index.js';
import type { AskAbove, Budget, BudgetLimits } from '../../access/limit/index.js';
import { MANAGE_CALLBACKS } from '../../edge/auth/index.js';
import {
  badge,
  buttonLink,
  choice,
  csrfField,
  day,
  exact,
  facts,
  html,
  lastUse,
  moment,
  untrustedText,
  outsideText,
  table,
  times,
  until,
  scopeBadges,
  type Fact,
  type Html,
  type HtmlValue,
  type ShellFrame,
  type Option,
  type ScopeView,
  empty,
  notice,
  card,
} from '../../edge/page/index.js';
import { dashboardPage, gonePage, questionPage } from '../layout.js';
import { paths } from '../paths.js';
import { askCard } from '../limits/ask.view.js';
import { canSend, limitsCard, limitsSaved, permissions } from '../limits/limits.view.js';

export const KEYS = { href: paths.keys, label: 'API keys' } as const;

export interface KeyView extends Pick<ApiKeyRow, 'id' | 'name' | 'hint' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'previousUntil'> {
  readonly scopes: readonly ScopeView[];
  readonly ended: { readonly kind: 'expired' | 'revoked'; readonly at: Date } | null;
  /** Its cause is a sentence. */
  readonly lastRefusal: { readonly at: Date; readonly cause: string } | null;
}

export function expiryFact({ ended, expiresAt }: KeyView, frame: ShellFrame): Fact {
  if (ended) return [ended.kind === 'revoked' ? 'Revoked' : 'Expired', day(ended.at)];
  return ['Expires', expiresAt ? until(expiresAt, frame) : 'Never'];
}

export const oldSecretFact = ({ ended, previousUntil }: KeyView): Fact | false =>
  ended === null && previousUntil !== null && ['Old secret works until', exact(previousUntil)];

const keyBadges = ({ scopes, ended }: KeyView): readonly Html[] => [
  ...scopeBadges(scopes),
  ...(ended ? [badge(ended.kind === 'revoked' ? 'Revoked' : 'Expired')] : []),
];

export interface KeyModel {
  readonly frame: ShellFrame;
  readonly key: KeyView;
  /** Their outcomes are codes or sentences. */
  readonly calls: readonly CallRow[];
  readonly budget: Budget;
  readonly ask: AskAbove;
  readonly isSaved: boolean;
  /** The form for a new secret was refused. */
  readonly rollError?: boolean;
}

function callsCard({ calls, frame }: KeyModel): Html {
  const rows = calls.map(({ at, operation, outcome, cost, count }) => [
    html`${moment(at, frame)}${times(count)}`,
    html`<code>${outsideText(operation)}</code>`,
    outcome,
    cost === null ? '–' : String(cost),
  ]);
  const list = table({ caption: 'Recent calls', columns: ['Time', 'Operation', 'Outcome', 'Cost'], rows });
  const sub = 'The latest 100, with causes that your app doesn’t get to see. Limits count a call once for each 2,000 of its cost.';
  return card('Recent calls', calls.length > 0 ? list : html`<p>No calls.</p>`, { sub });
}

const OVERLAPS: readonly Option[] = [
  { value: '0', label: 'Not at all: it stops now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
];

function rollCard({ key, frame, rollError }: KeyModel): Html {
  const error = rollError ? 'Choose how long the old secret works.' : undefined;
  const overlap = choice({ name: 'overlap', label: 'The old secret works for', options: OVERLAPS, value: '86400', error });
  const sub = 'A new secret for this key: its permissions, limits and expiry stay.';
  return card(
    'Roll',
    html`<form class="stack" method="post" action="${paths.rollKey(key.id)}">
      ${csrfField(frame.csrf)}
      ${key.previousUntil !== null && html`<p>An older secret works until ${exact(key.previousUntil)}. Rolling again stops that one now.</p>`}
      ${overlap}
      <button class="quiet">Roll this key</button>
    </form>`,
    { sub },
  );
}

const revokeCard = ({ id }: KeyView): Html =>
  card(
    'Revoke',
    html`<p>It stops working everywhere within a second. This can’t be undone.</p>
      <p>${buttonLink(paths.revokeKey(id), 'Revoke this key', 'quiet')}</p>`,
  );

export function keyPage(model: KeyModel): Html {
  const { key, frame, budget, isSaved } = model;
  const sub = html`<p class="line">${keyBadges(key)}<code>${key.hint}</code></p>`;
  const spender = {
    kind: 'key',
    movesMoney: canSend(key.scopes),
    form: key.ended === null ? paths.keyLimits(key.id) : null,
  } as const;
  const problems = model.rollError ? [{ field: 'overlap', text: 'Choose how long the old secret works' }] : [];
  const use = facts([
    ['Created', exact(key.createdAt)],
    ['Last used', lastUse(key.lastUsedAt, frame)],
    ['Last error', lastError(key, frame)],
    expiryFact(key, frame),
    oldSecretFact(key),
  ]);
  return dashboardPage(frame, { title: untrustedText(key.name), text: outsideText(key.name), entry: 'keys', back: KEYS, sub, problems }, [
    isSaved && limitsSaved(spender),
    card('Details', use),
    limitsCard(spender, budget),
    askCard(spender, model.ask),
    callsCard(model),
    key.ended === null && rollCard(model),
    key.ended === null && revokeCard(key),
  ]);
}

export function revokeKeyPage({ frame, key }: Pick<KeyModel, 'frame' | 'key'>): Html {
  const [title, text] = [html`Revoke ${untrustedText(key.name)}?`, `Revoke ${outsideText(key.name)}`];
  const question = { title, text, entry: 'keys', action: paths.revokeKey(key.id), button: 'Revoke', cancel: paths.key(key.id) } as const;
  const consequences = html`<ul class="list">
    <li>Anything using this key loses access within a second.</li>
    <li>Payments it sent stay in your history. Payments in progress will still complete.</li>
    ${key.scopes.includes(MANAGE_CALLBACKS) && html`<li>Webhook endpoints that it added stay. Delete them under <a href="${paths.webhooks}">Webhooks</a>.</li>`}
    <li>This can’t be undone. You can create a new key at any time.</li>
  </ul>`;
  return questionPage(frame, question, consequences);
}

export function keyGonePage({ frame, key }: Pick<KeyModel, 'frame' | 'key'>): Html {
  const title = key.ended?.kind === 'expired' ? 'Already expired' : 'Already revoked';
  const page = { title, text: `${title}: ${outsideText(key.name)}`, entry: 'keys', back: KEYS } as const;
  return gonePage(frame, page, html`<b>${untrustedText(key.name)}</b> no longer works. No action needed.`, 'Back to API keys');
}

export interface KeysModel {
  readonly frame: ShellFrame;
  readonly inUse: readonly KeyView[];
  readonly limits: ReadonlyMap<string, BudgetLimits>;
  readonly ended: readonly KeyView[];
  readonly revokedName: string | null;
}

function lastError({ lastRefusal }: KeyView, frame: ShellFrame): Html | string {
  if (lastRefusal === null) return 'None';
  return html`${moment(lastRefusal.at, frame)}<br /><span class="error">${lastRefusal.cause}</span>`;
}

function expiry(key: KeyView, frame: ShellFrame): HtmlValue {
  const [term, at] = expiryFact(key, frame);
  return key.ended ? html`${term} ${at}` : at;
}

const cells = (key: KeyView, { frame, limits }: Pick<KeysModel, 'frame' | 'limits'>): readonly HtmlValue[] => [
  html`<a href="${paths.key(key.id)}">${untrustedText(key.name)}</a><br /><code class="sub">${key.hint}</code>`,
  permissions(key.scopes, limits.get(key.id)),
  lastUse(key.lastUsedAt, frame),
  expiry(key, frame),
  lastError(key, frame),
];

const list = (caption: string, keys: readonly KeyView[], model: KeysModel): Html =>
  table({
    caption,
    columns: ['Name', 'Permissions', 'Last used', keys.some(({ ended }) => ended) ? 'Ended' : 'Expires', 'Last error'],
    rows: keys.map((key) => cells(key, model)),
  });

const create = buttonLink(paths.newKey, 'Create a key');
const none = empty(
  'No active keys',
  'Keys let your shop, bot or script use your wallet. You choose the permissions and can revoke them any time.',
  create,
);
const revoked = (name: string): Html => notice(html`<p><b>${untrustedText(name)}</b> is revoked. It no longer works.</p>`, 'good');

export function keysPage(model: KeysModel): Html {
  const { frame, inUse, ended, revokedName } = model;
  const page = {
    title: 'API keys',
    entry: 'keys',
    sub: 'Use keys to connect your own software. Anyone with a key can use its permissions.',
    action: inUse.length > 0 ? create : null,
  } as const;
  return dashboardPage(frame, page, [
    revokedName !== null && revoked(revokedName),
    html`<section class="card" aria-label="Active keys">${inUse.length > 0 ? list('Active keys', inUse, model) : none}</section>`,
    ended.length > 0 && card('Inactive keys', list('Inactive keys', ended, model)),
  ]);
}
