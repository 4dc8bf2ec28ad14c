import { BoundedMap } from './bounded-map.js';

describe('a bounded map', () => {
  it('forgets the oldest, and no more than it must', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('forgets nothing for what is set again, which is the latest then', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3);
    expect([...map]).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
    expect([...map.set('c', 4).keys()]).toEqual(['a', 'c']);
  });
});
