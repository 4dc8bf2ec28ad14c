import { oneOf, Setting } from '../../platform/config/index.js';

export type RegistrationMode = 'open' | 'invite' | 'closed';

export class RegistrationSettings {
  static readonly title = 'Registration';

  @Setting(
    'who may register: `open` (every person), `invite` (with a one-time invitation, `sluice invitation create`) or `closed` (operators make users, `sluice user create`); `open` in demo mode, `closed` in production',
    { production: 'closed' },
  )
  @oneOf('open', 'invite', 'closed')
  REGISTRATION: RegistrationMode = 'open';
}
