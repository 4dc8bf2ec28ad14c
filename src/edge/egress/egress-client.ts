import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Resolver, lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request as send, type Dispatcher } from 'undici';
import { boundedText } from '../../platform/kernel/bounded-text.js';
import { Metrics } from '../../platform/metrics/index.js';
import { EgressSettings } from './egress.settings.js';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** The only part of IPv6 from which public addresses are given out. Of the rest, `ipaddr.js` calls what has no name yet `unicast`. */
const PUBLIC_IPV6: Network = ipaddr.parseCIDR('2000::/3');

/**
 * Azure's host serves its machines at this public address. The other clouds use ranges that are not public (169.254.169.254,
 * 100.100.100.200, 192.0.0.192, fd00:ec2::254, fd20:ce::254).
 */
const OF_CLOUDS: ReadonlySet<string> = new Set(['168.63.129.16']);

export class AddressRules {
  private readonly allowed: readonly Network[];

  /** @param allowed networks as `10.0.0.0/8` or `fd00::/8` */
  constructor(allowed: readonly string[]) {
    this.allowed = allowed.map((network) => ipaddr.parseCIDR(network));
  }

  permits(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    // An IPv4 address that is written as IPv6 reaches the same host. Every other tunnel is a range of its own, which is not `unicast`.
    const address = ipaddr.process(text);
    const isPublic = address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(...PUBLIC_IPV6));
    return (isPublic && !OF_CLOUDS.has(address.toString())) || this.allows(text);
  }

  get allowsAny(): boolean {
    return this.allowed.length > 0;
  }

  /** A request may then be without TLS. */
  allows(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return this.allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}

export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  /** `https:`; `http:` only to a network that the operator allows (`EGRESS_ALLOW`). */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the look-up of the name to the last byte of the response. */
  readonly timeoutMs: number;
  /** A longer body is `too_large`, or its rest is not read if the status suffices. */
  readonly maxBytes: number;
  /** True: a status that has arrived is the result, whatever becomes of the body, which is not returned. */
  readonly statusSuffices?: boolean;
}

export type EgressResult =
  /** Redirects are not followed. */
  | { readonly kind: 'response'; readonly status: number; readonly headers: Dispatcher.ResponseData['headers']; readonly body: string }
  /** Nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: 'invalid_url' | 'not_https' | 'address_not_public' }
  | { readonly kind: 'busy' }
  /** The server may have received the request. */
  | { readonly kind: 'failed'; readonly reason: 'timeout' | 'unreachable' | 'too_large' };

const MAX_IN_PROGRESS = 256;
const MAX_URL_LENGTH = 2_048;

class NotPublic extends Error {}

/**
 * Guards against server-side request forgery: a name is resolved once, every address of it must be public, and the connection goes to an
 * address that was checked.
 */
@Injectable()
export class EgressClient implements OnApplicationShutdown {
  private readonly rules: AddressRules;
  private readonly agents: Readonly<Record<string, Agent>>;
  private readonly counter;
  private inProgress = 0;

  constructor(settings: EgressSettings, metrics: Metrics) {
    this.rules = new AddressRules(settings.allowedNetworks);
    this.agents = {
      'https:': this.agentTo((address) => this.rules.permits(address)),
      'http:': this.agentTo((address) => this.rules.allows(address)),
    };
    this.counter = metrics.counter('sluice_egress_requests_total', 'Requests to addresses that callers chose, by result', ['result']);
    metrics.gauge(
      'sluice_egress_requests_in_progress',
      'Requests to addresses that callers chose, without a response yet',
      () => this.inProgress,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Object.values(this.agents).map((agent) => agent.destroy()));
  }

  /** Never rejects. */
  async request(asked: EgressRequest): Promise<EgressResult> {
    const result = await this.resultOf(asked);
    this.counter.inc({ result: result.kind });
    return result;
  }

  refusalOf(url: string): Extract<EgressResult, { kind: 'refused' }> | undefined {
    const parsed = url.length <= MAX_URL_LENGTH && URL.canParse(url) ? new URL(url) : null;
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) return refused('invalid_url');
    const host = parsed.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.rules.permits(host)) return refused('address_not_public');
    const mayLackTls = isIP(host) === 0 ? this.rules.allowsAny : this.rules.allows(host);
    return parsed.protocol === 'https:' || mayLackTls ? undefined : refused('not_https');
  }

  private async resultOf(asked: EgressRequest): Promise<EgressResult> {
    const refusal = this.refusalOf(asked.url);
    if (refusal) return refusal;
    if (this.inProgress >= MAX_IN_PROGRESS) return { kind: 'busy' };
    this.inProgress++;
    try {
      return await this.exchange(asked);
    } catch (error) {
      if (isNotPublic(error)) return refused('address_not_public');
      return { kind: 'failed', reason: (error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable' };
    } finally {
      this.inProgress--;
    }
  }

  private async exchange(asked: EgressRequest): Promise<EgressResult> {
    const { method, url, headers = {}, body, timeoutMs, maxBytes } = asked;
    const response = await send(url, {
      dispatcher: this.agents[new URL(url).protocol] as Agent,
      method,
      headers: { 'accept-encoding': 'identity', 'user-agent': 'Sluice', ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { statusCode: status, headers: received } = response;
    if (asked.statusSuffices) {
      await response.body.dump({ limit: maxBytes });
      return { kind: 'response', status, headers: received, body: '' };
    }
    const text = await boundedText(response.body as AsyncIterable<Buffer>, maxBytes);
    if (text === undefined) return { kind: 'failed', reason: 'too_large' };
    return { kind: 'response', status, headers: received, body: text };
  }

  private agentTo(isPermitted: (address: string) => boolean): Agent {
    return new Agent({
      connect: { lookup: this.lookupBy(isPermitted) },
      // A connection is used again only for a short time: the name may have another address by then.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 4_000,
      // As many connections to a server as there are requests: one that is slow to some must not delay the others. The callers of this client
      // share what is in progress among those who chose the addresses.
      connections: null,
      pipelining: 1,
    });
  }

  /** One address that is not permitted refuses the name. */
  private lookupBy(isPermitted: (address: string) => boolean): LookupFunction {
    return (hostname, options, callback) => {
      this.resolve(hostname)
        .then((addresses) => {
          if (addresses.length === 0 || !addresses.every(({ address }) => isPermitted(address))) throw new NotPublic();
          if (options.all) callback(null, addresses);
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
        })
        .catch((error: unknown) => callback(error as Error, []));
    };
  }

  protected resolve(hostname: string): Promise<ResolvedAddress[]> {
    return lookUpName(hostname, this.resolver());
  }

  /** A new one reads the system's name servers again. */
  protected resolver(): Resolver {
    return new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  }
}

const refused = (reason: Extract<EgressResult, { kind: 'refused' }>['reason']): Extract<EgressResult, { kind: 'refused' }> => ({
  kind: 'refused',
  reason,
});

const isNotPublic = (error: unknown): boolean =>
  error instanceof NotPublic ||
  (error instanceof AggregateError ? error.errors.some(isNotPublic) : error instanceof Error && isNotPublic(error.cause));

/** A name server may take this long; twice, if it does not answer. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Only the operator's own network has names without a dot. */
const OF_THE_SYSTEM = /^[^.]*$|\.localhost$/;

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/**
 * Asks DNS alone. The look-up of the system also reads `hosts`, but a name server that does not answer holds one of the two threads that
 * all look-ups of the process share: its owner could stop connections to the database.
 * @throws Error of DNS
 */
async function lookUpName(hostname: string, resolver: Resolver): Promise<ResolvedAddress[]> {
  if (OF_THE_SYSTEM.test(hostname)) return lookup(hostname, { all: true });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
  const listed = (result: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  return [...listed(ipv4, 4), ...listed(ipv6, 6)];
}
