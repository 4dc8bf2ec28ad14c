import { MANAGE_CALLBACKS, MANAGE_KEYS, type ScopeDefinition } from '../auth/index.js';
import { attributes, html, type Html } from './html.js';
import { badge } from './part.js';

/** A permission as pages show it: an entry of the scope catalogue, so that an extension's scopes look like Sluice's. */
export type ScopeView = Pick<ScopeDefinition, 'name' | 'title' | 'consequence' | 'movesMoney' | 'implicit'>;

const SHORT: ReadonlyMap<string, string> = new Map([
  ['read', 'Read'],
  ['receive', 'Receive'],
  ['write', 'Send'],
  ['offline', 'Offline access'],
  ['offline_access', 'Offline access'],
  ['profile', 'Username'],
  ['email', 'E-mail address'],
  [MANAGE_KEYS.name, 'Manage API keys'],
  [MANAGE_CALLBACKS.name, 'Webhooks'],
]);

/** "Send" for `write`; a scope without a short name keeps its title. */
export const shortName = (scope: ScopeView): string => SHORT.get(scope.name) ?? scope.title;

/** Scopes that a person is asked about; `openid` is no permission over the wallet. */
export const visible = (scopes: readonly ScopeView[]): readonly ScopeView[] => scopes.filter(({ implicit }) => !implicit);

export const scopeBadges = (scopes: readonly ScopeView[]): readonly Html[] =>
  visible(scopes).map((scope) => badge(shortName(scope), scope.movesMoney ? 'money' : undefined));

/** Permission to move money comes last, in whatever order it was requested. */
export const moneyLast = (scopes: readonly ScopeView[]): readonly ScopeView[] => [
  ...scopes.filter(({ movesMoney }) => !movesMoney),
  ...scopes.filter(({ movesMoney }) => movesMoney),
];

const lookOf = ({ movesMoney }: ScopeView): string => (movesMoney ? 'scope money' : 'scope');

export interface ScopeBox {
  readonly scope: ScopeView;
  readonly title: string;
  readonly detail: Html | string;
  readonly checked: boolean;
  /** The target of a link in an error summary. */
  readonly id?: string;
}

export function scopeBox({ scope, title, detail, checked, id }: ScopeBox): Html {
  const box = attributes({ type: 'checkbox', id, name: 'scope', value: scope.name, checked });
  return html`<label class="${lookOf(scope)}"
    ><input ${box} /><span><b>${title}</b><span class="sub">${detail}</span></span></label
  >`;
}

export const scopeLine = (scope: ScopeView): Html =>
  html`<div class="${lookOf(scope)}">
    <span><b>${scope.title}</b><span class="sub">${scope.consequence}</span></span>
  </div>`;
