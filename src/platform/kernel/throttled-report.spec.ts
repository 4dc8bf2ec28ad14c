import { ThrottledReport } from './throttled-report.js';

describe('ThrottledReport', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('reports the first at once, and later ones together, with at most five names', () => {
    const reported: string[] = [];
    const report = new ThrottledReport((ids, because) => reported.push(`${ids}: ${because}`));
    for (const id of ['a', 'b', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) report.add(id, `of ${id}`);
    expect(reported).toEqual(['a: of a']);
    jest.advanceTimersByTime(10_000);
    expect(reported.slice(1)).toEqual(['b, c, d, e, f and 2 more: of h']);
    jest.advanceTimersByTime(10_000);
    report.add('i', 'of i');
    expect(reported.slice(2)).toEqual(['i: of i']);
  });
});
