import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { filesBelow, ROOT } from './files.js';

const FOLDERS = ['src', 'migrations', 'test', 'scripts', 'bench', 'docs'];
/** Words that hide who acts, and private words for what has a term (docs/glossary.md). */
const REFUSED =
  /\b(whoever|somebody|someone(['’]s)?|nobody|anybody|everybody|whatever came of|tells?|told|telling|in vain|the house|of its own accord|reckon\w*|goodbye|as it stands|so many|go(es)? on|going on|for ever|ways in)\b/gi;
/** Decisions keep the words in which they were made, and generated files those of their source. */
const EXEMPT = /^docs\/adr\/|generated/;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The comments of a program; everything else is blank, so that lines keep their numbers. */
function commentsOf(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isComment = new Uint8Array(text.length);
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(text, node.getEnd()) ?? [];
    for (const { pos, end } of [...leading, ...trailing]) isComment.fill(1, pos, end);
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return text
    .split('')
    .map((character, index) => (isComment[index] || character === '\n' ? character : ' '))
    .join('');
}

/** What a person reads in a file: comments of programs and SQL, and documents without their code. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, blank);
  if (path.endsWith('.sql')) return text.replace(/^(.*?)(--.*)?$/gm, (_line, code: string, comment = '') => blank(code) + String(comment));
  return commentsOf(path, text);
}

const faultsOf = (path: string, text: string): string[] =>
  proseOf(path, text)
    .split('\n')
    .flatMap((line, index) => (line.match(REFUSED) ?? []).map((word) => `${path}:${index + 1}: "${word}"`));

describe('the words of comments and documents', () => {
  it('name who acts, and use the terms of the field', () => {
    const all = [...FOLDERS.flatMap(filesBelow), ...readdirSync(ROOT)];
    const paths = all.filter((path) => /\.(ts|[cm]?js|sql|md)$/.test(path) && !EXEMPT.test(path));
    expect(paths.length).toBeGreaterThan(700);
    expect(paths.flatMap((path) => faultsOf(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });

  it.each([
    ['planted.ts', 'const told = "nobody";\n/** Nobody waits. */', ['planted.ts:2: "Nobody"']],
    ['planted.ts', 'call(); // whoever asks is told', ['planted.ts:1: "whoever"', 'planted.ts:1: "told"']],
    ['planted.sql', "SELECT 'nobody'; -- kept for ever", ['planted.sql:1: "for ever"']],
    ['planted.md', 'The house\n\n```\nnobody\n```\n`told`', ['planted.md:1: "The house"']],
  ])('would refuse a planted sentence in %s', (path, text, faults) => {
    expect(faultsOf(path, text)).toEqual(faults);
  });
});
