import type { FastifyReply } from 'fastify';
import { madeOnce } from '../../platform/kernel/made-once.js';
import type { RateLimitPolicy } from './policies.js';
import type { RateLimitResult } from './rate-limit-store.js';

interface PolicyText {
  readonly name: string;
  readonly policy: string;
}

const texts = new WeakMap<RateLimitPolicy, PolicyText>();

function written(policy: RateLimitPolicy): PolicyText {
  const name = `"${policy.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}";`;
  return { name, policy: `${name}q=${policy.limit};w=${policy.windowMs / 1000}` };
}

export function setRateLimitHeaders(reply: FastifyReply | undefined, result: RateLimitResult): void {
  if (!reply) return;
  (reply.rateLimits ??= new Map<RateLimitPolicy, RateLimitResult>()).set(result.policy, result);
  if (result.isBlocked) reply.header('retry-after', result.resetSeconds);
}

/** draft-ietf-httpapi-ratelimit-headers: lists of `"policy";q=quota;w=seconds` and `"policy";r=remaining;t=seconds`. */
export function writeRateLimitHeaders(reply: FastifyReply): void {
  if (!reply.rateLimits) return;
  let [policies, limits, comma] = ['', '', ''];
  for (const { policy, hits, resetSeconds } of reply.rateLimits.values()) {
    const text = madeOnce(texts, policy, () => written(policy));
    policies += `${comma}${text.policy}`;
    limits += `${comma}${text.name}r=${Math.max(0, policy.limit - hits)};t=${resetSeconds}`;
    comma = ', ';
  }
  reply.header('ratelimit-policy', policies).header('ratelimit', limits);
}

declare module 'fastify' {
  interface FastifyReply {
    rateLimits: Map<RateLimitPolicy, RateLimitResult> | null;
  }
}
