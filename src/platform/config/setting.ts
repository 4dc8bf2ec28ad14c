import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';

/** All problems of an environment, by the names of its variables, never with their values. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

export type ProcessVariables = Readonly<Record<string, string | undefined>>;

/** A class whose upper-case properties are environment variables; its other properties are constants, which tests may replace. */
export interface SettingsClass<T extends object = object> {
  new (): T;
  readonly title?: string;
}

interface Declaration {
  /** For the operator: `npm run docs` writes it into the tables of variables. */
  readonly meaning: string;
  /** The default in production, where it is not the demo's, which the property has. */
  readonly production?: unknown;
}

const DECLARATIONS = Symbol('settings');

/**
 * Declares a property as a setting of Sluice: an environment variable, with rules (`int()`, `rate()`, …) beside it, or a constant, which is
 * not in the documents.
 */
export const Setting =
  (meaning: string, { production }: { readonly production?: string | number | boolean } = {}): PropertyDecorator =>
  (target, key) => {
    const declared = { ...declarationsOf(target), [key]: production === undefined ? { meaning } : { meaning, production } };
    Reflect.defineMetadata(DECLARATIONS, declared, target);
  };

const declarationsOf = (target: object): Readonly<Record<string, Declaration>> =>
  (Reflect.getMetadata(DECLARATIONS, target) as Record<string, Declaration> | undefined) ?? {};

export const isVariable = (name: string): boolean => /^[A-Z]/.test(name);

export function variablesIn(type: SettingsClass): readonly { name: string; meaning: string; demo: unknown; production: unknown }[] {
  const defaults = new type() as Readonly<Record<string, unknown>>;
  const declared = Object.entries(declarationsOf(type.prototype as object)).filter(([name]) => isVariable(name));
  return declared.map(([name, { meaning, production = defaults[name] }]) => ({
    name,
    meaning,
    demo: defaults[name],
    production,
  }));
}

/** @throws Error for a property that is not declared */
export function meaningOf(type: SettingsClass, name: string): string {
  const declaration = declarationsOf(type.prototype as object)[name];
  if (!declaration) throw new Error(`${type.name} has no setting ${name}`);
  return declaration.meaning;
}

/** What was read, with the problems of each variable alone, and the names of those that have one. */
interface ReadVariables<T> {
  readonly values: T;
  readonly problems: string[];
  readonly wrong: readonly string[];
}

/** Reads and checks each variable alone; an empty one counts as absent. The values of `env` replace the defaults of the mode. */
export function readVariables<T extends object>(type: SettingsClass<T>, env: ProcessVariables): ReadVariables<T> {
  const names = variablesOf(type);
  const unruled = names.filter((name) => !ruledOf(type).includes(name));
  const present = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const values = Object.assign(
    plainToInstance(type, present, { exposeDefaultValues: true }),
    env['SLUICE_MODE'] === 'production' ? productionDefaults(type, present) : {},
  );
  if (unruled.length > 0) return { values, problems: unruled.map((name) => `${name} has no rule of class-validator`), wrong: unruled };
  const errors = validateSync(values);
  const problems = errors.flatMap(({ property, value, constraints }) =>
    value === undefined
      ? [`${property} is missing`]
      : Object.values(constraints ?? {})
          .reverse()
          .slice(0, 1),
  );
  return { values, problems, wrong: errors.map(({ property }) => property) };
}

/** The problems of variables alone, and those of rules between them, without rules that a wrong variable breaks. */
export function withRules({ problems, wrong }: Omit<ReadVariables<object>, 'values'>, rules: () => readonly string[]): string[] {
  try {
    return [...problems, ...rules().filter((broken) => !wrong.some((name) => new RegExp(`\\b${name}\\b`).test(broken)))];
  } catch (error) {
    // A rule may rely on the form of a variable that is wrong.
    if (wrong.length > 0) return problems;
    throw error;
  }
}

function productionDefaults(type: SettingsClass, present: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const declared = Object.entries(declarationsOf(type.prototype as object));
  return Object.fromEntries(
    declared.flatMap(([name, { production }]) => (production === undefined || name in present ? [] : [[name, production]])),
  );
}

/** The names of the variables: upper-case properties with a value, and, because some compilers leave the others out of an instance, those with a rule. */
export function variablesOf(type: SettingsClass): string[] {
  return [...new Set([...Object.keys(new type()), ...ruledOf(type)])].filter(isVariable);
}

const ruledOf = (type: SettingsClass): string[] =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
