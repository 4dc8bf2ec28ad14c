const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup that is safe to print unescaped. Only `html`, `attributes` and `raw` create it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Values of a template. There is no `true`: `condition && html`...`` gives `false` or markup. */
export type HtmlValue = Html | string | number | bigint | false | null | undefined | readonly HtmlValue[];

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function print(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  return Array.isArray(value) ? value.map(print).join('') : escapeHtml(String(value));
}

/**
 * It escapes every value that is not markup, and joins lists; `null`, `undefined` and `false` print nothing. Attributes must be quoted in
 * the template, else escaping cannot protect them.
 */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(String.raw({ raw: strings }, ...values.map(print)));

/** Prints a constant unescaped. Never pass it external input. */
export const raw = (constant: string): Html => new Html(constant);

/** Attributes by name: `true` prints the name alone, `false`, `null` and `undefined` nothing. Names are constants, not escaped. */
export function attributes(values: Readonly<Record<string, string | number | boolean | null | undefined>>): Html {
  const printed = Object.entries(values).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false) return [];
    return [value === true ? name : `${name}="${escapeHtml(String(value))}"`];
  });
  return new Html(printed.join(' '));
}
