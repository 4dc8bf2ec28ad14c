import type { DynamicModule, Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { ScopeDefinition } from './auth/index.js';

/**
 * What an organisation adds to Sluice without forking it. Additive only: start-up refuses an extension that would change a type, a
 * scope or a table of the core. docs/extending.md walks through one.
 */
export interface Extension {
  /** Lower-case letters, digits and dashes. Its tables begin with this name, `_` for `-`. */
  readonly name: string;
  /** A plain Nest module: providers, resolvers, controllers. */
  readonly module: Type | DynamicModule;
  /** Absolute path of one `.graphql` file: new types, and `extend type` of ours. */
  readonly schema?: string;
  /** Scopes that guards then accept, the consent page asks for and discovery lists. */
  readonly scopes?: readonly ScopeDefinition[];
  readonly entities?: readonly Type[];
  readonly migrations?: readonly Type<MigrationInterface>[];
}

/** @throws Error with a sentence, for a name or a table that could be taken for somebody else's */
export function checkExtensions(extensions: readonly Extension[]): void {
  const names = new Set<string>();
  for (const { name } of extensions) {
    if (!/^[a-z][a-z0-9-]{1,31}$/.test(name)) throw new Error(`"${name}" is no name for an extension: use lower-case letters, digits and dashes`);
    if (names.has(name)) throw new Error(`Two extensions are called ${name}`);
    names.add(name);
  }
}
