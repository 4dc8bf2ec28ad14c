import { FairSemaphore } from './fair-semaphore.js';

const gate = (): { opened: Promise<void>; open: () => void } => {
  let open = (): void => undefined;
  return { opened: new Promise<void>((resolve) => (open = resolve)), open };
};

describe('Turns', () => {
  it('run at most their maximum at once, first come first served', async () => {
    const semaphore = new FairSemaphore(2);
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const done = gates.map(({ opened }, index) =>
      semaphore.take('one', async () => {
        started.push(index);
        await opened;
        return index;
      }),
    );
    expect(started).toEqual([0, 1]);
    gates[1]?.open();
    expect(await done[1]).toBe(1);
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(done)).toEqual([0, 1, 2, 3]);
  });

  it('pass the slot on when work fails', async () => {
    const turns = new FairSemaphore(1);
    const failing = turns.take('one', () => Promise.reject(new Error('no')));
    const next = turns.take('one', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await turns.take('one', () => Promise.resolve('again'))).toBe('again');
  });

  /** The order in which work runs that arrived in this order while all slots were taken. */
  async function orderOf(turns: FairSemaphore, arrivals: readonly string[]): Promise<string[]> {
    const held = gate();
    const holding = turns.take('holder', () => held.opened);
    const order: string[] = [];
    const done = arrivals.map((name) => turns.take(name.charAt(0), () => Promise.resolve(void order.push(name))));
    held.open();
    await Promise.all([holding, ...done]);
    return order;
  }

  it('alternate between known callers and all unknown callers together', async () => {
    const turns = new FairSemaphore(1);
    const held = gate();
    const holding = turns.take('holder', () => held.opened);
    const order: string[] = [];
    const join = (name: string, who: 'known' | 'strangers'): Promise<void> => turns.take(name, async () => void order.push(name), who);
    const done = [...['a', 'b', 'c'].map((name) => join(name, 'strangers')), ...['x', 'y'].map((name) => join(name, 'known'))];
    expect([turns.waiting('strangers'), turns.waiting('known')]).toEqual([3, 2]);
    held.open();
    await Promise.all([holding, ...done]);
    expect(order).toEqual(['x', 'a', 'y', 'b', 'c']);
  });

  it('alternate between keys, and keep the order within a key', async () => {
    expect(await orderOf(new FairSemaphore(1), ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('let a caller without a key wait for at most one of each other key', async () => {
    const flood = Array.from({ length: 900 }, (_, i) => `${i % 9} ${i}`);
    const order = await orderOf(new FairSemaphore(1), [...flood, 'x']);
    expect(order.indexOf('x')).toBe(9);
    expect(order).toHaveLength(901);
  });
});
