import { retryAfterOf } from './retry-after.js';

describe('Retry-After of a webhook endpoint', () => {
  it.each([
    [503, '120', 120],
    [429, ' 120 ', 120],
    [502, 'Fri, 27 Nov 2026 12:10:00 GMT', 600],
    [504, 'Friday, 27-Nov-26 12:10:00 GMT', 600],
    [503, 'Fri, 27 Nov 2026 12:00:00 GMT', 0],
    [503, 'Sat, 28 Nov 2027 12:00:00 GMT', 86_400],
    [503, '9'.repeat(400), 86_400],
    [503, ['60', '90'], 0],
    [503, '1.5', 0],
    [503, '-5', 0],
    [503, 'tomorrow', 0],
    [503, '', 0],
    [503, undefined, 0],
    [200, '120', 0],
    [500, '120', 0],
    [301, '120', 0],
  ])('of %d with %p is %d seconds', (status, value, seconds) => {
    expect(retryAfterOf(status, { 'retry-after': value }, Date.parse('2026-11-27T12:00:00.500Z'))).toBe(seconds);
  });
});
