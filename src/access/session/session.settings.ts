import { int, Setting } from '../../platform/config/index.js';

const DAY = 86_400;

export class SessionSettings {
  static readonly title = 'Sessions';

  @Setting('a session ends after this time without use')
  @int(1, 3_650 * DAY)
  SESSION_IDLE_SECONDS = 30 * DAY;

  @Setting('a session ends this many days after its sign-in, however much it is used')
  @int(1, 3_650)
  SESSION_MAX_DAYS = 365;

  @Setting('a session that the company’s sign-in has opened ends this many hours later: then the provider is asked again')
  @int(1, 8_760)
  IDENTITY_SESSION_HOURS = 24;

  deviceSeconds = 365 * DAY;
}
