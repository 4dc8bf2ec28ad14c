/** The fields of a form as sent: flat, with every value. A field called `__proto__`, `scope[]` or `a.b` is only a field of that name. */
export class Form {
  constructor(readonly values: ReadonlyMap<string, readonly string[]>) {}

  /** A field that must come once: its value, or `''` if it is absent or repeated (see `repeated`). */
  text(name: string): string {
    const values = this.values.get(name);
    return values?.length === 1 ? (values[0] ?? '') : '';
  }

  /** A field that may come many times, like checkboxes. */
  list(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** Names that came more than once, for the caller to refuse (RFC 6749 section 3.1). */
  get repeated(): readonly string[] {
    return [...this.values].flatMap(([name, values]) => (values.length > 1 ? [name] : []));
  }

  /** Whether any name or value contains U+0000, which PostgreSQL cannot store: invalid input, not a server error. */
  get hasNul(): boolean {
    return [...this.values].some(([name, values]) => [name, ...values].some((text) => text.includes('\0')));
  }
}

/** Never throws: text that is not percent-encoded UTF-8 is kept as the URL standard says. */
export function parseForm(body: string): Form {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return new Form(values);
}
