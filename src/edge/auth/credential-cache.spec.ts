import type { Events } from '../../platform/events/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { CredentialCache } from './credential-cache.js';
import type { Principal } from './principal.js';

/** The database's clock is set back while time passes. */
class TurnedClock extends Clock {
  ms = 0;

  override now(): number {
    return -this.ms;
  }

  override elapsed(): number {
    return this.ms;
  }

  override timeout(): () => void {
    return () => undefined;
  }
}

it('a credential is kept for 30 seconds that pass, although the clock of the database is set back', async () => {
  const clock = new TurnedClock();
  const cache = new CredentialCache({ current: true } as Events, clock);
  let asked = 0;
  const find = async (): Promise<number> => {
    await cache.find('api-key', Buffer.from('a'), async () => (asked++, { id: 'a' } as Principal));
    return asked;
  };
  expect([await find(), await find()]).toEqual([1, 1]);
  clock.ms = 29_999;
  expect(await find()).toBe(1);
  clock.ms = 30_000;
  expect(await find()).toBe(2);
});
