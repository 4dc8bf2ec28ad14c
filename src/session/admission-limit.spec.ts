import { AdmissionLimit } from './admission-limit.js';

describe('Places', () => {
  const taken = (admission: AdmissionLimit, key: string, times: number): number =>
    Array.from({ length: times }, () => admission.take(key)).filter((leave) => leave !== undefined).length;

  it('give a key at most its maximum, and one more when one is released', () => {
    const places = new AdmissionLimit({ all: 100, crowded: 100, each: 3 });
    const leave = places.take('a');
    expect(taken(places, 'a', 5)).toBe(2);
    leave?.();
    expect(taken(places, 'a', 5)).toBe(1);
  });

  it('keep one for a key that has none, when keys with places get no more', () => {
    const places = new AdmissionLimit({ all: 12, crowded: 9, each: 3 });
    expect(['a', 'b', 'c'].map((key) => taken(places, key, 3))).toEqual([3, 3, 3]);
    expect(['d', 'e', 'f'].map((key) => taken(places, key, 3))).toEqual([1, 1, 1]);
    expect(taken(places, 'g', 1)).toBe(0);
  });

  it('drop keys that have left', () => {
    const places = new AdmissionLimit({ all: 2, crowded: 1, each: 1 });
    for (let i = 0; i < 10; i++) {
      const leave = places.take(`key ${i}`);
      expect(leave).toBeDefined();
      leave?.();
    }
    expect(taken(places, 'a', 2)).toBe(1);
  });
});
