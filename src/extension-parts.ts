import type { DynamicModule, Type } from '@nestjs/common';
import { CORE_SERVICES, CoreModule } from './core-module.js';

/** What errors of an extension's classes are named after. */
export interface NamedModule {
  readonly name: string;
  readonly module: Type | DynamicModule;
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
const namedFactories = new WeakMap<object, { made?: Type | undefined }>();

/** Nest and stacks name classes only, so an error of a factory gets the extension's name here; a frozen provider stays unwrapped. */
export function nameFactory(extension: string, part: unknown): void {
  const { useFactory: make } = part as { useFactory?: (...given: unknown[]) => unknown };
  if (typeof make !== 'function' || namedFactories.has(make)) return;
  const facts: { made?: Type | undefined } = {};
  const useFactory = async (...given: unknown[]): Promise<unknown> => {
    try {
      const made = await make(...given);
      facts.made = (made as object | null | undefined)?.constructor as Type | undefined;
      return made;
    } catch (error) {
      throw failureOf(extension, error);
    }
  };
  if (Reflect.set(part as object, 'useFactory', useFactory)) namedFactories.set(useFactory, facts);
}

const HOOKS = ['onModuleInit', 'onApplicationBootstrap'] as const;
type Hooked = Partial<Record<(typeof HOOKS)[number], () => unknown>>;

/**
 * A decorator of Nest's instances, which adds the extension's name to errors of the hooks of its classes. The stack of such an error need
 * not name the class: that of a refused connection has no frame of the caller.
 */
export function hookNaming(extensions: readonly NamedModule[] = []): <T>(instance: T) => T {
  const owners = new Map<unknown, string>();
  for (const { name, module } of extensions) for (const part of partsOf(module)) owners.set(classOf(part), name);
  for (const shared of [undefined, Object]) owners.delete(shared);
  return (instance) => {
    const extension = owners.get((instance as object | null | undefined)?.constructor);
    if (extension !== undefined) for (const hook of HOOKS) nameHook(extension, instance as Hooked, hook);
    return instance;
  };
}

function nameHook(extension: string, instance: Hooked, hook: (typeof HOOKS)[number]): void {
  const run = instance[hook];
  if (typeof run !== 'function') return;
  const value = async (): Promise<void> => {
    try {
      await run.call(instance);
    } catch (error) {
      throw failureOf(extension, error);
    }
  };
  Reflect.defineProperty(instance, hook, { value, configurable: true, writable: true });
}

/**
 * Adds the extension's name to the error of a start that failed in one of its classes. Returns any other error unchanged.
 * @param error the error of the start
 */
export function namingExtension(error: unknown, extensions: readonly NamedModule[] = []): unknown {
  if (!(error instanceof Error)) return error;
  const text = `${error.message}\n${error.stack ?? ''}`;
  const isNamed = (part: unknown): boolean => {
    const made = namedFactories.get((part as { useFactory?: object }).useFactory ?? (part as object))?.made;
    return [classOf(part), made].some(
      (owner) => owner && owner !== Object && owner.name !== '' && new RegExp(`\\b${owner.name}\\b`).test(text),
    );
  };
  const failing = extensions.find(({ name, module }) => !error.message.includes(`xtension ${name}`) && [...partsOf(module)].some(isNamed));
  return failing ? failureOf(failing.name, error) : error;
}

function failureOf(extension: string, cause: unknown): Error {
  const { message, stack } = cause instanceof Error ? cause : new Error(String(cause));
  const [, missing = ''] = /resolve dependencies[^]*?argument (\w+) at index/.exec(message) ?? [];
  const advice = CORE_SERVICES.some(({ name }) => name === missing)
    ? `\n${missing} is a service of the core: import CoreModule into the module that injects it.`
    : '';
  const words = `Extension ${extension} does not start: `;
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
