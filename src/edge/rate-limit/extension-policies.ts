import { RATE_FORM, RATE_RULE, rateOf } from '../../platform/config/index.js';
import { byAccount, byAddress, byPrincipal, type RateLimitPolicy } from './policies.js';

/** A rate limit of an extension, for `@RateLimit()` and `RateLimiter`. */
export interface ExtensionRateLimit {
  /** The extension's name, a dot, and a word: `tipping.thanks`. The response headers use it. */
  readonly name: `${string}.${string}`;
  /** Calls of one key in one window. The operator may set both by a variable: TIPPING_THROTTLE_THANKS=10/60. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** `sluice limits` prints it for the operator. */
  readonly counts: string;
  /** Whose calls count together: a person's with all credentials (the default), a credential's or an address's; anonymous ones by address. */
  readonly per?: 'account' | 'principal' | 'address';
  /** All processes share the count, where RATE_LIMIT_STORE permits it. For guesses of secrets; it costs a statement per call. */
  readonly shared?: boolean;
}

export interface RateLimitOwner {
  readonly name: string;
  readonly rateLimits?: readonly ExtensionRateLimit[];
}

const KEYS = { account: byAccount, principal: byPrincipal, address: byAddress };
const WORD = /^[a-z][a-zA-Z0-9]{0,31}$/;

export const rateVariables = ({ rateLimits = [] }: RateLimitOwner, prefix: string): string[] =>
  rateLimits.map(({ name }) => `${prefix}THROTTLE_${wordOf(name).replace(/[A-Z]/g, '_$&').toUpperCase()}`);

const wordOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** @throws Error with a sentence that names the extension and what is wrong with its declaration */
export function checkRateLimits({ name, rateLimits = [] }: RateLimitOwner): void {
  const names = new Set<string>();
  for (const { name: policy, limit, windowSeconds, counts, per = 'account' } of rateLimits) {
    if (!policy.startsWith(`${name}.`) || !WORD.test(wordOf(policy)))
      throw new Error(`Extension ${name} must not define the rate limit "${policy}": write "${name}." and a word in camel case`);
    if (names.has(policy)) throw new Error(`Extension ${name} defines the rate limit "${policy}" twice`);
    if (!RATE_FORM.test(`${limit}/${windowSeconds}`))
      throw new Error(`Extension ${name} defines the rate limit "${policy}" with a limit or a window that is no whole number above 0`);
    if (counts.trim() === '') throw new Error(`Extension ${name} defines the rate limit "${policy}" without saying what it counts`);
    if (!(per in KEYS))
      throw new Error(`Extension ${name} defines the rate limit "${policy}" per ${String(per)}: use account, principal or address`);
    names.add(policy);
  }
}

export function policiesOfExtensions(
  owners: readonly RateLimitOwner[],
  env: Readonly<Record<string, string | undefined>>,
  prefixOf: (name: string) => string,
): { readonly policies: readonly RateLimitPolicy[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const policies = owners.flatMap((owner) => {
    const variables = rateVariables(owner, prefixOf(owner.name));
    return (owner.rateLimits ?? []).map(
      ({ name, limit, windowSeconds, counts, per = 'account', shared = false }, index): RateLimitPolicy => {
        const variable = variables[index] ?? '';
        const text = env[variable] || `${limit}/${windowSeconds}`;
        if (!RATE_FORM.test(text)) problems.push(`${variable} ${RATE_RULE} (extension ${owner.name})`);
        const store = shared ? 'shared' : 'memory';
        return Object.freeze({ name, ...rateOf(text), variable, counts, store, role: 'own', keyOf: KEYS[per] });
      },
    );
  });
  return { policies, problems };
}
