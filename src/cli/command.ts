import type { INestApplicationContext } from '@nestjs/common';

/** What the operator typed, after the command's own words. */
export interface Arguments {
  readonly positionals: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;
}

/** One thing that an operator can do. */
export interface Command {
  /** `client register` */
  readonly name: string;
  /** What follows the name, for the help. */
  readonly usage: string;
  readonly summary: string;
  /** Lines below the summary, in the help of this command and of its group. */
  readonly details?: readonly string[];
  /** It speaks with the Lightning node. Without this the command runs with any back end, and connects to none. */
  readonly usesNode?: true;
  /**
   * @param program what is typed before a command, for sentences that name one
   * @throws UsageError, or Refused, with a sentence
   */
  run(app: INestApplicationContext, args: Arguments, print: (line: string) => void, program?: string): Promise<void>;
}

/** What was typed makes no sense as a command. */
export class UsageError extends Error {}

/** The command was understood, but cannot be carried out. */
export class Refused extends Error {}

/** @throws UsageError when the argument at `index` is missing */
export function required({ positionals }: Arguments, index: number, what: string): string {
  const value = positionals[index];
  if (!value) throw new UsageError(`${what} is missing`);
  return value;
}

/** The text of a flag, of its last mention. */
export function text({ flags }: Arguments, name: string): string | undefined {
  const value = flags[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? last : undefined;
}

/** All mentions of a flag; commas and spaces separate values too. */
export function list({ flags }: Arguments, name: string): string[] {
  const value = flags[name];
  const mentions = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return mentions.flatMap((mention) => (typeof mention === 'string' ? mention.split(/[\s,]+/).filter(Boolean) : []));
}

/** Prints what a command found out: with --json on one line, amounts as text; else the lines for people. */
export function answer(args: Arguments, print: (line: string) => void, found: unknown, lines: readonly string[]): void {
  if (!given(args, 'json')) return lines.forEach((line) => void print(line));
  print(JSON.stringify(found, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)));
}

export const given = ({ flags }: Arguments, name: string): boolean => flags[name] !== undefined;
