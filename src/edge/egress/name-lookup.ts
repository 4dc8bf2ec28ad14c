import { lookup, Resolver } from 'node:dns/promises';

/** A name server may take this long; twice, if it does not answer. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Only the operator's own network has names without a dot. */
const OF_THE_SYSTEM = /^[^.]*$|\.localhost$/;

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export const newResolver = (): Resolver => new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

/**
 * Asks DNS alone. The look-up of the system also reads `hosts`, but a name server that does not answer holds one of the two threads that
 * all look-ups of the process share: its owner could stop connections to the database.
 * @throws Error of DNS
 */
export async function lookUpName(hostname: string, resolver: Resolver): Promise<ResolvedAddress[]> {
  if (OF_THE_SYSTEM.test(hostname)) return lookup(hostname, { all: true });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
  const listed = (result: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
  return [...listed(ipv4, 4), ...listed(ipv6, 6)];
}
