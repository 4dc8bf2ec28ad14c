import type { Type } from '@nestjs/common';
import { Environment } from './environment.js';
import { readVariables, type ProcessVariables, type SettingsClass, Setting, withRules } from './setting.js';
import { int } from './rules.js';

/** A base of settings: payments, and the repeats of their requests, wait equally long. */
export class PaymentWait {
  @Setting('how long a caller waits for the end of a payment; then the answer is `PENDING`')
  @int(1, 300)
  PAYMENT_WAIT_SECONDS = 30;

  get waitMs(): number {
    return this.PAYMENT_WAIT_SECONDS * 1000;
  }
}

export interface SettingsOwner {
  readonly name: string;
  readonly settings?: Type<object>;
}

/** Settings by their class, frozen; and the problems of all, those of an extension with its name. */
export interface Settings {
  readonly settings: ReadonlyMap<Type<object>, object>;
  readonly problems: readonly string[];
}

/** A class of settings may have rules between its variables, and with those of {@link Environment}. */
interface SettingsWithRules {
  problems?(environment: Environment): readonly string[];
}

/** Replaces properties of settings by the name of their class, past the environment: for tests. */
export type SettingsOverrides = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

export function readSettings(
  core: readonly SettingsClass[],
  owners: readonly SettingsOwner[],
  env: ProcessVariables,
  overrides: SettingsOverrides = {},
): Settings {
  const settings = new Map<Type<object>, object>();
  const problems: string[] = [];
  const environment = readVariables(Environment, env).values;
  const read = (type: SettingsClass): readonly string[] => {
    const { values, ...found } = readVariables<SettingsWithRules>(type, env);
    settings.set(type, Object.freeze(Object.assign(values, overrides[type.name])));
    return withRules(found, () => values.problems?.(environment) ?? []);
  };
  for (const type of core) problems.push(...read(type));
  for (const { name, settings: type } of owners) if (type) problems.push(...read(type).map((problem) => `${problem} (extension ${name})`));
  return { settings, problems };
}
