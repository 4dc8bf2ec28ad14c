import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { DefaultNamingStrategy, getMetadataArgsStorage, type MigrationInterface } from 'typeorm';
import { ApiKeyModule } from './api-key/index.js';
import { ScopeCatalogue, type ScopeDefinition } from './auth/index.js';
import { Config } from './config/index.js';
import { Database, extensionPrefix } from './database/index.js';
import { checkAdditive, faultsOfResolver, type SchemaChange } from './graphql/index.js';
import { Events } from './events/index.js';
import { addressesOf, meet } from './http/index.js';
import { InvoiceModule, InvoiceService } from './invoice/index.js';
import { Clock } from './kernel/clock.js';
import { LightningBackend, LightningNode } from './lightning/index.js';
import { checkMenu, PageRenderer, type MenuEntry } from './page/index.js';
import { PaymentModule, PaymentService } from './payment/index.js';
import { PriceModule, PriceSource } from './price/index.js';
import { InterruptedForms } from './signin/index.js';
import { HistoryService, TransactionModule } from './transaction/index.js';
import { UserModule, UserService } from './user/index.js';
import { AccountService, WalletModule } from './wallet/index.js';

/**
 * An organisation's addition to Sluice, without a fork. Additive only: start-up refuses, before it opens anything, an extension that
 * would change a type, a scope, a table or a handler of the core. docs/extending.md walks through one.
 */
export interface Extension {
  /** Lower-case letters, digits and dashes. Its scopes begin with this name and a colon, its tables with it and `_` (also for `-`). */
  readonly name: string;
  /** A plain Nest module: providers, resolvers, controllers. It imports {@link CoreModule} for services of the core. */
  readonly module: Type | DynamicModule;
  /** Absolute path of one `.graphql` file: new types, and `extend type` of the core's. */
  readonly schema?: string;
  /** Scopes that guards then accept, keys may carry, the consent page requests and discovery lists. */
  readonly scopes?: readonly ScopeDefinition[];
  /** Its own object types that reveal more than the field that leads to them, with the scope that they need on every path. */
  readonly reveals?: Readonly<Record<string, string>>;
  /** Its pages that the navigation of every signed-in person lists. */
  readonly menu?: readonly MenuEntry[];
  readonly entities?: readonly Type[];
  /** Run at start, after the core's, all pending ones in one transaction; docs/extending.md lists what they may not touch. */
  readonly migrations?: readonly Type<MigrationInterface>[];
}

const SERVICES = [ApiKeyModule, InvoiceModule, PaymentModule, PriceModule, TransactionModule, UserModule, WalletModule];

/** Import it into an extension's module to inject the services of the public surface. */
@Module({ imports: SERVICES, exports: SERVICES })
export class CoreModule {}

/** The parts of the core that extensions are checked against. */
export interface Core {
  readonly schemaFile: string;
  /** The modules with controllers at Sluice's own paths. */
  readonly front: readonly Type[];
  readonly entities: readonly Type[];
}

/**
 * Checks everything that an extension declares. The effect of its migrations is checked when they run.
 * @throws Error with a sentence that names the extension and what it may not do
 */
export function checkExtensions(extensions: readonly Extension[], core: Core): void {
  if (extensions.length === 0) return;
  checkNames(extensions, core.entities.map(tableOf));
  const catalogue = new ScopeCatalogue(extensions);
  const changes = checkAdditive(core.schemaFile, extensions);
  const taken = ['/graphql', ...core.front.flatMap((module) => [...partsOf(module)].flatMap(addressesOf))];
  for (const extension of extensions) {
    if (!extension.module) throw new Error(`Extension ${extension.name} has no module: give it a class with @Module()`);
    for (const part of partsOf(extension.module)) nameFactory(extension.name, part);
    checkScopes(extension);
    checkMenu(extension.name, extension.menu ?? [], [...partsOf(extension.module)].flatMap(addressesOf));
    for (const entity of extension.entities ?? []) checkTable(extension.name, entity);
    const change = changes.get(extension.name);
    if (!change) continue;
    checkReveals(extension, change, catalogue);
    checkModule(extension, change, taken);
  }
}

/** The types that the extensions reveal, with their scopes. */
export const revealedBy = (extensions: readonly Extension[]): Record<string, string> =>
  Object.fromEntries(extensions.flatMap(({ reveals = {} }) => Object.entries(reveals)));

const NAME = /^(?=.{2,32}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

function checkNames(extensions: readonly Extension[], coreTables: readonly string[]): void {
  const prefixes = new Map<string, string>();
  for (const { name } of extensions) {
    if (!NAME.test(name))
      throw new Error(`Invalid extension name "${name}": use 2 to 32 lower-case letters and digits, separated by single dashes`);
    const prefix = extensionPrefix(name);
    const table = coreTables.find((each) => each.startsWith(prefix));
    if (table !== undefined) throw new Error(`Invalid extension name "${name}": the core table "${table}" starts with its table prefix`);
    for (const [other, owner] of prefixes) {
      if (other === prefix) throw new Error(`Two extensions are named ${name}`);
      if (other.startsWith(prefix) || prefix.startsWith(other))
        throw new Error(`Extensions ${owner} and ${name} have overlapping table prefixes: rename one`);
    }
    prefixes.set(prefix, name);
  }
}

function checkScopes({ name, scopes = [] }: Extension): void {
  const wrong = scopes.find((scope) => !scope.name.startsWith(`${name}:`) || scope.name.length === name.length + 1);
  if (wrong) throw new Error(`Extension ${name} must not define the scope "${wrong.name}": its scopes must start with "${name}:"`);
  const unasked = scopes.find(({ implicit }) => implicit);
  if (unasked)
    throw new Error(`Extension ${name} must not define the scope "${unasked.name}" as implicit: scopes of extensions require consent`);
}

/** For a class without a table name: the name that TypeORM gives it. */
function tableOf(entity: Type): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  if (!table) throw new Error(`${entity.name} has no @Entity()`);
  return table.name ?? new DefaultNamingStrategy().tableName(entity.name, undefined);
}

function checkTable(name: string, entity: Type): void {
  const table = tableOf(entity);
  const { schema, database, type } = getMetadataArgsStorage().tables.find(({ target }) => target === entity) ?? {};
  // A child entity has no table: its rows are in its parent's.
  if (!table.startsWith(extensionPrefix(name)) || schema !== undefined || database !== undefined || type === 'entity-child')
    throw new Error(
      `Extension ${name} must not map ${entity.name} to the table "${table}": its tables must start with "${extensionPrefix(name)}" and be in Sluice's own schema`,
    );
}

function checkReveals({ name, reveals = {} }: Extension, { before, after }: SchemaChange, catalogue: ScopeCatalogue): void {
  for (const [type, scope] of Object.entries(reveals)) {
    if (before.getType(type) || !after.getType(type))
      throw new Error(`Extension ${name} must not name ${type} in "reveals": the type is not its own`);
    if (!catalogue.find(scope))
      throw new Error(`Extension ${name} sets the scope "${scope}" for ${type} in "reveals", but there is no such scope`);
  }
}

const GLOBAL: ReadonlySet<unknown> = new Set([APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE]);

/** The services that CoreModule exports. */
const CORE_SERVICES = [AccountService, HistoryService, InvoiceService, PaymentService, PriceSource, UserService];

/** The public surface's injectable providers. An extension that provided one, above all with `@Global()`, would replace the core's. */
const SERVED: ReadonlySet<unknown> = new Set([
  ...CORE_SERVICES,
  ...[Clock, Config, Database, Events, InterruptedForms, LightningBackend, LightningNode, PageRenderer],
]);

function checkModule({ name, module }: Extension, change: SchemaChange, taken: readonly string[]): void {
  for (const part of partsOf(module)) {
    const token = typeof part === 'function' ? part : (part as { provide?: unknown }).provide;
    if (SERVED.has(token))
      throw new Error(
        `Extension ${name} must not provide ${(token as Type).name}: Sluice provides it. Import CoreModule and inject it; pass a Lightning back end to createApp`,
      );
    const address = addressesOf(part).find((each) => taken.some((own) => meet(own, each)));
    if (address !== undefined) throw new Error(`Extension ${name} must not serve ${address}: Sluice does (${(part as Type).name})`);
    if (GLOBAL.has(token))
      throw new Error(`Extension ${name} must not provide ${String(token)}: global APP_* providers are not allowed in extensions`);
    const owner = classOf(part);
    const [fault] = owner ? faultsOfResolver(change, owner) : [];
    if (fault !== undefined) throw new Error(`Extension ${name} ${fault} (${owner?.name})`);
  }
}

type Listed = 'imports' | 'providers' | 'controllers';
interface Reference extends Partial<Record<Listed, readonly unknown[]>> {
  readonly module?: Type;
  readonly forwardRef?: () => unknown;
}

/** The providers and controllers of a module and of all its imports, as far as they are known before instantiation. */
function* partsOf(reference: unknown, seen = new Set<unknown>([CoreModule])): Generator<unknown> {
  const { forwardRef, ...dynamic } = (typeof reference === 'function' ? { module: reference } : (reference ?? {})) as Reference;
  if (forwardRef) yield* partsOf(forwardRef(), seen);
  const { module } = dynamic;
  if (!module || seen.has(reference)) return;
  seen.add(reference);
  const listed = (what: Listed): unknown[] => [
    ...((Reflect.getMetadata(what, module) as unknown[] | undefined) ?? []),
    ...(dynamic[what] ?? []),
  ];
  yield* listed('providers');
  yield* listed('controllers');
  for (const imported of listed('imports')) yield* partsOf(imported, seen);
}

/** Wrapped factories, with the class of the instance that each made last. */
const namedFactories = new WeakMap<object, { made?: Type | undefined }>();

/** Nest and stacks name classes only, so an error of a factory gets the extension's name here; a frozen provider stays unwrapped. */
function nameFactory(extension: string, part: unknown): void {
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

/**
 * Adds the extension's name to the error of a start that failed in one of its classes. Returns any other error unchanged.
 * @param error the error of the start
 */
export function namingExtension(error: unknown, extensions: readonly Extension[] = []): unknown {
  if (!(error instanceof Error)) return error;
  const told = `${error.message}\n${error.stack ?? ''}`;
  const isNamed = (part: unknown): boolean => {
    const made = namedFactories.get((part as { useFactory?: object }).useFactory ?? (part as object))?.made;
    return [classOf(part), made].some(
      (owner) => owner && owner !== Object && owner.name !== '' && new RegExp(`\\b${owner.name}\\b`).test(told),
    );
  };
  const failing = extensions.find(
    ({ name, module }) => !error.message.includes(`xtension ${name}`) && [module, ...partsOf(module)].some(isNamed),
  );
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
function classOf(part: unknown): Type | undefined {
  if (typeof part === 'function') return part as Type;
  const { provide, useClass, useValue } = part as { provide?: unknown; useClass?: Type; useValue?: unknown };
  if (useClass) return useClass;
  if (useValue && typeof useValue === 'object') return useValue.constructor as Type;
  return typeof provide === 'function' ? (provide as Type) : undefined;
}
