import type { ProcessVariables } from './setting.js';

/** Container platforms set such names for every service that a container can reach, one of which may be called `sluice`. */
const INJECTED = /_SERVICE_HOST$|_PORT$|_PORT_/;
/** Shorter names are too near to those of other programs: HOME is two letters away from HOST. */
const MIN_LENGTH = 8;
const MAX_DISTANCE = 2;

/**
 * A variable whose name is misspelt has no effect, so the server would run with a default that its operator believes to be replaced.
 * @param prefixes those of the extensions, by their names: all that begins with one is an extension's
 * @returns a problem for each variable whose name is nearly that of a setting, or begins as an extension's, and the names of others that seem
 * to be meant for Sluice
 */
export function unknownVariables(
  env: ProcessVariables,
  known: ReadonlySet<string>,
  prefixes: ReadonlyMap<string, string> = new Map(),
): { problems: string[]; unknown: string[] } {
  const [problems, unknown]: [string[], string[]] = [[], []];
  for (const name of Object.keys(env)) {
    if (!env[name] || known.has(name) || INJECTED.test(name)) continue;
    const near = [...known].find((each) => each.length >= MIN_LENGTH && distance(name, each) <= MAX_DISTANCE);
    const [owner] = [...prefixes].find(([, prefix]) => name.startsWith(prefix)) ?? [];
    if (near !== undefined) problems.push(`${name} is no variable of Sluice; is ${near} meant?`);
    else if (owner !== undefined) problems.push(`${name} is no variable of the extension ${owner}`);
    else if (name.startsWith('SLUICE_')) unknown.push(name);
  }
  return { problems, unknown };
}

/** The letters to insert, to delete or to replace that make one text the other (Levenshtein); Infinity where the lengths say that it is too many. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DISTANCE) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, expected] of [...other].entries())
      next.push(Math.min((row[at] ?? 0) + Number(letter !== expected), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}
