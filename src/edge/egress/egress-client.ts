import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Resolver, lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, request as send, type Dispatcher } from 'undici';
import { boundedText } from '../../platform/kernel/bounded-text.js';
import { Metrics } from '../../platform/metrics/index.js';
import { EgressSettings } from './egress.settings.js';
import { AddressRules, refused, type EgressRefusal } from './address-rules.js';

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
  | EgressRefusal
  | { readonly kind: 'busy' }
  /** The server may have received the request. */
  | { readonly kind: 'failed'; readonly reason: 'timeout' | 'unreachable' | 'too_large' };

const MAX_IN_PROGRESS = 256;
const MAX_URL_LENGTH = 2_048;

class RefusedError extends Error {
  constructor(readonly refusal: EgressRefusal) {
    super(refusal.reason);
  }
}

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
    this.agents = { 'https:': this.agentOf('https:'), 'http:': this.agentOf('http:') };
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

  /** By the URL alone: its name is not looked up. */
  refusalOf(url: string): EgressRefusal | undefined {
    const parsed = url.length <= MAX_URL_LENGTH && !/\s/.test(url) && URL.canParse(url) ? new URL(url) : null;
    if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) return refused('invalid_url');
    const address = addressIn(parsed);
    if (address !== undefined) return this.rules.refusalOf(parsed.protocol, [address]);
    return parsed.protocol === 'https:' || this.rules.allowsAny ? undefined : refused('not_https');
  }

  /** What `request` would refuse now. A name that cannot be looked up is not refused: it may lead somewhere later. */
  async refusalNow(url: string): Promise<EgressRefusal | undefined> {
    const refusal = this.refusalOf(url);
    if (refusal) return refusal;
    const parsed = new URL(url);
    const found = addressIn(parsed) === undefined && (await this.resolve(parsed.hostname).catch(() => null));
    return found
      ? this.rules.refusalOf(
          parsed.protocol,
          found.map(({ address }) => address),
        )
      : undefined;
  }

  private async resultOf(asked: EgressRequest): Promise<EgressResult> {
    const refusal = this.refusalOf(asked.url);
    if (refusal) return refusal;
    if (this.inProgress >= MAX_IN_PROGRESS) return { kind: 'busy' };
    this.inProgress++;
    try {
      return await this.exchange(asked);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal) return refusal;
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

  private agentOf(protocol: string): Agent {
    return new Agent({
      connect: { lookup: this.lookupFor(protocol) },
      // A connection is used again only for a short time: the name may have another address by then.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 4_000,
      // As many connections to a server as there are requests: one that is slow to some must not delay the others. The callers of this client
      // share what is in progress among those who chose the addresses.
      connections: null,
      pipelining: 1,
    });
  }

  private lookupFor(protocol: string): LookupFunction {
    return (hostname, options, callback) => {
      this.resolve(hostname)
        .then((addresses) => {
          const refusal = this.rules.refusalOf(
            protocol,
            addresses.map(({ address }) => address),
          );
          if (refusal) throw new RefusedError(refusal);
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

/** Undefined: the host is a name. */
function addressIn({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

function refusalIn(error: unknown): EgressRefusal | undefined {
  if (error instanceof RefusedError) return error.refusal;
  if (error instanceof AggregateError) return error.errors.map(refusalIn).find((refusal) => refusal !== undefined);
  return error instanceof Error ? refusalIn(error.cause) : undefined;
}

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
