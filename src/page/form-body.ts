/** Largest form that is read, in bytes. */
export const FORM_LIMIT_BYTES = 16_384;

/**
 * The fields of an `application/x-www-form-urlencoded` body, as they were sent: flat, every value kept.
 * A field called `__proto__`, `scope[]` or `a.b` is a field of that name and nothing else.
 */
export class Form {
  constructor(readonly values: ReadonlyMap<string, readonly string[]>) {}

  /** A field that must come once: its value, or `''` if it is absent. Of a repeated one nothing is believed: see `repeated`. */
  text(name: string): string {
    const values = this.values.get(name);
    return values?.length === 1 ? (values[0] ?? '') : '';
  }

  /** A field that may come many times, like checkboxes. */
  list(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** Names that came more than once, to be refused where one is meant (RFC 6749 section 3.1). */
  get repeated(): readonly string[] {
    return [...this.values].flatMap(([name, values]) => (values.length > 1 ? [name] : []));
  }

  /** Whether any name or value holds U+0000, which PostgreSQL cannot store: bad input, not a fault of ours. */
  get hasNul(): boolean {
    return [...this.values].some(([name, values]) => [name, ...values].some((text) => text.includes('\0')));
  }
}

/** Reads a form body. Never throws: what is not percent-encoded UTF-8 is kept as the URL standard says. */
export function parseForm(body: string): Form {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return new Form(values);
}
