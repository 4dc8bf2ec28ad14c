import { AdmissionLimit } from './admission-limit.js';

describe('Slots', () => {
  const taken = (admission: AdmissionLimit, key: string, times: number): number =>
    Array.from({ length: times }, () => admission.take(key)).filter((leave) => leave !== undefined).length;

  it('give a key at most its maximum, and one more when one is released', () => {
    const slots = new AdmissionLimit({ all: 100, shared: 100, each: 3 });
    const leave = slots.take('a');
    expect(taken(slots, 'a', 5)).toBe(2);
    leave?.();
    expect(taken(slots, 'a', 5)).toBe(1);
  });

  it('keep one for a key that has none, when keys with slots get no more', () => {
    const slots = new AdmissionLimit({ all: 12, shared: 9, each: 3 });
    expect(['a', 'b', 'c'].map((key) => taken(slots, key, 3))).toEqual([3, 3, 3]);
    expect(['d', 'e', 'f'].map((key) => taken(slots, key, 3))).toEqual([1, 1, 1]);
    expect(taken(slots, 'g', 1)).toBe(0);
  });

  it('drop keys that have left', () => {
    const slots = new AdmissionLimit({ all: 2, shared: 1, each: 1 });
    for (let i = 0; i < 10; i++) {
      const leave = slots.take(`key ${i}`);
      expect(leave).toBeDefined();
      leave?.();
    }
    expect(taken(slots, 'a', 2)).toBe(1);
  });
});
