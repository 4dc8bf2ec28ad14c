import { MANAGE_KEYS, type ScopeDefinition } from '../../../edge/auth/index.js';

export interface Choice {
  readonly kind: 'chosen';
  readonly scopes: readonly string[];
  readonly managesKeys: boolean;
}

export interface ChoiceFault {
  /** `nothing`: none of several boxes. `keys_alone`: API keys without sending, which they need. */
  readonly kind: 'nothing' | 'keys_alone';
}

/** Reads the ticked boxes. A single scope has no box; what was not asked for does not count. */
export function choiceOf(scopes: readonly ScopeDefinition[], asksForKeys: boolean, ticked: readonly string[]): Choice | ChoiceFault {
  const boxes = scopes.filter(({ implicit }) => !implicit);
  const chosen = boxes.length > 1 ? boxes.filter(({ name }) => ticked.includes(name)) : boxes;
  const managesKeys = asksForKeys && ticked.includes(MANAGE_KEYS.name);
  if (managesKeys && chosen.every(({ name }) => name !== 'write')) return { kind: 'keys_alone' };
  if (boxes.length > 1 && chosen.length === 0) return { kind: 'nothing' };
  const granted = scopes.filter((scope) => scope.implicit || chosen.includes(scope));
  return { kind: 'chosen', scopes: granted.map(({ name }) => name), managesKeys };
}
