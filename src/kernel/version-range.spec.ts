import { isInRange } from './version-range.js';

describe('a range of versions', () => {
  it.each([
    ['^0.2', '0.2.0', true],
    ['^0.2', '0.2.9', true],
    ['^0.2', '0.3.0', false],
    ['^0.2.3', '0.2.2', false],
    ['^0.0.3', '0.0.3', true],
    ['^0.0.3', '0.0.4', false],
    ['^1.2', '1.9.0', true],
    ['^1.2', '2.0.0', false],
    ['^0', '0.9.0', true],
    ['~1.4.2', '1.4.9', true],
    ['~1.4.2', '1.5.0', false],
    ['~1', '1.9.0', true],
    ['1', '1.9.9', true],
    ['1.4', '1.4.9', true],
    ['1.4.2', '1.4.3', false],
    ['=1.4.2', '1.4.2', true],
    ['>=0.2 <0.4', '0.3.7', true],
    ['>=0.2 <0.4', '0.4.0', false],
    ['>1.4', '1.4.9', false],
    ['>1.4', '1.5.0', true],
    ['<=1.4', '1.4.9', true],
    ['<=1.4', '1.5.0', false],
    ['^0.2', '0.2.1-next.3', true],
  ])('%s: is %s in it? %s', (range, version, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });

  it.each(['', 'latest', '1 || 2', '1.x', '^', '>= 1'])('cannot be %j', (range) => {
    expect(isInRange('1.0.0', range)).toBeUndefined();
  });
});
