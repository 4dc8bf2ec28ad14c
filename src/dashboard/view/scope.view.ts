import { MANAGE_KEYS, type ScopeDefinition } from '../../auth/index.js';
import { attributes, badge, html, type Html } from '../../page/index.js';

/** A permission as pages show it: an entry of the scope catalogue, so that an extension's scopes look like ours. */
export type ScopeView = Pick<ScopeDefinition, 'name' | 'title' | 'consequence' | 'movesMoney' | 'implicit'>;

/** Short names for where a permission is only listed. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['read', 'Read'],
  ['receive', 'Receive'],
  ['write', 'Send money'],
  ['offline', 'Stay connected'],
  ['offline_access', 'Stay connected'],
  [MANAGE_KEYS.name, 'Manage API keys'],
]);

/** "Send money" for `write`; a scope that we have no short name for keeps its title. */
export const shortName = (scope: ScopeView): string => SHORT.get(scope.name) ?? scope.title;

/** Scopes that a person is asked about; `openid` is no permission over the wallet. */
export const visible = (scopes: readonly ScopeView[]): readonly ScopeView[] => scopes.filter(({ implicit }) => !implicit);

/** What somebody may do, as a row of badges. */
export const scopeBadges = (scopes: readonly ScopeView[]): readonly Html[] =>
  visible(scopes).map((scope) => badge(shortName(scope), scope.movesMoney ? 'money' : undefined));

/** Permission to move money comes last, however it was asked. */
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
  /** Where an error summary can lead. */
  readonly id?: string;
}

/** A permission to be chosen: the whole row is the label of its box. */
export function scopeBox({ scope, title, detail, checked, id }: ScopeBox): Html {
  const box = attributes({ type: 'checkbox', id, name: 'scope', value: scope.name, checked });
  return html`<label class="${lookOf(scope)}"
    ><input ${box} /><span><b>${title}</b><span class="sub">${detail}</span></span></label
  >`;
}

/** A permission without a choice. */
export const scopeLine = (scope: ScopeView): Html =>
  html`<div class="${lookOf(scope)}">
    <span><b>${scope.title}</b><span class="sub">${scope.consequence}</span></span>
  </div>`;
