import { MAX_WINDOWS, MemoryRateLimitStore } from './memory.store.js';
import { RateLimitPolicies } from './policies.js';
import { RateLimitSettings } from './rate-limit.settings.js';

const policies = new RateLimitPolicies(new RateLimitSettings());

describe('MemoryRateLimitStore', () => {
  const registration = policies.get('registration');
  const addressOf = (n: number): string => `2001:db8:${n}::/64`;

  it('drops the oldest windows when it has MAX_WINDOWS of them', () => {
    const store = new MemoryRateLimitStore();
    const hitsOf = (n: number, policy = registration): number => store.consumeNow(policy, addressOf(n), 0).hits;
    store.consumeNow(policies.get('address'), addressOf(0), 1);
    for (let n = 0; n <= MAX_WINDOWS; n++) store.consumeNow(registration, addressOf(n), 1);
    expect([hitsOf(0), hitsOf(1), hitsOf(MAX_WINDOWS)]).toEqual([0, 1, 1]);
    expect(hitsOf(0, policies.get('address'))).toBe(1);
  });

  it('counts a new key as fast with MAX_WINDOWS of them as with a few', () => {
    const store = new MemoryRateLimitStore();
    const millisecondsOf = (first: number): number => {
      const { user } = process.cpuUsage();
      for (let n = first; n < first + 50_000; n++) store.consumeNow(registration, addressOf(n), 1);
      return (process.cpuUsage().user - user) / 1000;
    };
    const withFew = millisecondsOf(0);
    for (let n = 50_000; n < MAX_WINDOWS + 100_000; n++) store.consumeNow(registration, addressOf(n), 1);
    // With a map alone it is a hundred times as much.
    expect(millisecondsOf(MAX_WINDOWS + 100_000) / Math.max(withFew, 10)).toBeLessThan(25);
  });

  it('begins a new window when the old one has ended', () => {
    const store = new MemoryRateLimitStore();
    jest.useFakeTimers({ advanceTimers: false });
    const brief = { ...registration, limit: 1, windowMs: 1 };
    expect(store.consumeNow(brief, 'a', 2)).toMatchObject({ hits: 2, isBlocked: true });
    jest.advanceTimersByTime(1);
    expect(store.consumeNow(brief, 'a', 0)).toMatchObject({ hits: 0, isBlocked: false });
    expect(store.consumeNow(brief, 'a', 1)).toMatchObject({ hits: 1, isBlocked: false });
    expect(store.consumeNow(brief, 'a', 0)).toMatchObject({ hits: 1, isBlocked: true });
  });
});
