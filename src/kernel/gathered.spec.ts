import { Gathered } from './gathered.js';

describe('Gathered', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('reports the first at once, and later ones together, with at most five names', () => {
    const reported: string[] = [];
    const gathered = new Gathered((ids, because) => reported.push(`${ids}: ${because}`));
    for (const id of ['a', 'b', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) gathered.add(id, `of ${id}`);
    expect(reported).toEqual(['a: of a']);
    jest.advanceTimersByTime(10_000);
    expect(reported.slice(1)).toEqual(['b, c, d, e, f and 2 more: of h']);
    jest.advanceTimersByTime(10_000);
    gathered.add('i', 'of i');
    expect(reported.slice(2)).toEqual(['i: of i']);
  });
});
