import { madeOnce } from '../../platform/kernel/made-once.js';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './caller-address.js';
import { type RateName, RateLimitSettings } from './rate-limit.settings.js';
import { isVariable, meaningOf, rateOf } from '../../platform/config/index.js';

export interface LimitedCall {
  /** This one call: over HTTP the request, in GraphQL the field's own context, because a request may contain many fields. */
  readonly call: object;
  /** The credential or, on a page, the session. */
  readonly principal: FastifyRequest['principal'];
  readonly address: string;
  readonly args: unknown;
  readonly reply: FastifyReply | undefined;
}

/** The key that a call is counted under; undefined: the policy does not count this call. */
export type KeyOf = (call: LimitedCall) => string | undefined;

type GraphqlContext = Pick<FastifyRequest, 'principal' | 'address'> & { readonly reply?: FastifyReply };

export function callOf(context: ExecutionContext): LimitedCall {
  if (context.getType<string>() === 'graphql') {
    const { principal, address, reply } = context.getArgByIndex<GraphqlContext>(2);
    return { principal, call: context, address, reply, args: context.getArgByIndex<unknown>(1) };
  }
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const principal = request.visitor?.principal ?? request.principal;
  return { principal, call: request, address: request.address, reply: http.getResponse<FastifyReply>(), args: request.body };
}

export const byAddress: KeyOf = ({ address }) => address;
export const byAccount: KeyOf = ({ principal: { userId, id }, address }) => userId ?? (id || address);
export const byPrincipal: KeyOf = ({ principal: { id }, address }) => id || address;

const isAnonymous = ({ principal: { kind } }: LimitedCall): boolean => kind === 'anonymous';
const byAnonymousAddress: KeyOf = (call) => (isAnonymous(call) ? call.address : undefined);
const byAnonymousNetwork: KeyOf = (call) => (isAnonymous(call) ? networkOf(call.address) : undefined);
const allAnonymous: KeyOf = (call) => (isAnonymous(call) ? 'all' : undefined);
/** Only anonymous callers count: they must not use up the recipient's own calls. */
const anonymousByRecipient: KeyOf = (call) => (isAnonymous(call) ? recipientIn(call.args) : undefined);
/** By the account's owner: two hundred keys of one account are one caller. */
const byAccountAndRecipient: KeyOf = (call) =>
  isAnonymous(call) ? undefined : `${call.principal.userId ?? call.principal.id} ${recipientIn(call.args) ?? ''}`;

function recipientIn(args: unknown): string | undefined {
  const id = (args as { input?: { recipientWalletId?: unknown } }).input?.recipientWalletId;
  return typeof id === 'string' ? id.toLowerCase() : undefined;
}

/** A `shared` policy counts in the store that RATE_LIMIT_STORE names, one count for all processes. */
export type PolicyStore = 'memory' | 'shared';

/**
 * `own`: the calls of one caller. `ceiling`: calls of many callers together; the first calls of each network count too, but always pass: a
 * crowd cannot block others. `first` finds those first calls, and refuses none.
 */
export type PolicyRole = 'own' | 'ceiling' | 'first';

interface PolicyRule {
  readonly rate: RateName;
  readonly store: PolicyStore;
  readonly role: PolicyRole;
  /** The key in a handler with `@RateLimit()`; the other callers of the limiter pass their key. */
  readonly keyOf: KeyOf;
}

/**
 * A handler with several policies counts in this order: a caller over its own limit uses up nothing of a ceiling. `shared` policies bound
 * guesses of secrets: N processes that count apart would permit N times as many, and a wrong answer costs far more than a statement.
 */
const POLICIES = {
  address: { rate: 'THROTTLE_ADDRESS', store: 'memory', role: 'own', keyOf: byAddress },
  principal: { rate: 'THROTTLE_PRINCIPAL', store: 'memory', role: 'own', keyOf: byAddress },
  account: { rate: 'THROTTLE_ACCOUNT', store: 'memory', role: 'own', keyOf: byAddress },
  eventCost: { rate: 'eventCost', store: 'memory', role: 'own', keyOf: byAccount },
  registration: { rate: 'THROTTLE_REGISTRATION', store: 'memory', role: 'own', keyOf: byAddress },
  authorizationPage: { rate: 'THROTTLE_AUTHORIZATION_PAGE', store: 'memory', role: 'own', keyOf: byAddress },
  pushedRequest: { rate: 'THROTTLE_PUSHED_REQUEST', store: 'memory', role: 'own', keyOf: byAddress },
  clientDocument: { rate: 'clientDocument', store: 'memory', role: 'own', keyOf: byAddress },
  clientDocumentHost: { rate: 'clientDocumentHost', store: 'memory', role: 'own', keyOf: byAddress },
  invoiceForOther: { rate: 'THROTTLE_INVOICE_FOR_OTHER', store: 'memory', role: 'own', keyOf: byAccountAndRecipient },
  anonymousInvoice: { rate: 'THROTTLE_ANONYMOUS_INVOICE', store: 'memory', role: 'own', keyOf: byAnonymousAddress },
  anonymousInvoiceFirst: { rate: 'anonymousInvoiceFirst', store: 'memory', role: 'first', keyOf: byAnonymousNetwork },
  anonymousInvoiceAll: { rate: 'anonymousInvoiceAll', store: 'memory', role: 'ceiling', keyOf: allAnonymous },
  invoiceRecipient: { rate: 'THROTTLE_INVOICE_RECIPIENT', store: 'memory', role: 'ceiling', keyOf: anonymousByRecipient },
  lnurlPayment: { rate: 'THROTTLE_LNURL_PAYMENT', store: 'memory', role: 'own', keyOf: byAccount },
  onChainAddress: { rate: 'THROTTLE_ONCHAIN_ADDRESS', store: 'memory', role: 'own', keyOf: byAccount },
  apiKey: { rate: 'apiKey', store: 'memory', role: 'own', keyOf: byAccount },
  application: { rate: 'application', store: 'memory', role: 'own', keyOf: byAccount },
  signInAccount: { rate: 'THROTTLE_SIGN_IN_ACCOUNT', store: 'shared', role: 'own', keyOf: byAddress },
  signInAddress: { rate: 'THROTTLE_SIGN_IN_ADDRESS', store: 'shared', role: 'own', keyOf: byAddress },
  signInFactor: { rate: 'THROTTLE_SIGN_IN_FACTOR', store: 'shared', role: 'own', keyOf: byAddress },
  signInDevice: { rate: 'signInDevice', store: 'shared', role: 'own', keyOf: byAddress },
  mailAddress: { rate: 'THROTTLE_MAIL', store: 'shared', role: 'own', keyOf: byAddress },
  mailRecipient: { rate: 'mailRecipient', store: 'shared', role: 'own', keyOf: byAddress },
  tokenClient: { rate: 'THROTTLE_TOKEN_CLIENT', store: 'shared', role: 'own', keyOf: byAddress },
  tokenAddress: { rate: 'THROTTLE_TOKEN_ADDRESS', store: 'shared', role: 'own', keyOf: byAddress },
} as const satisfies Readonly<Record<string, PolicyRule>>;

type CorePolicyName = keyof typeof POLICIES;

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
  /** The environment variable that sets it; null for a constant. */
  readonly variable: string | null;
  readonly counts: string;
  readonly store: PolicyStore;
  readonly role: PolicyRole;
  readonly keyOf: KeyOf;
}

/** An IPv6 /56 has as many times the calls of one /64. */
const NETWORKS_OF_WIDER = 4;

export class RateLimitPolicies implements Iterable<RateLimitPolicy> {
  private readonly byName: ReadonlyMap<string, RateLimitPolicy>;
  private readonly ofWider = new WeakMap<RateLimitPolicy, RateLimitPolicy>();

  constructor(settings: RateLimitSettings, ofExtensions: readonly RateLimitPolicy[] = []) {
    const ofCore = Object.entries(POLICIES).map(([name, { rate, ...rule }]): RateLimitPolicy => {
      const variable = isVariable(rate) ? rate : null;
      return Object.freeze({ name, ...rateOf(settings[rate]), ...rule, variable, counts: meaningOf(RateLimitSettings, rate) });
    });
    this.byName = new Map([...ofCore, ...ofExtensions].map((policy) => [policy.name, policy]));
  }

  [Symbol.iterator](): Iterator<RateLimitPolicy> {
    return this.byName.values();
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** @throws Error if no extension of this application has declared it */
  get(name: PolicyName): RateLimitPolicy {
    const policy = this.byName.get(name);
    if (!policy) throw new Error(`There is no rate limit policy "${name}"; there are ${[...this.byName.keys()].join(', ')}`);
    return policy;
  }

  /** For the IPv6 /56 around an address that `policy` counts. */
  wider(policy: RateLimitPolicy): RateLimitPolicy {
    return madeOnce(this.ofWider, policy, () => Object.freeze({ ...policy, limit: policy.limit * NETWORKS_OF_WIDER }));
  }
}
