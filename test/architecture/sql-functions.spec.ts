import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './files.js';

const FOLDER = 'migrations/functions';
const MAX_WIDTH = 120;
const MAX_LINES = 60;

/** The functions of a file, each with its number of lines from CREATE to the end of its body. */
function functionsOf(text: string): { name: string; lines: number }[] {
  const definitions = text.matchAll(/^CREATE(?: OR REPLACE)? FUNCTION\s+([\w.]+)[^]*?\bAS (\$\w*\$)[^]*?\2[^;]*;/gm);
  return [...definitions].map(([definition, name = '']) => ({ name, lines: definition.split('\n').length }));
}

function faultsOf(text: string): string[] {
  const wide = text.split('\n').flatMap((line, index) => (line.length > MAX_WIDTH ? [`line ${index + 1} is wider than ${MAX_WIDTH}`] : []));
  const faults = functionsOf(text).filter(({ lines }) => lines > MAX_LINES);
  return [...wide, ...faults.map(({ name, lines }) => `${name} has ${lines} lines`)];
}

describe('the SQL functions', () => {
  const files = readdirSync(join(ROOT, FOLDER));
  const texts = files.map((file) => readFileSync(join(ROOT, FOLDER, file), 'utf8'));

  it('have lines of at most 120 characters, and at most 60 of them each', () => {
    expect(texts.flatMap((text, index) => faultsOf(text).map((fault) => `${files[index]}: ${fault}`))).toEqual([]);
  });

  it('are all counted', () => {
    const created = texts.join('\n').match(/^CREATE(?: OR REPLACE)? FUNCTION/gm) ?? [];
    expect(texts.flatMap(functionsOf)).toHaveLength(created.length);
    expect(created.length).toBeGreaterThan(100);
  });

  const body = (lines: number): string =>
    `CREATE OR REPLACE FUNCTION planted(p_id uuid)\nRETURNS text LANGUAGE sql AS $$\n${'SELECT 1;\n'.repeat(lines - 3)}$$;\n`;

  it.each([
    ['a wide line', `-- ${'x'.repeat(118)}\n`, 'line 1 is wider than 120'],
    ['a wide line of code', `SELECT 1;\nSELECT '${'x'.repeat(112)}';\n`, 'line 2 is wider than 120'],
    ['a long function', body(61), 'planted has 61 lines'],
    ['a long function behind a short one', body(5) + body(70), 'planted has 70 lines'],
  ])('planted: %s is refused', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual(expect.arrayContaining([fault]));
  });

  it('planted: a line of 120 characters and a function of 60 lines are accepted', () => {
    expect(faultsOf(`-- ${'x'.repeat(117)}\n${body(60)}`)).toEqual([]);
  });
});
