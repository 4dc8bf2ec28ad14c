import { Turns } from './turns.js';

const gate = (): { opened: Promise<void>; open: () => void } => {
  let open = (): void => undefined;
  return { opened: new Promise<void>((resolve) => (open = resolve)), open };
};

describe('Turns', () => {
  it('runs so many at once and no more, first come first served', async () => {
    const turns = new Turns(2);
    const gates = [gate(), gate(), gate(), gate()];
    const started: number[] = [];
    const done = gates.map(({ opened }, index) =>
      turns.take(async () => {
        started.push(index);
        await opened;
        return index;
      }),
    );
    expect(started).toEqual([0, 1]);
    expect(turns.waiting).toBe(2);
    gates[1]?.open();
    expect(await done[1]).toBe(1);
    expect(started).toEqual([0, 1, 2]);
    for (const { open } of gates) open();
    expect(await Promise.all(done)).toEqual([0, 1, 2, 3]);
    expect(turns.waiting).toBe(0);
  });

  it('hands the place on when work fails', async () => {
    const turns = new Turns(1);
    const failing = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await turns.take(() => Promise.resolve('again'))).toBe('again');
  });
});
