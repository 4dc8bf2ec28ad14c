import type { RateVariable, ThrottleConfig } from '../config/index.js';
import {
  allAnonymous,
  anonymousByRecipient,
  byAccount,
  byAccountAndRecipient,
  byAddress,
  byAnonymousAddress,
  byAnonymousNetwork,
  type KeyOf,
} from './limited-call.js';

/** A `shared` policy counts in the store that RATE_LIMIT_STORE names, one count for all processes. */
export type PolicyStore = 'memory' | 'shared';

/**
 * What a policy is for:
 * - `own`: the calls of one caller;
 * - `ceiling`: calls of many callers together. The first calls of each network count too, but always pass: a crowd cannot block others;
 * - `first`: finds those first calls, and refuses none.
 */
export type PolicyRole = 'own' | 'ceiling' | 'first';

interface PolicyRule {
  readonly variable: RateVariable;
  readonly store: PolicyStore;
  readonly role: PolicyRole;
  /** The key in a handler with `@RateLimit()`; the other callers of the limiter pass their key. */
  readonly keyOf: KeyOf;
}

type CorePolicyName = keyof ThrottleConfig;

/**
 * Every policy of the core; an extension adds its own. A handler with several counts in this order: from a caller's own policy to the
 * ceilings, so that a caller over its own limit uses up nothing of a shared one.
 *
 * `shared` are those that bound guesses of secrets: N processes that count apart permit N times as many guesses, and a wrong answer costs
 * far more than a statement. The others bound load, of which each process has its own, and the first three run on every request.
 */
export const POLICIES = {
  address: { variable: 'THROTTLE_ADDRESS', store: 'memory', role: 'own', keyOf: byAddress },
  principal: { variable: 'THROTTLE_PRINCIPAL', store: 'memory', role: 'own', keyOf: byAddress },
  account: { variable: 'THROTTLE_ACCOUNT', store: 'memory', role: 'own', keyOf: byAddress },
  eventCost: { variable: 'THROTTLE_EVENT_COST', store: 'memory', role: 'own', keyOf: byAccount },
  registration: { variable: 'THROTTLE_REGISTRATION', store: 'memory', role: 'own', keyOf: byAddress },
  authorizationPage: { variable: 'THROTTLE_AUTHORIZATION_PAGE', store: 'memory', role: 'own', keyOf: byAddress },
  invoiceForOther: { variable: 'THROTTLE_INVOICE_FOR_OTHER', store: 'memory', role: 'own', keyOf: byAccountAndRecipient },
  anonymousInvoice: { variable: 'THROTTLE_ANONYMOUS_INVOICE', store: 'memory', role: 'own', keyOf: byAnonymousAddress },
  anonymousInvoiceFirst: { variable: 'THROTTLE_ANONYMOUS_INVOICE_FIRST', store: 'memory', role: 'first', keyOf: byAnonymousNetwork },
  anonymousInvoiceAll: { variable: 'THROTTLE_ANONYMOUS_INVOICE_ALL', store: 'memory', role: 'ceiling', keyOf: allAnonymous },
  invoiceRecipient: { variable: 'THROTTLE_INVOICE_RECIPIENT', store: 'memory', role: 'ceiling', keyOf: anonymousByRecipient },
  lnurlPayment: { variable: 'THROTTLE_LNURL_PAYMENT', store: 'memory', role: 'own', keyOf: byAccount },
  signInAccount: { variable: 'THROTTLE_SIGN_IN_ACCOUNT', store: 'shared', role: 'own', keyOf: byAddress },
  signInAddress: { variable: 'THROTTLE_SIGN_IN_ADDRESS', store: 'shared', role: 'own', keyOf: byAddress },
  signInDevice: { variable: 'THROTTLE_SIGN_IN_DEVICE', store: 'shared', role: 'own', keyOf: byAddress },
  tokenClient: { variable: 'THROTTLE_TOKEN_CLIENT', store: 'shared', role: 'own', keyOf: byAddress },
  tokenAddress: { variable: 'THROTTLE_TOKEN_ADDRESS', store: 'shared', role: 'own', keyOf: byAddress },
} as const satisfies { readonly [Name in CorePolicyName]: PolicyRule };

/** A policy of the core, or one of an extension, which begins with the extension's name and a dot. */
export type PolicyName = CorePolicyName | `${string}.${string}`;

/** The policies of the core that count in memory alone, so that their result needs no promise. The type keeps `address` out of a database. */
export type MemoryPolicyName = {
  [Name in CorePolicyName]: (typeof POLICIES)[Name]['store'] extends 'memory' ? Name : never;
}[CorePolicyName];

/** A rate limit: at most `limit` calls of one key in a window of fixed length. */
export interface RateLimitPolicy {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** The environment variable that sets it. */
  readonly variable: string;
  readonly counts: string;
  readonly store: PolicyStore;
  readonly role: PolicyRole;
  readonly keyOf: KeyOf;
}
