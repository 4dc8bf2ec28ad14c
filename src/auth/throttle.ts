import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { FastifyReply } from 'fastify';
import { Config } from '../config/index.js';
import { FixedWindows, type Hit } from './fixed-windows.js';

export type BucketName = keyof Config['throttle'];

/** The named buckets of the configuration. Who counts, and when, is the business of each endpoint. */
@Injectable()
export class Throttle {
  /** Calls that are among the first of their address. */
  private readonly first = new WeakSet<object>();

  constructor(
    private readonly config: Config,
    private readonly windows: FixedWindows,
  ) {}

  /** Counts one call in a bucket; `isBlocked` says whether it is one too many. */
  hit(bucket: BucketName, key: string): Hit {
    return this.windows.hit(`${bucket} ${key}`, this.config.throttle[bucket]);
  }

  /** Looks without counting: would the next call be one too many? For buckets in which only wrong answers count. */
  peek(bucket: BucketName, key: string): Hit {
    return this.windows.peek(`${bucket} ${key}`, this.config.throttle[bucket]);
  }

  markFirst(call: object): void {
    this.first.add(call);
  }

  /** Is this call among the first of its address in this minute? Then what other addresses do cannot keep it out. */
  isFirst(call: object): boolean {
    return this.first.has(call);
  }

  /** draft-ietf-httpapi-ratelimit-headers: lists of `"policy";q=quota;w=seconds` and `"policy";r=remaining;t=seconds`. */
  announce(reply: FastifyReply | undefined, bucket: BucketName, hit: Hit): void {
    if (!reply) return;
    const { limit, windowMs } = this.config.throttle[bucket];
    const name = bucket.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    append(reply, 'ratelimit-policy', `"${name}";q=${limit};w=${windowMs / 1000}`);
    append(reply, 'ratelimit', `"${name}";r=${Math.max(0, limit - hit.totalHits)};t=${hit.timeToExpire}`);
    if (hit.isBlocked) reply.header('retry-after', hit.timeToBlockExpire);
  }
}

function append(reply: FastifyReply, header: string, item: string): void {
  const before = reply.getHeader(header);
  reply.header(header, before ? `${String(before)}, ${item}` : item);
}

/** The caller's key: an IPv4 address or an IPv6 /64, seen through `hops` trusted proxies; the same rule for requests and upgrades. */
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

/** The network that an address of {@link addressOf} belongs to: an IPv6 /48, which is what one customer is given; an IPv4 address is its own. */
export function networkOf(address: string): string {
  const [ip = ''] = address.split('/');
  return isIP(ip) === 6 ? normalizeIp(ip, 48) : address;
}
