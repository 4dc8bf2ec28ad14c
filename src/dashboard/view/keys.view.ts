import {
  buttonLink,
  empty,
  facts,
  headline,
  html,
  moment,
  notice,
  untrustedText,
  shellPage,
  type Fact,
  type Html,
  type ShellFrame,
} from '../../page/index.js';
import { causeSentence, expiryFact, keyBadges, lastUsedFact, type KeyView } from './key.view.js';
import { paths } from './paths.js';

export interface KeysModel {
  readonly frame: ShellFrame;
  readonly inUse: readonly KeyView[];
  readonly ended: readonly KeyView[];
  /** The key that was just revoked, for a notice. */
  readonly revokedName: string | null;
}

function refusalFact({ lastRefusal }: KeyView, frame: ShellFrame): Fact {
  if (lastRefusal === null) return ['Last error', 'None'];
  return ['Last error', html`${moment(lastRefusal.at, frame)}<br /><span class="error">${causeSentence(lastRefusal.cause)}</span>`];
}

function item(key: KeyView, frame: ShellFrame): Html {
  const link = html`<a href="${paths.key(key.id)}">${untrustedText(key.name)}</a>`;
  return html`<li class="item">
    <div class="line apart">
      <div class="line">${key.ended ? html`<h3>${link}</h3>` : html`<h2>${link}</h2>`}${keyBadges(key)}</div>
      <code class="sub">${key.fragment}</code>
    </div>
    ${facts([lastUsedFact(key, frame), expiryFact(key, frame), refusalFact(key, frame)], true)}
  </li>`;
}

const list = (keys: readonly KeyView[], frame: ShellFrame): Html =>
  html`<ul class="rows">
    ${keys.map((key) => item(key, frame))}
  </ul>`;

const create = buttonLink(paths.newKey, 'Create a key');
const none = empty(
  'No active keys',
  'Keys let your shop, bot or script use your wallet. You choose the permissions and can revoke them any time.',
  create,
);
const revoked = (name: string): Html => notice(html`<p><b>${untrustedText(name)}</b> is revoked. It no longer works.</p>`, 'good');

/** `/dashboard/keys`: the API keys, in use and ended. */
export function keysPage(model: KeysModel): Html {
  const { frame, inUse, ended, revokedName } = model;
  const title = {
    title: 'API keys',
    sub: 'Use keys to connect your own software. Anyone with a key can use its permissions.',
    action: inUse.length > 0 ? create : null,
  };
  const over = html`<section class="card">
    <h2>Inactive keys</h2>
    ${list(ended, frame)}
  </section>`;
  const body = html`${headline(title)} ${revokedName !== null && revoked(revokedName)}
    <section class="card" aria-label="Active keys">${inUse.length > 0 ? list(inUse, frame) : none}</section>
    ${ended.length > 0 && over}`;
  return shellPage(frame, { title: 'API keys', place: 'keys', body });
}
