import type { ApiKeyFault } from './api-key.outcome.js';

/** Characters. */
export const MAX_KEY_NAME = 64;
const MAX_DAYS = 3_650;

/** The rules of a new key, for the API and the page alike. */
export function faultsOf(
  { name, scopes, expireInDays }: { readonly name: string; readonly scopes: readonly string[]; readonly expireInDays: number | null },
  allowed: readonly string[],
): ApiKeyFault[] {
  const faults: ApiKeyFault[] = [];
  const characters = [...name.trim()].length;
  if (characters < 1 || characters > MAX_KEY_NAME || /\p{Cc}/u.test(name)) {
    faults.push({ field: 'name', message: `name must have 1 to ${MAX_KEY_NAME} characters and no control characters` });
  }
  const unknown = scopes.filter((scope) => !allowed.includes(scope));
  if (scopes.length === 0) faults.push({ field: 'scopes', message: 'scopes can not be empty' });
  else if (unknown.length > 0) faults.push({ field: 'scopes', message: `scopes must contain only: ${allowed.join(', ')}` });
  if (expireInDays !== null && !(Number.isInteger(expireInDays) && expireInDays >= 1 && expireInDays <= MAX_DAYS)) {
    faults.push({ field: 'expireInDays', message: `expireInDays must be a whole number from 1 to ${MAX_DAYS}` });
  }
  return faults;
}
