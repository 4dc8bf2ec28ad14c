import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './files.js';

const ADR = 'docs/adr';
/** A person reads all decisions in an hour, and each is one page. */
const MAX = { files: 28, words: 12_000, wordsEach: 600 };

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const decisions = readdirSync(join(ROOT, ADR));
const numbersOf = (text: string): string[] => [...text.matchAll(/\b(?:ADRs? |adr\/)(\d{4})\b/g)].map(([, number = '']) => number);

/** Released migrations are frozen, with their comments. */
const FROZEN = /^migrations\/\d/;
/** Plants of decisions that do not exist. */
const PLANTED = 'test/architecture/source-files.spec.ts';

const cited = (): Map<string, string> => {
  const paths = [
    ...['src', 'migrations', 'test', 'scripts', 'bench', 'docs'].flatMap(filesBelow),
    ...readdirSync(ROOT).filter((name) => /\.(c?js|md)$/.test(name)),
  ].filter((path) => /\.(ts|[cm]?js|sql|graphql|md|yaml)$/.test(path) && !FROZEN.test(path) && path !== PLANTED);
  return new Map(
    paths.flatMap((path) => numbersOf(read(path)).map((number): [string, string] => [path.startsWith(`${ADR}/`) ? '' : number, path])),
  );
};

describe('the decisions', () => {
  it('are each cited by code or documents, and no other is', () => {
    expect(numbersOf('see ADR 0001 and [this](adr/0002-rooms.md), docs/adr/0003')).toEqual(['0001', '0002', '0003']);
    const numbers = [...cited().keys()].filter((number) => number !== '' && number !== '0000');
    expect(numbers.sort()).toEqual(decisions.map((name) => name.slice(0, 4)).sort());
  });

  it('are one a subject, and a page each', () => {
    const words = decisions.map((name) => ({ name, words: read(`${ADR}/${name}`).split(/\s+/).length }));
    expect(words.filter((each) => each.words > MAX.wordsEach)).toEqual([]);
    expect(words.length).toBeLessThanOrEqual(MAX.files);
    expect(words.reduce((sum, each) => sum + each.words, 0)).toBeLessThan(MAX.words);
  });

  it.each(decisions)('%s has a context, a decision and consequences, under its number', (name) => {
    const text = read(`${ADR}/${name}`);
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)} \\S`));
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(['Context', 'Decision', 'Consequences']);
  });
});
