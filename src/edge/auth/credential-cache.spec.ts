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

it('a credential is kept for 30 seconds that pass, although the clock of the database is set back', () => {
  const clock = new TurnedClock();
  const cache = new CredentialCache({ current: true } as Events, clock);
  const principal = { id: 'a' } as Principal;
  cache.keep('api-key', 'secret', principal);
  expect([cache.find('api-key', 'secret'), cache.find('session', 'secret'), cache.find('api-key', 'other')]).toEqual([
    principal,
    undefined,
    undefined,
  ]);
  clock.ms = 29_999;
  expect(cache.find('api-key', 'secret')).toBe(principal);
  clock.ms = 30_000;
  expect(cache.find('api-key', 'secret')).toBeUndefined();
});
