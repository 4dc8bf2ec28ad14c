import { BatchLoader } from './batcher.js';

/** Statements that end when the test calls `answer`. */
function held(): { readonly asked: string[][]; readonly loader: BatchLoader<string>; readonly answer: () => void } {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const loader = new BatchLoader<string>((keys) => {
    asked.push([...keys]);
    const version = asked.length;
    return new Promise((resolve) => answers.push(() => resolve(keys.map((key) => `${key}${version}`))));
  });
  return { asked, loader, answer: () => answers.shift()?.() };
}
/** Turns the event loop until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('a batch loader', () => {
  it('read a key once for all callers that wait for it', async () => {
    const { asked, loader, answer } = held();
    const found = Promise.all(['a', 'b', 'a', 'a'].map((key) => loader.load(key)));
    await until(() => asked.length === 1);
    answer();
    expect(await found).toEqual(['a1', 'b1', 'a1', 'a1']);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('never return a row that was read before the call', async () => {
    const { asked, loader, answer } = held();
    const early = loader.load('a');
    await until(() => asked.length === 1);
    const late = loader.load('a');
    answer();
    expect(await early).toBe('a1');
    await until(() => asked.length === 2);
    answer();
    expect(await late).toBe('a2');
    expect(asked).toEqual([['a'], ['a']]);
  });

  it('pass a failure to all waiting callers, and read again afterwards', async () => {
    let calls = 0;
    const loader = new BatchLoader<string>((keys) => (++calls === 1 ? Promise.reject(new Error('away')) : Promise.resolve(keys)));
    const failed = [loader.load('a'), loader.load('a')];
    for (const each of failed) await expect(each).rejects.toThrow('away');
    expect(await loader.load('a')).toBe('a');
  });
});
