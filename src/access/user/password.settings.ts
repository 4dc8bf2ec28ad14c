import { int, Setting, yesNo } from '../../platform/config/index.js';

/** OWASP's minimum for argon2id (the library's default algorithm), about 20 ms of one core. Tests, whose passwords are no secret, take less. */
export class PasswordSettings {
  static readonly title = 'Passwords';

  @Setting(
    '`0`: people sign in through the company alone. Passwords, passkeys without it, registration and resets are off; passkeys and codes stay second factors. Needs an identity provider',
  )
  @yesNo()
  PASSWORD_SIGN_IN = true;

  @Setting(
    'satoshis that an account sends to other wallets, and to users of this server, in the 24 hours after a reset of the password by a person without a second factor: a thief of the mailbox gets no more',
  )
  @int(0, 2_100_000_000_000_000)
  RESET_SEND_LIMIT_SATS = 100_000;

  @int(8, 1_048_576)
  memoryKib = 19_456;

  @int(1, 10)
  passes = 2;
}
