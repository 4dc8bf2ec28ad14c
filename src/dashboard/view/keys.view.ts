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
  if (lastRefusal === null) return ['Last refused', 'Never'];
  return ['Last refused', html`${moment(lastRefusal.at, frame)}<br /><span class="error">${causeSentence(lastRefusal.cause)}</span>`];
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
  'No keys in use',
  'A key lets a program of yours in: a shop, a bot, a script. You choose what it may do, and end it when you like.',
  create,
);
const revoked = (name: string): Html => notice(html`<p><b>${untrustedText(name)}</b> is revoked. It does not work any more.</p>`, 'good');

/** `/dashboard/keys`: the API keys, in use and ended. */
export function keysPage(model: KeysModel): Html {
  const { frame, inUse, ended, revokedName } = model;
  const title = {
    title: 'API keys',
    sub: 'For programs of your own. Anyone who holds a key can do everything it allows.',
    action: inUse.length > 0 ? create : null,
  };
  const over = html`<section class="card">
    <h2>Ended</h2>
    ${list(ended, frame)}
  </section>`;
  const body = html`${headline(title)} ${revokedName !== null && revoked(revokedName)}
    <section class="card" aria-label="Keys in use">${inUse.length > 0 ? list(inUse, frame) : none}</section>
    ${ended.length > 0 && over}`;
  return shellPage(frame, { title: 'API keys', place: 'keys', body });
}
