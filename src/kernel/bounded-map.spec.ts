import { BoundedMap } from './bounded-map.js';

describe('BoundedMap', () => {
  it('evicts the oldest entries, and no more than it must', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('evicts nothing when a key is set again, and makes that key the newest', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3);
    expect([...map]).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
    expect([...map.set('c', 4).keys()]).toEqual(['a', 'c']);
  });
});
