import { networks, Setting } from '../../platform/config/index.js';

export class EgressSettings {
  static readonly title = 'Requests to addresses of callers';

  @Setting(
    'networks, such as `10.0.0.0/8,fd00::/8`, that requests to addresses of callers (webhooks, LNURL, and the keys, logouts and documents of apps) may go to although they are not public, also by `http:`; this machine in demo mode, none in production. Names with a dot are looked up in DNS, not in the file `hosts`',
    { production: '' },
  )
  @networks()
  EGRESS_ALLOW = '127.0.0.0/8,::1/128';

  get allowedNetworks(): readonly string[] {
    return this.EGRESS_ALLOW === '' ? [] : this.EGRESS_ALLOW.split(',');
  }
}
