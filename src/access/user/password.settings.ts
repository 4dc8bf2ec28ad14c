import { int } from '../../platform/config/index.js';

/** OWASP's minimum for argon2id (the library's default algorithm), about 20 ms of one core. Tests, whose passwords are no secret, take less. */
export class PasswordSettings {
  static readonly title = 'Passwords';

  @int(8, 1_048_576)
  memoryKib = 19_456;

  @int(1, 10)
  passes = 2;
}
