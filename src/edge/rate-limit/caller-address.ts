import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import { madeOnce } from '../../platform/kernel/made-once.js';

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
  const believed = withoutPort(chain[0] ?? '');
  const address = isIP(believed) ? believed : (remote ?? '');
  return madeOnce(prefixes, address, () => prefixOf(address, 64));
}

/** A caller sends many requests, and each would parse its address anew. */
const prefixes = new BoundedMap<string, string>(10_000);

/** Some proxies write `192.0.2.1:443` or `[2001:db8::1]:443` (RFC 7239 section 6 allows the port). */
const withoutPort = (text: string): string => /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** The network of an address of {@link addressOf}: an IPv6 /48, which is what one customer gets; an IPv4 address is its own network. */
export function networkOf(address: string): string {
  const [ip = ''] = address.split('/');
  return isIP(ip) === 6 ? prefixOf(ip, 48) : address;
}

/** The key of the IPv6 /56 around a key that ends with a /64: many customers get that much. Undefined for any other key. */
export function widerKeyOf(key: string): string | undefined {
  if (!key.endsWith('/64')) return undefined;
  const start = key.lastIndexOf(' ') + 1;
  const ip = key.slice(start, -3);
  return isIP(ip) === 6 ? key.slice(0, start) + prefixOf(ip, 56) : undefined;
}

/** The prefix of an IPv6 address as RFC 5952 writes it; an IPv4 address, one mapped into IPv6 too, and the loopback are whole. */
function prefixOf(address: string, bits: 48 | 56 | 64): string {
  const [ip = ''] = address.split('%');
  if (isIP(ip) === 0) return address;
  const parsed = ipaddr.process(ip);
  if (parsed.kind() === 'ipv4' || parsed.range() === 'loopback') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toRFC5952String()}/${bits}`;
}
