import { FairSlots } from './fair-slots.js';

describe('fair slots', () => {
  const takeAll = (slots: FairSlots, caller: string): (() => void)[] => {
    const taken = [];
    for (let release = slots.take(caller); release; release = slots.take(caller)) taken.push(release);
    return taken;
  };

  it('leave half to the others, and one to a caller that has none', () => {
    const slots = new FairSlots(8);
    expect([takeAll(slots, 'a'), takeAll(slots, 'b'), takeAll(slots, 'c')].map(({ length }) => length)).toEqual([4, 2, 1]);
    expect([slots.free, slots.refused]).toEqual([1, ['a', 'b', 'c']]);
    expect(slots.take('d')).toBeDefined();
    expect(slots.take('e')).toBeUndefined();
  });

  it('are free again when they are given back', () => {
    const slots = new FairSlots(8);
    for (const release of takeAll(slots, 'a')) release();
    expect(takeAll(slots, 'b')).toHaveLength(4);
  });
});
