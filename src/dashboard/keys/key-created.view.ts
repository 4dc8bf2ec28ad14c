import type { BudgetLimits } from '../../access/limit/index.js';
import {
  buttonLink,
  commandLine,
  facts,
  headline,
  html,
  notice,
  untrustedText,
  outsideText,
  secret,
  shellPage,
  scopeBadges,
  type Html,
  type ShellFrame,
} from '../../edge/page/index.js';
import { canSend, limitTextsOf } from '../limits/limits.view.js';
import { expiryFact, type KeyView } from './key.view.js';
import { paths } from '../paths.js';

export interface KeyCreatedModel {
  readonly frame: ShellFrame;
  readonly key: KeyView;
  readonly limits: BudgetLimits | undefined;
  readonly secret: string;
  readonly apiUrl: string;
}

/** Works when pasted: it queries the key's scopes, which every key may do. */
const curl = (apiUrl: string, key: string): string =>
  `curl ${apiUrl}/graphql -H 'X-API-KEY: ${key}' -H 'content-type: application/json' -d '{"query":"{ authorization { scopes } }"}'`;

export function keyCreatedPage({ frame, key, limits, secret: value, apiUrl }: KeyCreatedModel): Html {
  const most = limitTextsOf(limits);
  const body = html`${headline({ title: html`Your new key: ${untrustedText(key.name)}` })}
    <section class="card">
      ${notice(html`<p><b>Copy your key now.</b> You won’t be able to see it again.</p>`)} ${secret('key', value, 'the key')}
      ${facts([['Permissions', html`<span class="line">${scopeBadges(key.scopes)}</span>`], canSend(key.scopes) && ['Spending limit', most.length > 0 ? most : 'None'], expiryFact(key, frame)])}
      <div class="stack">
        <h2>Try it</h2>
        ${secret('curl', commandLine(curl(apiUrl, value)), 'the command')}
      </div>
      <p>${buttonLink(paths.keys, 'Done')}</p>
    </section>`;
  return shellPage(frame, { title: 'Key created', currentEntry: 'keys', body });
}

export function keyShownPage({ frame, key }: Pick<KeyCreatedModel, 'frame' | 'key'>): Html {
  const body = html`${headline({ title: 'This key can’t be shown again', back: { href: paths.keys, label: 'API keys' } })}
    <section class="card">
      <p><b>${untrustedText(key.name)}</b> still works. If you lost the key, revoke it and create a new one.</p>
      <div class="line">
        ${buttonLink(paths.newKey, 'Create a new key')}${buttonLink(paths.revokeKey(key.id), 'Revoke this key', 'quiet')}
      </div>
    </section>`;
  return shellPage(frame, { title: `Can’t be shown again: ${outsideText(key.name)}`, currentEntry: 'keys', body });
}
