import { isIP } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';

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
  return normalizeIp(isIP(believed) ? believed : (remote ?? ''), 64);
}

/** Some proxies write `192.0.2.1:443` or `[2001:db8::1]:443` (RFC 7239 section 6 allows the port). */
const withoutPort = (text: string): string => /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** The network of an address of {@link addressOf}: an IPv6 /48, which is what one customer gets; an IPv4 address is its own network. */
export function networkOf(address: string): string {
  const [ip = ''] = address.split('/');
  return isIP(ip) === 6 ? normalizeIp(ip, 48) : address;
}
