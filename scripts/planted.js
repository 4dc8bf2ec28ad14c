// `node scripts/planted.js` writes test/planted.md: every test that plants a fault, kills a mutant or is an attack. A row whose test has gone
// moves to the end of the file, where a sentence must say why. `--check` writes nothing and fails when the list differs or a sentence is
// missing; `--run` runs the files of the list. A folder as last argument is the project to read.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A test is listed when its file, its titles, its cases or its body say one of these. */
const LISTED = /plant|mutant|attack|\bA-\d\d\b/i;
const LIST = 'test/planted.md';
const GONE = '## Gone, and why';
const HEAD = `# Planted faults, mutants and attacks

\`npm run planted\` runs these files; \`node scripts/planted.js\` writes this list. A number counts the cases of a table. A test that goes leaves a
sentence at the end.`;

const specsBelow = (root, folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(node_modules|output)$/.test(entry.name) ? [] : specsBelow(root, path);
    return path.endsWith('.spec.ts') ? [path] : [];
  });

const parsed = (path) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);

/** The initializer of a constant, of the file or of one that it imports. */
function valueOf(name, source) {
  const declared = source.statements
    .flatMap((statement) => (ts.isVariableStatement(statement) ? statement.declarationList.declarations : []))
    .find((each) => each.name.getText() === name);
  const imported = source.statements.find((each) => each.importClause?.namedBindings?.elements?.some((one) => one.name.text === name));
  if (declared || !imported?.moduleSpecifier.text.startsWith('.')) return [declared?.initializer, source];
  return valueOf(name, parsed(join(dirname(source.fileName), imported.moduleSpecifier.text.replace(/\.js$/, '.ts'))));
}

/** How many cases a table has; undefined when its text does not say. */
function casesOf(node, source) {
  if (!node) return undefined;
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return casesOf(node.expression, source);
  if (ts.isIdentifier(node)) return casesOf(...valueOf(node.text, source));
  if (ts.isObjectLiteralExpression(node)) return node.properties.length;
  if (ts.isSpreadElement(node)) return casesOf(node.expression, source);
  if (ts.isCallExpression(node) && /^Object\.(keys|entries|values)$/.test(node.expression.getText()))
    return casesOf(node.arguments[0], source);
  if (!ts.isArrayLiteralExpression(node)) return undefined;
  return node.elements.reduce((sum, each) => sum + (ts.isSpreadElement(each) ? (casesOf(each, source) ?? NaN) : 1), 0);
}

/** What a call of describe, it or test declares. */
function declarationOf(node, source) {
  const table = ts.isCallExpression(node.expression) ? node.expression : undefined;
  const [, kind] = /^(describe|it|test)\b(\.\w+)*$/.exec((table ?? node).expression.getText()) ?? [];
  if (!kind || node.arguments.length < 2) return undefined;
  const [title] = node.arguments;
  const cases = table && casesOf(table.arguments[0], source);
  const [rows] = table && ts.isIdentifier(table.arguments[0]) ? valueOf(table.arguments[0].text, source) : [];
  const text = ts.isStringLiteralLike(title) ? title.text : title.getText().replace(/^`|`$/g, '');
  return { kind, title: cases > 0 ? `${text} (${cases})` : text, table: rows?.getText() ?? '' };
}

/** The titles of a file's tests that are listed, with those of the blocks around them. */
function rowsOf(root, path) {
  const text = readFileSync(join(root, path), 'utf8');
  // The cases of a table may be in another file.
  if (!LISTED.test(path + text) && !/\.each(<[^(]*>)?\(\w/.test(text)) return [];
  const source = parsed(join(root, path));
  const rows = [];
  const visit = (node, titles) => {
    const declared = ts.isCallExpression(node) ? declarationOf(node, source) : undefined;
    const inner = declared ? [...titles, declared.title] : titles;
    if (declared && declared.kind !== 'describe') {
      if (LISTED.test([path, ...inner, declared.table, node.getText()].join(' '))) rows.push(inner.join(' › ').replace(/\s+/g, ' '));
      return;
    }
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return rows;
}

const counted = (row) => /^(.*?)(?: \((\d+)\))?$/s.exec(row);

/** The rows that have gone: no other file has the test, or its table has fewer cases. */
function goneOf(before, now) {
  const left = now.map(counted);
  return before.filter((row) => {
    const [, title, cases = 0] = counted(row);
    const at = left.findIndex(([, other, others = 0]) => other === title && Number(others) >= Number(cases));
    return at === -1 || left.splice(at, 1).length === 0;
  });
}

function listOf(root, before) {
  const files = ['src', 'test'].flatMap((folder) => specsBelow(root, folder)).sort();
  const sections = files.map((path) => [path, rowsOf(root, path)]).filter(([, rows]) => rows.length > 0);
  const [list, gone = ''] = before.split(`${GONE}\n`);
  const rowsBefore = [...list.matchAll(/^- (.*)$/gm)].map(([, row]) => row);
  const missing = goneOf(
    rowsBefore,
    sections.flatMap(([, rows]) => rows),
  );
  const text = [
    HEAD,
    ...sections.map(([path, rows]) => `## ${path}\n\n${rows.map((row) => `- ${row}`).join('\n')}`),
    `${GONE}\n\n${[gone.trim(), ...missing.map((row) => `- ${row}:`)].filter(Boolean).join('\n')}`.trim(),
  ].join('\n\n');
  return { text: `${text}\n`, files: sections.map(([path]) => path) };
}

const root = process.argv.slice(2).find((each) => !each.startsWith('--')) ?? fileURLToPath(new URL('..', import.meta.url));
const file = join(root, LIST);
const before = readFileSync(file, { encoding: 'utf8', flag: 'a+' });
const { text, files } = listOf(root, before);
if (process.argv.includes('--run')) {
  process.exitCode = spawnSync(process.execPath, [join(root, 'scripts/test.js'), ...files], { stdio: 'inherit' }).status ?? 1;
} else if (process.argv.includes('--check')) {
  const unsaid = [...(text.split(GONE)[1] ?? '').matchAll(/^- (.*):$/gm)].map(
    ([, row]) => `${LIST}: no sentence says why this test went: ${row}`,
  );
  const faults =
    unsaid.length > 0 || text === before ? unsaid : [`${LIST} differs from the tests: run node scripts/${basename(process.argv[1])}`];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
} else writeFileSync(file, text);
