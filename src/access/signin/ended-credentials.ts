import { attributes, html, type Html } from '../../edge/page/index.js';
import type { ApiKeyService } from '../api-key/index.js';
import type { PasswordChangeWork } from '../user/index.js';

/** What may end with an old password. */
export const ENDED: readonly string[] = ['keys', 'apps'];

/** @param detail below the line, for example names */
export function endBox(value: 'keys' | 'apps', isTicked: boolean, title: string, detail: Html | string): Html {
  const box = attributes({ type: 'checkbox', name: 'end', value, checked: isTicked });
  return html`<label class="scope"
    ><input ${box} /><span><b>${title}</b><span class="sub">${detail}</span></span></label
  >`;
}

/** Of what the person has chosen, the keys: in the transaction of the new password. */
export const endingKeys =
  (keys: ApiKeyService, ended: readonly string[]): PasswordChangeWork =>
  async (tx, userId) => {
    if (ended.includes('keys')) await keys.revokeChosen({ userId }, tx);
  };
