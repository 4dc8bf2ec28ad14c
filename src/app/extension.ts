import type { DynamicModule, Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { satisfies, validRange } from 'semver';
import { getMetadataArgsStorage, type MigrationInterface } from 'typeorm';
import { ScopeCatalogue, type ScopeDefinition } from '../edge/auth/index.js';
import { Config, Environment, variablesOf, versionOfSluice } from '../platform/config/index.js';
import { CORE_SERVICES } from './core-module.js';
import { Database, extensionSchema } from '../platform/database/index.js';
import { checkAdditive, faultsOfResolver, fieldsResolvedBy, isAdded, requiredFieldsTo, type SchemaChange } from '../edge/graphql/index.js';
import { Events } from '../platform/events/index.js';
import { HEALTH_PATHS } from '../edge/health/index.js';
import { addressesOf, pathsOverlap } from '../edge/http/index.js';
import { classOf, partsOf } from './extension-parts.js';
import { Jobs } from '../platform/job/index.js';
import { Clock } from '../platform/kernel/clock.js';
import { LightningBackend, LightningNode } from '../money/lightning/index.js';
import { OnChainBackend } from '../money/onchain/index.js';
import { IdentityProvider } from '../access/identity/index.js';
import { Mail, MailTransport } from '../edge/mail/index.js';
import { PaymentPolicy } from '../money/payment/index.js';
import { PriceSource } from '../money/price/index.js';
import { Metrics } from '../platform/metrics/index.js';
import { checkMenu, PageRenderer, type MenuEntry } from '../edge/page/index.js';
import { checkRateLimits, RateLimiter, rateVariables, type ExtensionRateLimit } from '../edge/rate-limit/index.js';
import { SETTINGS } from './settings.js';

/**
 * An organisation's addition to Sluice, without a fork. Additive only: start-up refuses, before it opens anything, an extension that
 * would change a type, a scope, a table or a handler of the core. docs/extending.md walks through one.
 */
export interface Extension {
  /** Lower-case letters, digits and dashes. Its scopes begin with this name and a colon; its tables are in a PostgreSQL schema of this name (`_` for `-`). */
  readonly name: string;
  /** The versions of Sluice that it is made for, for example `^0.2` or `>=0.2 <0.4`; another one does not start with it. */
  readonly sluice?: string;
  /** A plain Nest module: providers, resolvers, controllers. It imports {@link CoreModule} for services of the core. */
  readonly module: Type | DynamicModule;
  /** Absolute path of one `.graphql` file: new types, and `extend type` of the core's. */
  readonly schema?: string;
  /** Scopes that guards then accept, keys may carry, the consent page requests and discovery lists. */
  readonly scopes?: readonly ScopeDefinition[];
  /**
   * Types and fields that reveal more than the field that leads to them, with the scope that they need: types on every path to them, and fields
   * of its own as `Type.field`, on types of the core too.
   */
  readonly reveals?: Readonly<Record<string, string>>;
  /** Its pages that the navigation of every signed-in person lists. */
  readonly menu?: readonly MenuEntry[];
  /** Its rate limits: its handlers name them in `@RateLimit()`, and the operator may set them. */
  readonly rateLimits?: readonly ExtensionRateLimit[];
  readonly entities?: readonly Type[];
  /**
   * A class whose properties are environment variables, with rules of class-validator. Checked together with Sluice's own; injected by
   * its class, frozen. Each name begins with the extension's in capitals and `_`.
   */
  readonly settings?: Type<object>;
  /** Run at start, after the core's, all pending ones in one transaction; docs/extending.md lists what they may not touch. */
  readonly migrations?: readonly Type<MigrationInterface>[];
}

/** The parts of the core that extensions are checked against. */
export interface Core {
  readonly schemaFile: string;
  /** The modules with controllers at Sluice's own paths. */
  readonly front: readonly Type[];
}

/**
 * Checks everything that an extension declares but its names (`checkNames`). The effect of its migrations is checked when they run.
 * @returns for each extension, by name, the API before and after it
 * @throws Error with a sentence that names the extension and what it may not do
 */
export function checkExtensions(extensions: readonly Extension[], core: Core): ReadonlyMap<string, SchemaChange> {
  if (extensions.length === 0) return new Map();
  extensions.forEach(checkVersion);
  const catalogue = new ScopeCatalogue(extensions);
  const changes = checkAdditive(core.schemaFile, extensions);
  const taken = ['/graphql', ...HEALTH_PATHS, ...core.front.flatMap((module) => [...partsOf(module)].flatMap(addressesOf))];
  for (const extension of extensions) {
    if (!extension.module) throw new Error(`Extension ${extension.name} has no module: give it a class with @Module()`);
    checkScopes(extension);
    checkMenu(extension.name, extension.menu ?? [], [...partsOf(extension.module)].flatMap(addressesOf));
    for (const list of ['entities', 'migrations'] as const) checkClasses(extension, list);
    for (const entity of extension.entities ?? []) checkTable(extension.name, entity);
    const change = changes.get(extension.name);
    if (!change) continue;
    checkReveals(extension, change, catalogue);
    checkModule(extension, change, taken);
  }
  return changes;
}

export const revealedBy = (extensions: readonly Extension[]): Record<string, string> =>
  Object.fromEntries(extensions.flatMap(({ reveals = {} }) => Object.entries(reveals)));

const NAME = /^(?=.{2,32}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** Schemas of PostgreSQL and of the core; one that begins with `pg_` cannot be created. */
const RESERVED = /^(pg-.*|public|information-schema|simulator|simulated-chain|sluice-job)$/;
export const variablePrefix = (name: string): string => `${extensionSchema(name)}_`.toUpperCase();

const ownVariables = (): string[] => [Environment, ...Object.values(SETTINGS)].flatMap((type) => variablesOf(type));

/** Every variable that Sluice or one of the extensions reads. */
export const variablesOfAll = (extensions: readonly Extension[]): string[] => [
  ...ownVariables(),
  ...extensions.flatMap((each) => [
    ...(each.settings ? variablesOf(each.settings) : []),
    ...rateVariables(each, variablePrefix(each.name)),
  ]),
];

/**
 * Checks the names of extensions and of their settings: before any value of a setting is read, because the rule of the names comes first.
 * @throws Error as `checkExtensions`
 */
export function checkNames(extensions: readonly Extension[]): void {
  const prefixes = new Map<string, string>();
  for (const { name } of extensions) {
    if (!NAME.test(name))
      throw new Error(`Invalid extension name "${name}": use 2 to 32 lower-case letters and digits, separated by single dashes`);
    if (RESERVED.test(name)) throw new Error(`Invalid extension name "${name}": the database has a schema of this name`);
    const prefix = variablePrefix(name);
    for (const [other, owner] of prefixes) {
      if (other === prefix) throw new Error(`Two extensions are named ${name}`);
      if (other.startsWith(prefix) || prefix.startsWith(other))
        throw new Error(`Extensions ${owner} and ${name} have overlapping prefixes of variables: rename one`);
    }
    prefixes.set(prefix, name);
  }
  extensions.forEach(checkSettings);
  extensions.forEach(checkRateLimits);
}

function checkVersion({ name, sluice }: Extension): void {
  if (sluice === undefined) return;
  const version = versionOfSluice();
  if (validRange(sluice) === null)
    throw new Error(`Extension ${name} gives "${sluice}" as its versions of Sluice: write a range such as ^0.2 or >=0.2 <0.4`);
  if (!satisfies(version, sluice, { includePrerelease: true }))
    throw new Error(`Extension ${name} is made for Sluice ${sluice}, and this is Sluice ${version}: install versions that fit`);
}

function checkSettings({ name, settings, module, rateLimits = [] }: Extension): void {
  if (!settings) return;
  const prefix = variablePrefix(name);
  const core = ownVariables();
  const wrong = variablesOf(settings).find((each) => !each.startsWith(prefix) || core.includes(each));
  if (wrong !== undefined)
    throw new Error(
      `Extension ${name} must not read the variable ${wrong}: its variables must start with "${prefix}" and not be Sluice's own`,
    );
  const ofRateLimit = rateVariables({ name, rateLimits }, prefix).find((each) => variablesOf(settings).includes(each));
  if (ofRateLimit !== undefined)
    throw new Error(`Extension ${name} must not read the variable ${ofRateLimit} as a setting: it sets a rate limit`);
  if ([...partsOf(module)].includes(settings))
    throw new Error(`Extension ${name} must not provide ${settings.name}: Sluice makes it from the environment`);
}

function checkScopes({ name, scopes = [] }: Extension): void {
  const wrong = scopes.find((scope) => !scope.name.startsWith(`${name}:`) || scope.name.length === name.length + 1);
  if (wrong) throw new Error(`Extension ${name} must not define the scope "${wrong.name}": its scopes must start with "${name}:"`);
  const unasked = scopes.find(({ implicit }) => implicit);
  if (unasked)
    throw new Error(`Extension ${name} must not define the scope "${unasked.name}" as implicit: scopes of extensions require consent`);
}

/** TypeORM takes patterns of files too, and would run every file that matches. */
function checkClasses({ name, ...lists }: Extension, list: 'entities' | 'migrations'): void {
  const wrong = (lists[list] as readonly unknown[] | undefined)?.find((each) => typeof each !== 'function');
  if (wrong !== undefined) throw new Error(`Extension ${name} must list its ${list} as classes, not as ${JSON.stringify(wrong)}`);
}

function checkTable(name: string, entity: Type): void {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  if (!table) throw new Error(`Extension ${name} lists the entity ${entity.name}, which has no @Entity()`);
  const own = extensionSchema(name);
  // A child entity has no table: its rows are in its parent's.
  if (table.schema !== own || table.database !== undefined || table.type === 'entity-child')
    throw new Error(
      `Extension ${name} must not map ${entity.name} to a table outside its schema: write @Entity({ name: …, schema: '${own}' })`,
    );
}

function checkReveals({ name, reveals = {} }: Extension, change: SchemaChange, catalogue: ScopeCatalogue): void {
  for (const [revealed, scope] of Object.entries(reveals)) {
    if (!isAdded(change, revealed))
      throw new Error(
        `Extension ${name} must not name ${revealed} in "reveals": the ${revealed.includes('.') ? 'field' : 'type'} is not its own`,
      );
    if (/^(Query|Mutation|Subscription)\./.test(revealed))
      throw new Error(
        `Extension ${name} must not name ${revealed} in "reveals": a root field has its scope at its resolver, @Scopes('${scope}')`,
      );
    const required = requiredFieldsTo(change, revealed).map((field) => (field === revealed ? 'it' : field));
    if (required.length > 0)
      throw new Error(
        `Extension ${name} must not name ${revealed} in "reveals": a caller without the scope gets null for ${required[0]}, and it is required`,
      );
    if (!catalogue.find(scope))
      throw new Error(`Extension ${name} sets the scope "${scope}" for ${revealed} in "reveals", but there is no such scope`);
  }
}

const GLOBAL: ReadonlySet<unknown> = new Set([APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE]);

/** The public surface's injectable providers. An extension that provided one, above all with `@Global()`, would replace the core's. */
const SERVED: ReadonlySet<unknown> = new Set([
  ...CORE_SERVICES,
  ...[Clock, Config, Database, Events, Jobs, LightningNode, Mail, Metrics, PageRenderer, RateLimiter],
]);

/** What an organisation replaces by a class of its own: an option of `createApp`. In a module it would have no effect. */
const PORTS = {
  identity: IdentityProvider,
  lightning: LightningBackend,
  mail: MailTransport,
  onChain: OnChainBackend,
  paymentPolicy: PaymentPolicy,
  price: PriceSource,
};

/** The option that a provider of a module should be. */
function portOf(token: unknown): string | undefined {
  const is = (port: unknown): boolean => token === port || (typeof token === 'function' && token.prototype instanceof (port as Type));
  return Object.entries(PORTS).find(([, port]) => is(port))?.[0];
}

function checkModule({ name, module }: Extension, change: SchemaChange, taken: readonly string[]): void {
  const resolvers = new Map<string, Type>();
  for (const part of partsOf(module)) {
    const token = typeof part === 'function' ? part : (part as { provide?: unknown }).provide;
    if (SERVED.has(token))
      throw new Error(`Extension ${name} must not provide ${(token as Type).name}: Sluice provides it. Import CoreModule and inject it`);
    const option = portOf(token);
    if (option !== undefined)
      throw new Error(`Extension ${name} must not provide ${(token as Type).name}: pass it to createApp as "${option}"`);
    const address = addressesOf(part).find((each) => taken.some((own) => pathsOverlap(own, each)));
    if (address !== undefined) throw new Error(`Extension ${name} must not serve ${address}: Sluice does (${(part as Type).name})`);
    if (GLOBAL.has(token))
      throw new Error(`Extension ${name} must not provide ${String(token)}: global APP_* providers are not allowed in extensions`);
    const owner = classOf(part);
    const [fault] = owner ? faultsOfResolver(change, owner) : [];
    if (fault !== undefined) throw new Error(`Extension ${name} ${fault} (${owner?.name})`);
    for (const field of owner ? fieldsResolvedBy(owner) : []) {
      const first = resolvers.get(field);
      if (first) throw new Error(`Extension ${name} must not resolve ${field} twice: ${first.name} does (${owner?.name})`);
      resolvers.set(field, owner as Type);
    }
  }
}
