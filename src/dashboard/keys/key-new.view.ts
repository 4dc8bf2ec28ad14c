import { MAX_KEY_NAME, MAX_KEYS } from '../../access/api-key/index.js';
import { windowLimitField, type BudgetLimits } from '../../access/limit/index.js';
import {
  attributes,
  buttonLink,
  choice,
  csrfField,
  field,
  html,
  moneyLast,
  scopeBox,
  shortName,
  type FormProblem,
  type Option,
  type Html,
  type ShellFrame,
  type ScopeView,
  commandLine,
  facts,
  notice,
  untrustedText,
  outsideText,
  secret,
  scopeBadges,
} from '../../edge/page/index.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';
import { canSend, limitTextsOf } from '../limits/limits.view.js';
import { expiryFact, KEYS, oldSecretFact, type KeyView } from './key.view.js';

const EXPIRIES = [30, 90, 365];

/** Values of the field `expires`: days, or "never". @param maxDays the operator's limit; null: none */
export function expiryOptions(maxDays: number | null): readonly Option[] {
  const days = maxDays === null ? EXPIRIES : [...new Set([...EXPIRIES.filter((each) => each < maxDays), maxDays])];
  const options = days.map((each) => ({
    value: String(each),
    label: each === 365 ? 'In a year' : `In ${each} ${each === 1 ? 'day' : 'days'}`,
  }));
  return maxDays === null ? [...options, { value: 'never', label: 'Never' }] : options;
}

export interface KeyNewModel {
  readonly frame: ShellFrame;
  readonly scopes: readonly ScopeView[];
  /** The longest life that the operator allows; null: any. */
  readonly maxDays: number | null;
  readonly values: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly limit: string;
    readonly window: string;
    readonly expires: string;
  };
  readonly errors: {
    readonly name?: 'missing' | 'malformed' | 'too-many';
    readonly scopes?: 'none';
    readonly limit?: string;
    readonly expires?: 'unknown';
  };
}

export const emptyKeyForm: KeyNewModel['values'] = { name: '', scopes: ['read'], limit: '', window: 'daily', expires: '90' };

const NAME_ERRORS = {
  missing: { text: 'Enter a name.', summary: 'Enter a name' },
  malformed: { text: `Use at most ${MAX_KEY_NAME} visible characters.`, summary: 'This name isn’t allowed' },
  'too-many': {
    text: 'Revoke a key you no longer need first.',
    summary: `You’ve reached the limit of ${MAX_KEYS} keys`,
  },
} as const;
const FIRST_BOX = 'scopes';

const problemsOf = ({ errors }: KeyNewModel): readonly (FormProblem | false)[] => [
  errors.name !== undefined && { field: 'name', text: NAME_ERRORS[errors.name].summary },
  errors.scopes !== undefined && { field: FIRST_BOX, text: 'Choose a permission' },
  errors.limit !== undefined && { field: 'limit', text: `Spending limit: ${errors.limit}` },
  errors.expires !== undefined && { field: 'expires', text: 'Choose an expiry' },
];

function scopeFields({ scopes, values, errors }: KeyNewModel): Html {
  const boxes = moneyLast(scopes).map((scope, index) => {
    const detail = html`<code>${scope.name}</code> · ${scope.consequence}`;
    return scopeBox({
      scope,
      title: shortName(scope),
      detail,
      checked: values.scopes.includes(scope.name),
      id: index === 0 ? FIRST_BOX : undefined,
    });
  });
  const error = errors.scopes && html`<p class="error" id="scopes-error">Choose at least one permission.</p>`;
  return html`<fieldset ${attributes({ 'aria-describedby': errors.scopes && 'scopes-error' })}>
    <legend>Permissions</legend>
    <p class="hint">Permissions are separate: Send doesn’t include Read.</p>
    ${boxes}${error}
  </fieldset>`;
}

const limitField = ({ values, errors }: KeyNewModel): Html =>
  windowLimitField({
    hint: 'The most that a key with Send can spend, fees included. You can change it, and add more limits, at any time.',
    error: errors.limit,
    value: values.limit,
    unit: values.window,
  });

export function keyNewPage(model: KeyNewModel): Html {
  const { frame, values, errors } = model;
  const problems = problemsOf(model);
  const options = expiryOptions(model.maxDays);
  const longest = String(model.maxDays ?? 'never');
  const name = field({
    name: 'name',
    label: 'Name',
    hint: 'For example: Shop checkout',
    error: errors.name && NAME_ERRORS[errors.name].text,
    value: values.name,
    maxlength: MAX_KEY_NAME,
    required: true,
  });
  const content = html`<form class="card" method="post" action="${paths.keys}">
    ${csrfField(frame.csrf)}${name}${scopeFields(model)}${limitField(model)}
    ${choice({ name: 'expires', label: 'Expires', hint: 'The key stops working after this date', options, value: options.some(({ value }) => value === values.expires) ? values.expires : longest })}
    <p class="sub">
      Keep the key in an environment variable or a secrets store, never in code. Roll it regularly, and revoke keys that you don’t use.
    </p>
    <div class="line"><button>Create key</button>${buttonLink(paths.keys, 'Cancel', 'quiet')}</div>
  </form>`;
  return dashboardPage(frame, { title: 'Create an API key', entry: 'keys', back: KEYS, problems }, content);
}

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
  const content = html`<section class="card">
    ${notice(html`<p><b>Copy your key now.</b> You won’t be able to see it again.</p>`)} ${secret('key', value, 'the key')}
    ${facts([['Permissions', html`<span class="line">${scopeBadges(key.scopes)}</span>`], canSend(key.scopes) && ['Spending limit', most.length > 0 ? most : 'None'], expiryFact(key, frame), oldSecretFact(key)])}
    <div class="stack">
      <h2>Try it</h2>
      ${secret('curl', commandLine(curl(apiUrl, value)), 'the command')}
    </div>
    <p>${buttonLink(paths.keys, 'Done')}</p>
  </section>`;
  const title = html`Your new key: ${untrustedText(key.name)}`;
  return dashboardPage(frame, { title, text: 'Key created', entry: 'keys' }, content);
}

export function keyShownPage({ frame, key }: Pick<KeyCreatedModel, 'frame' | 'key'>): Html {
  const content = html`<section class="card">
    <p><b>${untrustedText(key.name)}</b> still works. If you lost the key, roll it to get a new secret, or revoke it.</p>
    <div class="line">
      ${buttonLink(paths.key(key.id), 'Roll this key')}${buttonLink(paths.revokeKey(key.id), 'Revoke this key', 'quiet')}
    </div>
  </section>`;
  const text = `Can’t be shown again: ${outsideText(key.name)}`;
  return dashboardPage(frame, { title: 'This key can’t be shown again', text, entry: 'keys', back: KEYS }, content);
}
