import { compareReleases } from './release.js';

it.each([
  ['0.1.0', '0.2.0'],
  ['0.9.0', '0.10.0'],
  ['0.10.2', '1.0.0'],
  ['1.2.3', '1.2.11'],
  ['1.2.0-rc.1', '1.2.0'],
  ['1.2.0-rc.2', '1.2.0-rc.10'],
  ['1.1.9', '1.2.0-rc.1'],
])('release %s is before %s', (earlier, later) => {
  expect(compareReleases(earlier, later)).toBeLessThan(0);
  expect(compareReleases(later, earlier)).toBeGreaterThan(0);
  expect(compareReleases(later, later)).toBe(0);
});
