import { Clock } from '../../platform/kernel/clock.js';
import { newId } from '../../platform/kernel/uuid.js';
import { loadConfig } from '../../platform/config/index.js';
import { DeviceCookie } from './device-cookie.js';
import { SessionSettings } from './session.settings.js';

const SECRET = 'a secret for tests, long enough to be one';
class TurnedClock extends Clock {
  time = 1_800_000_000_000;
  override now(): number {
    return this.time;
  }
  override timeout(): () => void {
    return () => undefined;
  }
}
const cookies = (env: Readonly<Record<string, string>>, clock: Clock = new TurnedClock(), settings = new SessionSettings()): DeviceCookie =>
  new DeviceCookie(
    loadConfig({ SECRET_KEY: SECRET, ...env }, () => SECRET),
    settings,
    clock,
  );

describe('the device cookie', () => {
  const userId = newId();

  it('names its account, and differs for each browser', () => {
    const devices = cookies({});
    const [one, other] = [devices.make(userId), devices.make(userId)];
    expect(devices.read(one)).toMatchObject({ userId });
    expect(devices.read(one)?.id).not.toBe(devices.read(other)?.id);
  });

  it('is invalid when a character was changed, when it is missing, and under another secret', () => {
    const devices = cookies({});
    const made = devices.make(userId);
    const flipped = Array.from(made, (letter, i) => `${made.slice(0, i)}${letter === '1' ? '2' : '1'}${made.slice(i + 1)}`);
    // The last character of the signature carries bits that decode to nothing.
    expect(flipped.slice(0, -1).filter((each) => devices.read(each) !== null)).toEqual([]);
    for (const none of [undefined, '', 'x', made.slice(1), `${made}x`]) expect(devices.read(none)).toBeNull();
    expect(cookies({ SECRET_KEY: 'x'.repeat(40) }).read(made)).toBeNull();
    expect(cookies({ SECRET_KEY: 'x'.repeat(40), SECRET_KEY_PREVIOUS: SECRET }).read(made)).toMatchObject({ userId });
  });

  it('expires', () => {
    const clock = new TurnedClock();
    const devices = cookies({}, clock, Object.assign(new SessionSettings(), { deviceSeconds: 60 }));
    const made = devices.make(userId);
    clock.time += 59_000;
    expect(devices.read(made)).not.toBeNull();
    clock.time += 1_000;
    expect(devices.read(made)).toBeNull();
  });
});
