import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { filesBelow, ROOT } from './files.js';

const FOLDERS = ['src', 'migrations', 'test', 'scripts', 'bench', 'docs'];
/** Words that hide who acts, and private words for what has a term (docs/glossary.md). */
const REFUSED =
  /\b(whoever|somebody|someone(['’]s)?|nobody|anybody|everybody|whatever came of|tells?|told|telling|in vain|the house|of its own accord|reckon\w*|goodbye|as it stands|so many|go(es)? on|going on|for ever|ways in)\b/gi;
/** Generated files have the words of their source. */
const EXEMPT = /generated/;
/** The list of the words itself, whose literals are the refused words. */
const LITERALS_EXEMPT = 'test/architecture/words.spec.ts';
/** A user of the operating system, beside `postgres`. */
const SYSTEM_USER = /(['"])nobody\1/g;
/** A message of a SQL function. */
const RAISED = /\bRAISE (?:EXCEPTION|WARNING|NOTICE) '(?:[^'\n]|'')*'/;

/** Words of identifiers in the source that have a term: `notify`, `log`, `params`, and `MAX_` or `MIN_` for limits. */
const REFUSED_IN_NAMES = new Set(['tell', 'tells', 'told', 'telling', 'nobody', 'nobodys', 'somebody', 'whoever', 'wish', 'wishes']);
const LIMIT_BY_OTHER_NAME = /^(MOST|LEAST|LONGEST|SHORTEST|DEEPEST)(_|$)/;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

const isLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isRegularExpressionLiteral(node);

/** The comments of a program, and its literals (also SQL inside of them); everything else is blank, so that lines keep their numbers. */
function textOfProgram(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const isRead = new Uint8Array(text.length);
  const readsLiterals = path !== LITERALS_EXEMPT;
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(text, node.getEnd()) ?? [];
    for (const { pos, end } of [...leading, ...trailing]) isRead.fill(1, pos, end);
    if (readsLiterals && isLiteral(node)) isRead.fill(1, node.getStart(source), node.getEnd());
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return text
    .split('')
    .map((character, index) => (isRead[index] || character === '\n' ? character : ' '))
    .join('')
    .replace(SYSTEM_USER, blank);
}

/** The messages in a line of SQL; everything else is blank. */
const raisedIn = (code: string): string => {
  const { 0: message = '', index = code.length } = RAISED.exec(code) ?? {};
  return blank(code.slice(0, index)) + message + blank(code.slice(index + message.length));
};

/** What a person reads in a file: comments and literals of programs, comments and messages of SQL, schemas, and documents without their code. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.graphql')) return text;
  if (path.endsWith('.md')) return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, blank);
  if (path.endsWith('.sql'))
    return text.replace(/^(.*?)(--.*)?$/gm, (_line, code: string, comment = '') => raisedIn(code) + String(comment));
  return textOfProgram(path, text);
}

const faultsOf = (path: string, text: string): string[] =>
  // Most files have none of the words anywhere: to read their comments and literals takes ten seconds.
  text.search(REFUSED) < 0
    ? []
    : proseOf(path, text)
        .split('\n')
        .flatMap((line, index) => (line.match(REFUSED) ?? []).map((word) => `${path}:${index + 1}: "${word}"`));

describe('the words of comments, string literals, schemas and documents', () => {
  it('name who acts, and use the terms of the field', () => {
    const all = [...FOLDERS.flatMap(filesBelow), ...readdirSync(ROOT)];
    const paths = all.filter((path) => /\.(ts|[cm]?js|sql|graphql|md)$/.test(path) && !EXEMPT.test(path));
    expect(paths.length).toBeGreaterThan(700);
    expect(paths.flatMap((path) => faultsOf(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });

  it.each([
    ['planted.ts', 'const told = waits();\n/** Nobody waits. */', ['planted.ts:2: "Nobody"']],
    ['planted.ts', 'call(); // whoever asks is told', ['planted.ts:1: "whoever"', 'planted.ts:1: "told"']],
    ['planted.spec.ts', "it('tells nobody', () => told());", ['planted.spec.ts:1: "tells"', 'planted.spec.ts:1: "nobody"']],
    ['planted.ts', 'log(`a\n${told} in vain`);', ['planted.ts:2: "in vain"']],
    ['planted.ts', 'expect(text).toMatch(/goes on/);', ['planted.ts:1: "goes on"']],
    ['planted.ts', 'query(`SELECT 1 -- for whoever asks\n`);', ['planted.ts:1: "whoever"']],
    ['planted.ts', "const user = 'nobody';", []],
    ['planted.sql', "SELECT 'nobody'; -- kept for ever", ['planted.sql:1: "for ever"']],
    ['planted.sql', "RAISE EXCEPTION 'nobody waits';", ['planted.sql:1: "nobody"']],
    ['planted.graphql', '"Tells whether it is paid."\ntype Told { id: ID! }', ['planted.graphql:1: "Tells"', 'planted.graphql:2: "Told"']],
    ['planted.md', 'The house\n\n```\nnobody\n```\n`told`', ['planted.md:1: "The house"']],
  ])('report each refused word of a planted text in %s: %j', (path, text, faults) => {
    expect(faultsOf(path, text)).toEqual(faults);
  });
});

const wordsOfName = (name: string): string[] => name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());

/** Identifiers with a refused word, with their lines. */
function faultyNamesOf(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const faults: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isIdentifier(node) || ts.isPrivateIdentifier(node) ? node.text : '';
    if (LIMIT_BY_OTHER_NAME.test(name) || wordsOfName(name).some((word) => REFUSED_IN_NAMES.has(word)))
      faults.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}: ${name}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

describe('the words of names in the source', () => {
  it('are the terms of the field', () => {
    const paths = filesBelow('src').filter((path) => path.endsWith('.ts') && !EXEMPT.test(path));
    expect(paths.length).toBeGreaterThan(400);
    expect(paths.flatMap((path) => faultyNamesOf(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });

  it.each([
    ['const MOST_ROWS = 1;', ['planted.ts:1: MOST_ROWS']],
    ['\nclass A { private toldAt = 1; tellLoss() {} }', ['planted.ts:2: toldAt', 'planted.ts:2: tellLoss']],
    ['const teller = almost(LEASTWISE);', []],
  ])('report each refused name of a planted text: %j', (text, faults) => {
    expect(faultyNamesOf('planted.ts', text)).toEqual(faults);
  });
});
