import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import type { Tx } from '../../platform/database/index.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { OperatorActions } from '../../platform/operator-action/index.js';

/** What a command of Sluice runs in: the application, for a person at a terminal or on the console. */
export interface OperatorContext extends Pick<INestApplicationContext, 'get'> {
  /** The operator who is signed in on the console; at a terminal the operating system knows who it is. */
  readonly who?: string;
  /** A secret that was typed on the console; a terminal asks for it. */
  readonly secret?: string;
}

/** The operator's arguments, after the command's name. */
export interface Arguments {
  readonly positionals: readonly string[];
  /** The given options by their names; a flag is true, an option that can repeat is a list. */
  readonly options: Readonly<Record<string, string | true | readonly string[] | undefined>>;
}

/** The arguments are not a valid command. */
export class UsageError extends Error {}

/** The command is valid, but cannot be carried out. */
export class CommandError extends Error {}

/** Who acts, for the operators' log: the operator on the console, or the operating system's user who runs the command. */
export function operatorName({ who }: Pick<OperatorContext, 'who'> = {}): string {
  return who ?? orNone(() => userInfo().username) ?? `user ${process.getuid?.() ?? 'unknown'}`;
}

const MAX_ID = 2n ** 63n - 1n;

/** Can it be the number of a row? */
export const isRowNumber = (said: string): boolean => /^\d{1,19}$/.test(said) && BigInt(said) <= MAX_ID;

export const MAX_ROWS = 1_000;
const DEFAULT_ROWS = 100;
export const LIMIT_OPTION = { '--limit <rows>': `how many (default ${DEFAULT_ROWS}, at most ${MAX_ROWS})` } as const;

/** What the operator has typed. The form of the command says what must be there, and its parser refuses what is not. */
export class TypedArguments {
  constructor(private readonly typed: Arguments) {}

  /** The first positional argument; '' where an optional one is not there. */
  get argument(): string {
    return this.typed.positionals[0] ?? '';
  }

  get secondArgument(): string {
    return this.typed.positionals[1] ?? '';
  }

  has(option: string): boolean {
    return this.typed.options[option] !== undefined;
  }

  /** The value of an option; the last one, if it is given several times. */
  text(option: string): string | undefined {
    const value = this.typed.options[option];
    return typeof value === 'string' ? value : undefined;
  }

  /** All values of an option that can repeat; commas and spaces separate values too. */
  list(option: string): string[] {
    const value = this.typed.options[option];
    return Array.isArray(value) ? value.flatMap((each: string) => each.split(/[\s,]+/).filter(Boolean)) : [];
  }

  /** Of `--because`; '' where a command does not require it. */
  get because(): string {
    return this.text('because')?.trim() ?? '';
  }

  /** A whole number that an option gives, such as seconds. @throws UsageError unless it is one */
  number(option: string, what: string): number | undefined {
    const said = this.text(option);
    if (said !== undefined && !/^\d{1,9}$/.test(said)) throw new UsageError(`--${option} must be ${what}`);
    return said === undefined ? undefined : Number(said);
  }

  /** Of `--limit`. @throws UsageError unless it is 1 to `MAX_ROWS` */
  get limit(): number {
    const limit = this.number('limit', `1 to ${MAX_ROWS}`) ?? DEFAULT_ROWS;
    if (limit < 1 || limit > MAX_ROWS) throw new UsageError(`--limit must be 1 to ${MAX_ROWS}`);
    return limit;
  }

  /** One of these words; null where the option is not given. @throws UsageError */
  oneOf<Word extends string>(option: string, words: readonly Word[]): Word | null {
    const said = this.text(option);
    const word = words.find((each) => each === said) ?? null;
    if (said !== undefined && word === null) throw new UsageError(`--${option} must be one of: ${words.join(', ')}`);
    return word;
  }

  /** Of `--after`, the id of the last row of the page before; null where it is not given. @throws UsageError unless it is a UUID */
  after(what: string): string | null {
    const after = this.text('after') ?? null;
    if (after !== null && !isUuid(after)) throw new UsageError(`--after must be the id of ${what}`);
    return after;
  }

  /** Of `--expires-in-hours`. */
  hours(byDefault: number): number {
    return this.number('expires-in-hours', 'a whole number of hours') ?? byDefault;
  }

  /** The first positional argument, a UUID. @param list the command that lists them @throws UsageError */
  uuid(what: string, list: string): string {
    if (!isUuid(this.argument)) throw new UsageError(`${what} must be a UUID; "${list}" shows them`);
    return this.argument.toLowerCase();
  }
}

/** One run of a command: what was typed, by whom, and the application that it acts in. */
export class OperatorCall extends TypedArguments {
  readonly get: OperatorContext['get'];
  readonly who: string;
  readonly secret: string | undefined;
  readonly isOnConsole: boolean;

  /** @param program the prefix of a command, for messages that name one */
  constructor(
    private readonly name: string,
    app: OperatorContext,
    args: Arguments,
    readonly program: string,
  ) {
    super(args);
    this.get = app.get.bind(app);
    this.who = operatorName(app);
    this.secret = app.secret;
    this.isOnConsole = app.who !== undefined;
  }

  /** Who runs the command, and why, for what records by itself. */
  get by(): { readonly who: string; readonly because: string } {
    return { who: this.who, because: this.because };
  }

  /** Writes the operators' log in the transaction of a change. */
  recording(details: object = {}): (tx: Tx, subject: string) => Promise<void> {
    return (tx, subject) => this.get(OperatorActions).record(tx, { ...this.by, action: this.name, subject, details });
  }
}
