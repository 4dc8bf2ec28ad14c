import ipaddr from 'ipaddr.js';
import { networkOf } from '../../platform/config/index.js';
import { emailOf } from '../user/index.js';
import { IdentityProvider, type IdentityRequest, type IdentityStart } from './identity-provider.js';

/** A proxy in front of this server signs people in, and sends their e-mail address in a header. */
export class TrustedHeader extends IdentityProvider {
  private readonly header: string;
  private readonly proxies: ReturnType<typeof networkOf>[];

  /** @param proxies as `networks()` checks them */
  constructor(
    readonly name: string,
    header: string,
    proxies: string,
  ) {
    super();
    this.header = header.toLowerCase();
    this.proxies = proxies.split(',').map(networkOf);
  }

  async start({ headers, peerAddress, fresh }: IdentityRequest): Promise<IdentityStart> {
    // A proxy does not say when the person authenticated, and cannot be asked for a new proof.
    if (fresh) return { kind: 'refused', reason: 'not_fresh' };
    if (!this.isProxy(peerAddress)) return denied(`${this.header} came from ${peerAddress}, which is not in TRUSTED_IDENTITY_PROXIES`);
    const [value = '', ...others] = headers[this.header] ?? [];
    const email = emailOf(value);
    if (email === undefined || others.length > 0) return denied(`${this.header} must be sent once, with one e-mail address`);
    const proved = { issuer: `header:${this.header}`, subject: email, email, emailVerified: true, authTime: new Date(), amr: [] };
    return { kind: 'proved', identity: proved };
  }

  private isProxy(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return this.proxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}

const denied = (detail: string): IdentityStart => ({ kind: 'refused', reason: 'denied', detail });
