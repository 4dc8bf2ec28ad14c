import { Lookups } from './lookups.js';

/** Statements that end when the test calls `answer`. */
function held(): { readonly asked: string[][]; readonly lookups: Lookups<string>; readonly answer: () => void } {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const lookups = new Lookups<string>((keys) => {
    asked.push([...keys]);
    const version = asked.length;
    return new Promise((resolve) => answers.push(() => resolve(keys.map((key) => `${key}${version}`))));
  });
  return { asked, lookups, answer: () => answers.shift()?.() };
}
/** Turns the event loop until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('lookups', () => {
  it('read a key once for all callers that wait for it', async () => {
    const { asked, lookups, answer } = held();
    const found = Promise.all(['a', 'b', 'a', 'a'].map((key) => lookups.find(key)));
    await until(() => asked.length === 1);
    answer();
    expect(await found).toEqual(['a1', 'b1', 'a1', 'a1']);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('never return a row that was read before the call', async () => {
    const { asked, lookups, answer } = held();
    const early = lookups.find('a');
    await until(() => asked.length === 1);
    const late = lookups.find('a');
    answer();
    expect(await early).toBe('a1');
    await until(() => asked.length === 2);
    answer();
    expect(await late).toBe('a2');
    expect(asked).toEqual([['a'], ['a']]);
  });

  it('pass a failure to all waiting callers, and read again afterwards', async () => {
    let calls = 0;
    const lookups = new Lookups<string>((keys) => (++calls === 1 ? Promise.reject(new Error('away')) : Promise.resolve(keys)));
    const failed = [lookups.find('a'), lookups.find('a')];
    for (const each of failed) await expect(each).rejects.toThrow('away');
    expect(await lookups.find('a')).toBe('a');
  });
});
