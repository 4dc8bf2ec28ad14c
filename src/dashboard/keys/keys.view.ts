import type { BudgetLimits } from '../../access/limit/index.js';
import {
  buttonLink,
  empty,
  headline,
  html,
  moment,
  notice,
  untrustedText,
  shellPage,
  table,
  type Html,
  type HtmlValue,
  type ShellFrame,
} from '../../edge/page/index.js';
import { causeSentence, expiryFact, lastUsedFact, type KeyView } from './key.view.js';
import { permissions } from '../limits/limits.view.js';
import { paths } from '../paths.js';

export interface KeysModel {
  readonly frame: ShellFrame;
  readonly inUse: readonly KeyView[];
  readonly limits: ReadonlyMap<string, BudgetLimits>;
  readonly ended: readonly KeyView[];
  readonly revokedName: string | null;
}

function lastError({ lastRefusal }: KeyView, frame: ShellFrame): Html | string {
  if (lastRefusal === null) return 'None';
  return html`${moment(lastRefusal.at, frame)}<br /><span class="error">${causeSentence(lastRefusal.cause)}</span>`;
}

function expiry(key: KeyView, frame: ShellFrame): HtmlValue {
  const [term, at] = expiryFact(key, frame);
  return key.ended ? html`${term} ${at}` : at;
}

const cells = (key: KeyView, { frame, limits }: Pick<KeysModel, 'frame' | 'limits'>): readonly HtmlValue[] => [
  html`<a href="${paths.key(key.id)}">${untrustedText(key.name)}</a><br /><code class="sub">${key.hint}</code>`,
  permissions(key.scopes, limits.get(key.id)),
  lastUsedFact(key, frame)[1],
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
  const title = {
    title: 'API keys',
    sub: 'Use keys to connect your own software. Anyone with a key can use its permissions.',
    action: inUse.length > 0 ? create : null,
  };
  const over = html`<section class="card">
    <h2>Inactive keys</h2>
    ${list('Inactive keys', ended, model)}
  </section>`;
  const body = html`${headline(title)} ${revokedName !== null && revoked(revokedName)}
    <section class="card" aria-label="Active keys">${inUse.length > 0 ? list('Active keys', inUse, model) : none}</section>
    ${ended.length > 0 && over}`;
  return shellPage(frame, { title: 'API keys', currentEntry: 'keys', body });
}
