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

  it('evicts by the size of the entries, and counts no entry that was deleted or replaced', () => {
    const map = new BoundedMap<string, number>(10, (value) => value).set('a', 4).set('b', 4).set('c', 2);
    expect([...map.keys()]).toEqual(['a', 'b', 'c']);
    map.delete('b');
    expect([...map.set('a', 3).set('d', 5).keys()]).toEqual(['c', 'a', 'd']);
    expect([...map.set('e', 6).keys()]).toEqual(['e']);
    map.clear();
    expect([...map.set('f', 10).set('g', 11).keys()]).toEqual([]);
  });
});
