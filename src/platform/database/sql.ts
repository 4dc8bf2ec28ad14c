import { createHash } from 'node:crypto';

/** A prepared statement with parameters `$1`, `$2` ...: planned once per connection. {@link sql} makes it and names it. */
export class Statement {
  /** Makes the type nominal: only {@link sql} and {@link mayTakeLong} make statements. */
  declare protected readonly isStatement: true;

  constructor(
    readonly name: string,
    readonly text: string,
    /** It may read too much, or wait too long for a lock or a queue, for any timeout to be right. */
    readonly mayTakeLong = false,
  ) {
    Object.freeze(this);
  }
}

/** A part of a statement: source code, or names from an entity's metadata. It never holds a value from outside, because those are parameters. */
export class Fragment {
  /** Makes the type nominal: only {@link fragment} and `Columns` make fragments. */
  protected readonly isFragment = true;

  constructor(readonly text: string) {}
}

/** A statement may contain fragments, and numbers that are constants of the program. */
export type Part = Fragment | number;

interface Made {
  readonly parts: readonly Part[];
  readonly statement: Statement;
}

/** By the call site: a tag that is called again gets the same strings. */
const made = new WeakMap<TemplateStringsArray, Made>();
/** Bytes of the hash in a name: 128 bits do not collide, and PostgreSQL would cut names at 63 characters. */
const HASH_BYTES = 16;

/**
 * A statement, named by the hash of its text: the name is the same in every process, and no other text has it. The hash is computed once
 * for each call site and its parts.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Statement {
  const known = made.get(strings);
  if (known?.parts.every((part, index) => part === parts[index])) return known.statement;
  const text = joined(strings, parts);
  const name = createHash('sha256').update(text).digest().subarray(0, HASH_BYTES).toString('base64url');
  const statement = new Statement(name, text);
  made.set(strings, { parts, statement });
  return statement;
}

/** A part of statements that several share. */
export const fragment = (strings: TemplateStringsArray, ...parts: readonly Part[]): Fragment => new Fragment(joined(strings, parts));

/** The statement without any timeout, in a transaction of its own if it is in none. */
export const mayTakeLong = ({ name, text }: Statement): Statement => new Statement(name, text, true);

function joined(strings: TemplateStringsArray, parts: readonly Part[]): string {
  return strings.reduce((text, string, index) => text + textOf(parts[index - 1]) + string);
}

/** @throws Error for anything else, where the compiler was bypassed: a text from outside must never be part of a statement */
function textOf(part: unknown): string {
  if (part instanceof Fragment) return part.text;
  if (Number.isSafeInteger(part)) return String(part);
  throw new Error('A statement is made of fragments and whole numbers; values are its parameters');
}
