import type { INestApplicationContext } from '@nestjs/common';

/** The operator's arguments, after the command's name. */
export interface Arguments {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** One of the operator's commands. */
export interface Command {
  /** `client register` */
  readonly name: string;
  /** The arguments and options, for the help. */
  readonly usage: string;
  readonly summary: string;
  /** Lines below the summary, in the help of this command and of its group. */
  readonly details?: readonly string[];
  /** The command needs the Lightning node. Without this flag it runs with any back end, and connects to none. */
  readonly usesNode?: true;
  /**
   * @param program the prefix of a command, for messages that name one
   * @throws UsageError, or CommandError, with a sentence
   */
  run(app: INestApplicationContext, args: Arguments, print: (line: string) => void, program?: string): Promise<void>;
}

/** The arguments are not a valid command. */
export class UsageError extends Error {}

/** The command is valid, but cannot be carried out. */
export class CommandError extends Error {}

/** @throws UsageError when the argument at `index` is missing */
export function required({ positionals }: Arguments, index: number, what: string): string {
  const value = positionals[index];
  if (!value) throw new UsageError(`${what} is missing`);
  return value;
}

/** The value of an option; the last one, if it is given several times. */
export function text({ flags }: Arguments, name: string): string | undefined {
  const value = flags[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? last : undefined;
}

/** All values of an option; commas and spaces separate values too. */
export function list({ flags }: Arguments, name: string): string[] {
  const value = flags[name];
  const mentions = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return mentions.flatMap((mention) => (typeof mention === 'string' ? mention.split(/[\s,]+/).filter(Boolean) : []));
}

/** Prints the result of a command: one line of JSON with --json, amounts as strings; else the lines. */
export function answer(args: Arguments, print: (line: string) => void, found: unknown, lines: readonly string[]): void {
  if (!given(args, 'json')) return lines.forEach((line) => void print(line));
  print(JSON.stringify(found, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)));
}

export const given = ({ flags }: Arguments, name: string): boolean => flags[name] !== undefined;
