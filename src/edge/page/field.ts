import { attributes, html, type Html } from './html.js';

export interface Field {
  /** Also its `id`, which the error summary links to. */
  readonly name: string;
  readonly label: string;
  readonly hint?: Html | string;
  /** The fault and the remedy. Marks the field as invalid. */
  readonly error?: Html | string | null;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly value?: string;
  /** The browser's autofill. With `off` its Back shows an empty field (HTML 4.10.18.7), so `off` is for what is never typed again. */
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly minlength?: number;
  readonly maxlength?: number;
  readonly inputmode?: 'decimal' | 'numeric';
  readonly autofocus?: boolean;
  /** Several lines of text. */
  readonly rows?: number;
  /** An identifier: no capitals, no spelling correction. */
  readonly verbatim?: boolean;
}

/** The CSRF token of a form. */
export const csrfField = (token: string): Html => html`<input type="hidden" name="csrf" value="${token}" />`;

/**
 * Goes first in a form where Enter must not decide anything: Enter presses the first button, and a disabled one blocks it. Chromium skips
 * it on a checkbox, so a second one submits to a dialog that does not exist (HTML 4.10.22.3).
 */
export const noDefaultButton: Html = html`<button disabled hidden></button><button formmethod="dialog" hidden></button>`;

const hintOf = ({ name, hint }: Pick<Field, 'name' | 'hint'>): Html | false =>
  hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`;
const errorOf = ({ name, error }: Pick<Field, 'name' | 'error'>): Html | false =>
  Boolean(error) && html`<p class="error" id="${name}-error">${error}</p>`;

function description({ name, hint, error }: Pick<Field, 'name' | 'hint' | 'error'>): string | null {
  const ids = [hint !== undefined && `${name}-hint`, Boolean(error) && `${name}-error`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : null;
}

function input(field: Field): Html {
  const { rows, value } = field;
  const shape = attributes({
    id: field.name,
    name: field.name,
    rows,
    type: rows === undefined && (field.type ?? 'text'),
    value: rows === undefined && value,
    inputmode: field.inputmode,
    autocomplete: field.autocomplete ?? 'on',
    autocapitalize: field.verbatim && 'none',
    spellcheck: field.verbatim && 'false',
    minlength: field.minlength,
    maxlength: field.maxlength,
    required: field.required,
    autofocus: field.autofocus,
    'aria-describedby': description(field),
    'aria-invalid': Boolean(field.error) && 'true',
  });
  // The first line break of a textarea is dropped (HTML 13.1.2.5).
  return rows === undefined ? html`<input ${shape} />` : html`<textarea ${shape}>${'\n'}${value}</textarea>`;
}

/** A labelled input: hint above, error below, both read out by screen readers. `beside` is a unit next to the input. */
export function field(spec: Field, beside: Html | null = null): Html {
  const control = beside === null ? input(spec) : html`<div class="amount">${input(spec)}${beside}</div>`;
  return html`<div class="field"><label for="${spec.name}">${spec.label}</label>${hintOf(spec)}${control}${errorOf(spec)}</div>`;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface Choice extends Pick<Field, 'name' | 'hint' | 'label' | 'error'> {
  readonly options: readonly Option[];
  readonly value: string;
}

const option = ({ value, label }: Option, chosen: string): Html =>
  html`<option ${attributes({ value, selected: value === chosen })}>${label}</option>`;

export function choice({ options, value, ...spec }: Choice): Html {
  const { name, label, error } = spec;
  const shape = attributes({ id: name, name, 'aria-describedby': description(spec), 'aria-invalid': Boolean(error) && 'true' });
  const list = options.map((each) => option(each, value));
  return html`<div class="field">
    <label for="${name}">${label}</label>${hintOf(spec)}<select ${shape}>
      ${list}</select
    >${errorOf(spec)}
  </div>`;
}

export interface Amount extends Omit<Field, 'inputmode' | 'type'> {
  readonly units: readonly Option[];
  readonly unit: string;
  /** The field of the units, and its label for screen readers. Default: `unit`, "Currency". */
  readonly unitField?: { readonly name: string; readonly label: string };
}

/** An amount with its unit. Text, not a number field: it accepts thousands separators, and the mouse wheel does not change it. */
export function amountField({ units, unit, unitField = { name: 'unit', label: 'Currency' }, ...spec }: Amount): Html {
  const list = units.map((each) => option(each, unit));
  const beside = html`<select ${attributes({ name: unitField.name, 'aria-label': unitField.label })}>
    ${list}
  </select>`;
  return field({ ...spec, inputmode: 'decimal' }, beside);
}

/** A fault of a form: the `id` of its field, and a short sentence. */
export interface FormProblem {
  readonly field: string;
  readonly text: Html | string;
}

const count = (problems: readonly FormProblem[]): string =>
  problems.length === 1 ? 'Please fix this' : `Please fix ${problems.length} things`;

/** Shown below the heading of a refused form. It gets the focus. */
export function errorSummary(problems: readonly FormProblem[]): Html | null {
  if (problems.length === 0) return null;
  const links = problems.map(({ field: target, text }) => html`<li><a href="#${target}">${text}</a></li>`);
  return alert(
    count(problems),
    html`<ul class="tight">
      ${links}
    </ul>`,
  );
}

export const alert = (title: string, body: Html): Html =>
  html`<div class="notice bad" role="alert" id="errors" tabindex="-1" autofocus>
    <h2>${title}</h2>
    ${body}
  </div>`;
