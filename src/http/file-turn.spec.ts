import { FairQueue } from './fair-queue.js';
import { FileTurn } from './file-turn.js';

const HERE = { isGone: false };

describe('the turn of the files of a request', () => {
  const queue = new FairQueue('files', { atOnce: 1, atOnceEach: 1, max: 10, maxEach: 10, agedMs: 10_000 });
  /** Probes with a caller that is gone: a busy queue drops the probe instead of starting it. */
  const isFree = (): boolean => {
    const turn = queue.enter('another', { isGone: true });
    if (!turn) queue.leave('another');
    turn?.catch(() => undefined);
    return turn === undefined;
  };
  afterEach(() => expect([isFree(), queue.length]).toEqual([true, 0]));

  const controlled = (): { readonly make: () => Promise<string>; finish: () => void; hasBegun: boolean } => {
    const file = { hasBegun: false, finish: (): void => undefined, make: () => Promise.resolve('') };
    const done = new Promise<string>((resolve) => (file.finish = () => resolve('file')));
    file.make = () => ((file.hasBegun = true), done);
    return file;
  };

  it('makes its files one after the other, and is kept until the request ends', async () => {
    const [turn, one, other] = [new FileTurn(queue, 'a'), controlled(), controlled()];
    const made = [turn.make(HERE, one.make), turn.make(HERE, other.make)];
    await new Promise(setImmediate);
    expect([one.hasBegun, other.hasBegun]).toEqual([true, false]);
    one.finish();
    await made[0];
    other.finish();
    expect([await made[1], isFree()]).toEqual(['file', false]);
    turn.end();
  });

  it('is kept by a file that is in the making when the request ends', async () => {
    const [turn, file] = [new FileTurn(queue, 'a'), controlled()];
    const made = turn.make(HERE, file.make);
    await new Promise(setImmediate);
    turn.end();
    expect(isFree()).toBe(false);
    file.finish();
    await made;
  });

  it('is taken anew for each file of a subscription, whose request has ended', async () => {
    const turn = new FileTurn(queue, 'a');
    turn.end();
    expect(await turn.make(HERE, () => Promise.resolve('one'))).toBe('one');
    expect(isFree()).toBe(true);
    expect(await turn.make(HERE, () => Promise.resolve('other'))).toBe('other');
  });

  it('refuses the files of a caller that is gone while it waits, and makes those after a file that failed', async () => {
    const [turn, other] = [new FileTurn(queue, 'a'), new FileTurn(queue, 'b')];
    await expect(turn.make(HERE, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const caller = { isGone: false };
    const refused = [other.make(caller, () => Promise.resolve('one')), other.make(caller, () => Promise.resolve('two'))];
    await new Promise(setImmediate);
    caller.isGone = true;
    turn.end();
    for (const each of refused) await expect(each).rejects.toMatchObject({ queue: 'files', because: 'gone' });
    other.end();
  });
});
