import { secondsUntilNext } from './task.js';

describe('a schedule with a time of day', () => {
  it.each([
    ['03:16:50.000', 12],
    ['03:16:59.742', 2.258],
    ['03:17:00.000', 86_402],
    ['03:17:00.500', 86_401.5],
  ])('is due two seconds after its time, and not before it: at %s in %d seconds', (time, seconds) => {
    expect(secondsUntilNext({ cron: '17 3 * * *' }, Date.parse(`2026-11-29T${time}Z`))).toBe(seconds);
  });
});
