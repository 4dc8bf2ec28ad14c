import type { DynamicModule, Type } from '@nestjs/common';
import { CORE_SERVICES, CoreModule } from './core-module.js';

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

/**
 * Adds the extension's name to the error of a start that failed in one of its classes, or the names of all that share the failing class.
 * Returns any other error unchanged, and one that names an extension.
 * @param error the error of the start, whose text or stack names the class
 */
export function namingExtension(error: unknown, extensions: readonly NamedModule[] = []): unknown {
  if (!(error instanceof Error) || extensions.some(({ name }) => error.message.includes(`xtension ${name}`))) return error;
  const text = `${error.message}\n${error.stack ?? ''}`;
  const isNamed = (owner: Type | undefined): boolean =>
    owner !== undefined && owner !== (Object as unknown) && owner.name !== '' && new RegExp(`\\b${owner.name}\\b`).test(text);
  // Only as TypeORM names an entity: a class `Payment` of an extension has nothing to do with most errors that say so.
  const isRefused = (entity: Type): boolean => new RegExp(`^Entity (metadata for )?"?${entity.name}["#]`).test(error.message);
  const found = extensions.filter(
    ({ module, entities = [] }) => [...partsOf(module)].some((part) => isNamed(classOf(part))) || entities.some(isRefused),
  );
  const names = found.map(({ name }) => name);
  return names.length > 0 ? failureOf(names, error) : error;
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
