import { secondsUntilNext } from './task.js';

describe('a schedule with a time of day', () => {
  it.each([
    ['03:16:50.000', 10],
    ['03:16:59.742', 86_400.258],
    ['03:17:00.000', 86_400],
    ['03:17:00.500', 86_399.5],
  ])('is due at %s in %d seconds', (time, seconds) => {
    expect(secondsUntilNext({ cron: '17 3 * * *' }, Date.parse(`2026-11-29T${time}Z`))).toBe(seconds);
  });
});
