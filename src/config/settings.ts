import type { Type } from '@nestjs/common';
import { readVariables } from './environment.js';

/** An extension with settings of its own. */
export interface SettingsOwner {
  readonly name: string;
  readonly settings?: Type<object>;
}

/** Settings by their class, frozen; and the problems of all, each with the extension's name. */
export interface Settings {
  readonly settings: ReadonlyMap<Type<object>, object>;
  readonly problems: readonly string[];
}

/** Reads and checks the settings of every extension, as those of Sluice itself are. */
export function readSettings(owners: readonly SettingsOwner[], env: Readonly<Record<string, string | undefined>>): Settings {
  const settings = new Map<Type<object>, object>();
  const problems: string[] = [];
  for (const { name, settings: type } of owners) {
    if (!type) continue;
    const read = readVariables(type, env);
    settings.set(type, Object.freeze(read.values));
    problems.push(...read.problems.map((problem) => `${problem} (extension ${name})`));
  }
  return { settings, problems };
}
