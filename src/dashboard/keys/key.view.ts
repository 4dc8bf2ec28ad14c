import type { ApiKeyRefusalRow, ApiKeyRow } from '../../access/api-key/index.js';
import { WINDOW_NAMES, type Budget, type BudgetWindow } from '../../access/limit/index.js';
import {
  badge,
  buttonLink,
  csrfField,
  day,
  exact,
  facts,
  headline,
  html,
  moment,
  untrustedText,
  outsideText,
  shellPage,
  table,
  until,
  scopeBadges,
  shortName,
  type Fact,
  type Html,
  type HtmlValue,
  type ShellFrame,
  type ScopeView,
} from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { canSend, limitsCard, limitsSaved } from '../limits/limits.view.js';

/** Why a call with a key was refused. Only its owner sees it. */
export type RefusalCause =
  | { readonly kind: 'expired' | 'revoked' | 'session-only' }
  /** Any one of these would have sufficed. */
  | { readonly kind: 'scope'; readonly missing: readonly ScopeView[] }
  | { readonly kind: 'limit'; readonly window: BudgetWindow };

export interface KeyRefusal extends Omit<ApiKeyRefusalRow, 'cause'> {
  readonly cause: RefusalCause;
}

export interface KeyView extends Pick<ApiKeyRow, 'id' | 'name' | 'hint' | 'createdAt' | 'lastUsedAt' | 'expiresAt'> {
  readonly scopes: readonly ScopeView[];
  readonly ended: { readonly kind: 'expired' | 'revoked'; readonly at: Date } | null;
  readonly lastRefusal: KeyRefusal | null;
}

const CAUSES: Readonly<Record<Exclude<RefusalCause['kind'], 'scope' | 'limit'>, string>> = {
  expired: 'Expired, but still in use',
  revoked: 'Revoked, but still in use',
  'session-only': 'Requires you to be signed in',
};

/** States what the owner can act on: "Missing permission: Receive or Send". Scopes of removed extensions are left out. */
export function causeSentence(cause: RefusalCause): string {
  if (cause.kind === 'limit') return `Over the limit for ${WINDOW_NAMES[cause.window]}`;
  if (cause.kind !== 'scope') return CAUSES[cause.kind];
  const names = cause.missing.map(shortName).join(' or ');
  return names === '' ? 'Missing permission' : `Missing permission: ${names}`;
}

export function expiryFact({ ended, expiresAt }: KeyView, frame: ShellFrame): Fact {
  if (ended) return [ended.kind === 'revoked' ? 'Revoked' : 'Expired', day(ended.at)];
  return ['Expires', expiresAt ? until(expiresAt, frame) : 'Never'];
}

export const lastUsedFact = ({ lastUsedAt }: Pick<KeyView, 'lastUsedAt'>, frame: ShellFrame): Fact => [
  'Last used',
  lastUsedAt ? moment(lastUsedAt, frame) : 'Not used yet',
];

const keyBadges = ({ scopes, ended }: KeyView): readonly Html[] => [
  ...scopeBadges(scopes),
  ...(ended ? [badge(ended.kind === 'revoked' ? 'Revoked' : 'Expired')] : []),
];

export interface KeyModel {
  readonly frame: ShellFrame;
  readonly key: KeyView;
  readonly refusals: readonly KeyRefusal[];
  readonly budget: Budget;
  readonly isSaved: boolean;
}

const refusalCells = ({ at, cause, operation, address }: KeyRefusal, frame: ShellFrame): readonly HtmlValue[] => [
  moment(at, frame),
  causeSentence(cause),
  operation === null ? '–' : html`<code>${outsideText(operation)}</code>`,
  address ?? '–',
];

function refusalCard({ refusals, frame }: KeyModel): Html {
  const list = table({
    caption: 'Recent errors',
    columns: ['Time', 'Error', 'Request', 'Address'],
    rows: refusals.map((each) => refusalCells(each, frame)),
  });
  return html`<section class="card">
    <div class="tight">
      <h2>Recent errors</h2>
      <p class="sub">Why its requests were refused, with details your app doesn’t get to see.</p>
    </div>
    ${refusals.length > 0 ? list : html`<p>No errors.</p>`}
  </section>`;
}

const revokeCard = ({ id }: KeyView): Html =>
  html`<section class="card">
    <h2>Revoke</h2>
    <p>It stops working everywhere within a second. This can’t be undone.</p>
    <p>${buttonLink(paths.revokeKey(id), 'Revoke this key', 'quiet')}</p>
  </section>`;

export function keyPage(model: KeyModel): Html {
  const { key, frame, budget, isSaved } = model;
  const sub = html`<p class="line">${keyBadges(key)}<code>${key.hint}</code></p>`;
  const spender = {
    kind: 'key',
    movesMoney: canSend(key.scopes),
    form: key.ended === null ? paths.keyLimits(key.id) : null,
  } as const;
  const use = facts([['Created', exact(key.createdAt)], lastUsedFact(key, frame), expiryFact(key, frame)]);
  const body = html`${headline({ title: untrustedText(key.name), back: { href: paths.keys, label: 'API keys' }, sub })}
    ${isSaved && limitsSaved(spender)}
    <section class="card">
      <h2>Details</h2>
      ${use}
    </section>
    ${limitsCard(spender, budget)} ${refusalCard(model)} ${key.ended === null && revokeCard(key)}`;
  return shellPage(frame, { title: outsideText(key.name), currentEntry: 'keys', body });
}

export function revokeKeyPage({ frame, key }: Pick<KeyModel, 'frame' | 'key'>): Html {
  const body = html`<h1>Revoke ${untrustedText(key.name)}?</h1>

    <form class="card" method="post" action="${paths.revokeKey(key.id)}">
      ${csrfField(frame.csrf)}
      <ul class="list">
        <li>Anything using this key loses access within a second.</li>
        <li>Payments it sent stay in your history. Payments in progress will still complete.</li>
        <li>This can’t be undone. You can create a new key at any time.</li>
      </ul>
      <div class="line"><button class="danger">Revoke</button>${buttonLink(paths.key(key.id), 'Cancel', 'quiet')}</div>
    </form>`;
  return shellPage(frame, { title: `Revoke ${outsideText(key.name)}`, currentEntry: 'keys', body });
}

export function keyGonePage({ frame, key }: Pick<KeyModel, 'frame' | 'key'>): Html {
  const title = key.ended?.kind === 'expired' ? 'Already expired' : 'Already revoked';
  const body = html`${headline({ title, back: { href: paths.keys, label: 'API keys' } })}
    <section class="card">
      <p><b>${untrustedText(key.name)}</b> no longer works. No action needed.</p>
      <p>${buttonLink(paths.keys, 'Back to API keys')}</p>
    </section>`;
  return shellPage(frame, { title: `${title}: ${outsideText(key.name)}`, currentEntry: 'keys', body });
}
