import type { DynamicModule, Type } from '@nestjs/common';
import { CORE_SERVICES, CoreModule } from './core-module.js';

/** What errors of an extension's classes are named after. */
export interface NamedModule {
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly entities?: readonly Type[];
}

type Listed = 'imports' | 'providers' | 'controllers';
interface Reference extends Partial<Record<Listed, readonly unknown[]>> {
  readonly module?: Type;
  readonly forwardRef?: () => unknown;
}

/** A module and all that it imports, with their providers and controllers, as far as they are known before instantiation. */
export function* partsOf(reference: unknown, seen = new Set<unknown>([CoreModule])): Generator<unknown> {
  const { forwardRef, ...dynamic } = (typeof reference === 'function' ? { module: reference } : (reference ?? {})) as Reference;
  if (forwardRef) yield* partsOf(forwardRef(), seen);
  const { module } = dynamic;
  if (!module || seen.has(reference)) return;
  seen.add(reference);
  const listed = (what: Listed): unknown[] => [
    ...((Reflect.getMetadata(what, module) as unknown[] | undefined) ?? []),
    ...(dynamic[what] ?? []),
  ];
  yield module;
  yield* listed('providers');
  yield* listed('controllers');
  for (const imported of listed('imports')) yield* partsOf(imported, seen);
}

/** Wrapped factories, with the class of the instance that each made last. */
const watchedFactories = new WeakMap<object, { made?: Type | undefined }>();
/** What threw an error: a factory, or the class of a hook. Neither the error's text nor its stack need name it. */
const thrownBy = new WeakMap<Error, unknown>();

function noted(error: unknown, culprit: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(String(error));
  thrownBy.set(thrown, culprit);
  return thrown;
}

/** Notes which factory throws an error; a frozen provider stays unwrapped. */
export function watchFactory(part: unknown): void {
  const { useFactory: make } = part as { useFactory?: (...given: unknown[]) => unknown };
  if (typeof make !== 'function' || watchedFactories.has(make)) return;
  const facts: { made?: Type | undefined } = {};
  const useFactory = async (...given: unknown[]): Promise<unknown> => {
    try {
      const made = await make(...given);
      facts.made = (made as object | null | undefined)?.constructor as Type | undefined;
      return made;
    } catch (error) {
      throw noted(error, useFactory);
    }
  };
  if (Reflect.set(part as object, 'useFactory', useFactory)) watchedFactories.set(useFactory, facts);
}

const HOOKS = ['onModuleInit', 'onApplicationBootstrap'] as const;
type Hooked = Partial<Record<(typeof HOOKS)[number], () => unknown>>;

/** A decorator of Nest's instances, which notes the class of an extension whose hook throws an error. */
export function watchHooks(extensions: readonly NamedModule[] = []): <T>(instance: T) => T {
  const owners = new Set(extensions.flatMap(({ module }) => [...partsOf(module)].map(classOf)));
  for (const shared of [undefined, Object as Type]) owners.delete(shared);
  return (instance) => {
    const owner = (instance as object | null | undefined)?.constructor as Type | undefined;
    if (owners.has(owner)) for (const hook of HOOKS) watchHook(instance as Hooked, hook, owner);
    return instance;
  };
}

function watchHook(instance: Hooked, hook: (typeof HOOKS)[number], owner: unknown): void {
  const run = instance[hook];
  if (typeof run !== 'function') return;
  const value = async (): Promise<void> => {
    try {
      await run.call(instance);
    } catch (error) {
      throw noted(error, owner);
    }
  };
  Reflect.defineProperty(instance, hook, { value, configurable: true, writable: true });
}

/**
 * Adds the extension's name to the error of a start that failed in one of its classes, or the names of all that share the failing class.
 * Returns any other error unchanged, and one that names an extension.
 * @param error the error of the start
 */
export function namingExtension(error: unknown, extensions: readonly NamedModule[] = []): unknown {
  if (!(error instanceof Error)) return error;
  const culprit = thrownBy.get(error);
  if (culprit === undefined && extensions.some(({ name }) => error.message.includes(`xtension ${name}`))) return error;
  const text = `${error.message}\n${error.stack ?? ''}`;
  const isNamed = (part: unknown): boolean => {
    const { useFactory } = part as { useFactory?: object };
    if (culprit !== undefined) return culprit === useFactory || culprit === classOf(part);
    const made = watchedFactories.get(useFactory ?? (part as object))?.made;
    return [classOf(part), made].some(
      (owner) => owner && owner !== Object && owner.name !== '' && new RegExp(`\\b${owner.name}\\b`).test(text),
    );
  };
  // Only as TypeORM names an entity: a class `Payment` of an extension has nothing to do with most errors that say so.
  const isRefused = (entity: Type): boolean => new RegExp(`^Entity (metadata for )?"?${entity.name}["#]`).test(error.message);
  const found = extensions.map(({ name, module, entities = [] }) => ({
    name,
    parts: [...[...partsOf(module)].filter(isNamed), ...entities.filter(isRefused)],
  }));
  const ownersOf = (part: unknown): string[] => found.filter(({ parts }) => parts.includes(part)).map(({ name }) => name);
  const [names] = found.flatMap(({ parts }) => parts.map(ownersOf)).toSorted((a, b) => a.length - b.length);
  return names ? failureOf(names, error) : error;
}

function failureOf(names: readonly string[], cause: Error): Error {
  const { message, stack } = cause;
  const [, missing = ''] = /resolve dependencies[^]*?argument (\w+) at index/.exec(message) ?? [];
  const advice = CORE_SERVICES.some(({ name }) => name === missing)
    ? `\n${missing} is a service of the core: import CoreModule into the module that injects it.`
    : '';
  const words = names.length === 1 ? `Extension ${names[0]} does not start: ` : `Extensions ${names.join(' and ')} do not start: `;
  return Object.assign(new Error(`${words}${message}${advice}`, { cause }), { stack: `${words}${stack ?? message}${advice}` });
}

/** The class whose methods Nest scans; unknown when a factory makes the instance. */
export function classOf(part: unknown): Type | undefined {
  if (typeof part === 'function') return part as Type;
  const { provide, useClass, useValue } = part as { provide?: unknown; useClass?: Type; useValue?: unknown };
  if (useClass) return useClass;
  if (useValue && typeof useValue === 'object') return useValue.constructor as Type;
  return typeof provide === 'function' ? (provide as Type) : undefined;
}
