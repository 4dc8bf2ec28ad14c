import type { Scope } from '../../generated/graphql.js';

const NAMES: Readonly<Record<Scope, string>> = { READ: 'read', RECEIVE: 'receive', WRITE: 'write' };

/** The scopes that have a name in the SDL: neither those of extensions nor those for apps only. */
export const sdlScopes = (scopes: Iterable<string>): Scope[] => {
  const held = new Set(scopes);
  return (Object.keys(NAMES) as Scope[]).filter((name) => held.has(NAMES[name]));
};

export const scopeOfSdl = (name: Scope): string => NAMES[name];
