import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { FastifyReply } from 'fastify';
import { Config } from '../config/index.js';
import { FixedWindows, type Hit } from './fixed-windows.js';
import type { Principal } from './principal.js';

export type BucketName = keyof Config['throttle'];

/** The named buckets of the configuration. Each endpoint decides who counts, and when. */
@Injectable()
export class Throttle {
  /** Calls that are among the first of their network. */
  private readonly first = new WeakSet<object>();
  private readonly names = new Map<BucketName, Named>();

  constructor(
    private readonly config: Config,
    private readonly windows: FixedWindows,
  ) {}

  /**
   * Counts a call in a bucket; `isBlocked`: the limit is exceeded.
   * @param calls how many calls it counts as
   */
  hit(bucket: BucketName, key: string, calls = 1): Hit {
    return this.windows.hit(bucket, key, this.config.throttle[bucket], calls);
  }

  /**
   * Charges the rest of a document's cost: the first call was counted before the cost was known.
   * @returns false if it exceeds the limit of the principal or the account
   */
  charge({ id, userId }: Principal, cost: number, reply?: FastifyReply): boolean {
    const calls = Math.ceil(cost / this.config.graphql.callCost) - 1;
    if (calls <= 0 || userId === null) return true;
    const hits = [['principal', id] as const, ['account', userId] as const].map(([bucket, key]) => {
      const hit = this.hit(bucket, key, calls);
      this.setRateLimitHeaders(reply, bucket, hit);
      return hit;
    });
    return hits.every(({ isBlocked }) => !isBlocked);
  }

  /** Would the next call exceed the limit? Does not count. For buckets that count wrong answers only. */
  peek(bucket: BucketName, key: string): Hit {
    return this.hit(bucket, key, 0);
  }

  markFirst(call: object): void {
    this.first.add(call);
  }

  /** Is this call among the first of its network in the current window? Then other addresses cannot block it. */
  isFirst(call: object): boolean {
    return this.first.has(call);
  }

  /** Reports in the response how much of a bucket is left. The last call for a bucket counts. */
  setRateLimitHeaders(reply: FastifyReply | undefined, bucket: BucketName, hit: Hit): void {
    if (!reply) return;
    (reply.rateLimits ??= new Map<BucketName, Hit>()).set(bucket, hit);
    if (hit.isBlocked) reply.header('retry-after', hit.timeToBlockExpire);
  }

  /** draft-ietf-httpapi-ratelimit-headers: lists of `"policy";q=quota;w=seconds` and `"policy";r=remaining;t=seconds`. */
  writeHeaders(reply: FastifyReply): void {
    if (!reply.rateLimits) return;
    let [policies, limits, comma] = ['', '', ''];
    for (const [bucket, { totalHits, timeToExpire }] of reply.rateLimits) {
      const { name, policy, limit } = this.named(bucket);
      policies += `${comma}${policy}`;
      limits += `${comma}${name}r=${Math.max(0, limit - totalHits)};t=${timeToExpire}`;
      comma = ', ';
    }
    reply.header('ratelimit-policy', policies).header('ratelimit', limits);
  }

  /** The constant part of a bucket's headers. */
  private named(bucket: BucketName): Named {
    const known = this.names.get(bucket);
    if (known) return known;
    const { limit, windowMs } = this.config.throttle[bucket];
    const name = `"${bucket.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}";`;
    const made = { name, limit, policy: `${name}q=${limit};w=${windowMs / 1000}` };
    this.names.set(bucket, made);
    return made;
  }
}

interface Named {
  readonly name: string;
  readonly policy: string;
  readonly limit: number;
}

/** The caller's key: an IPv4 address or an IPv6 /64, behind `hops` trusted proxies; the same rule for requests and upgrades. */
export function addressOf(remote: string | undefined, forwarded: string | string[] | undefined, hops: number): string {
  const chain =
    hops > 0
      ? String(forwarded ?? '')
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
          .slice(-hops)
      : [];
  const believed = chain[0] ?? '';
  return normalizeIp(isIP(believed) ? believed : (remote ?? ''), 64);
}

/** The network of an address of {@link addressOf}: an IPv6 /48, which is what one customer gets; an IPv4 address is its own network. */
export function networkOf(address: string): string {
  const [ip = ''] = address.split('/');
  return isIP(ip) === 6 ? normalizeIp(ip, 48) : address;
}

declare module 'fastify' {
  interface FastifyReply {
    /** The buckets that counted this call, with the result of each. */
    rateLimits: Map<BucketName, Hit> | null;
  }
}
