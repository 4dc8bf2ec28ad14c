import type { Scope } from '../generated/graphql.js';

const NAMES: Readonly<Record<Scope, string>> = { READ: 'read', RECEIVE: 'receive', WRITE: 'write' };

/** The scopes that the SDL has names for. Those of extensions and those only apps can have are not among them. */
export const sdlScopes = (scopes: Iterable<string>): Scope[] => {
  const held = new Set(scopes);
  return (Object.keys(NAMES) as Scope[]).filter((name) => held.has(NAMES[name]));
};

/** What the SDL calls a scope, as the house calls it. */
export const scopeOfSdl = (name: Scope): string => NAMES[name];
