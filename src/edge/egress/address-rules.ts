import ipaddr from 'ipaddr.js';
import { networkOf } from '../../platform/config/index.js';

export interface EgressRefusal {
  readonly kind: 'refused';
  readonly reason: 'invalid_url' | 'not_https' | 'address_not_public';
}

export const refused = (reason: EgressRefusal['reason']): EgressRefusal => ({ kind: 'refused', reason });

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
    this.allowed = allowed.map(networkOf);
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

  /** @param addresses of one name: one of them that is not permitted refuses it */
  refusalOf(protocol: string, addresses: readonly string[]): EgressRefusal | undefined {
    if (addresses.length === 0 || !addresses.every((address) => this.permits(address))) return refused('address_not_public');
    return protocol === 'https:' || addresses.every((address) => this.allows(address)) ? undefined : refused('not_https');
  }
}
