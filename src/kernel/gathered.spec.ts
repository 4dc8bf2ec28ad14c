import { Gathered } from './gathered.js';

describe('Gathered', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('reports the first at once, and later ones together, with at most five names', () => {
    const told: string[] = [];
    const gathered = new Gathered((ids, because) => told.push(`${ids}: ${because}`));
    for (const id of ['a', 'b', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) gathered.add(id, `of ${id}`);
    expect(told).toEqual(['a: of a']);
    jest.advanceTimersByTime(10_000);
    expect(told.slice(1)).toEqual(['b, c, d, e, f and 2 more: of h']);
    jest.advanceTimersByTime(10_000);
    gathered.add('i', 'of i');
    expect(told.slice(2)).toEqual(['i: of i']);
  });
});
