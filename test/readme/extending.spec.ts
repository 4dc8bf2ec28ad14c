import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { LIGHTNING_CAPABILITIES } from '../../src/money/lightning/index.js';
import { compile } from '../support/compiler.js';
import { SDL } from '../support/root-fields.js';
import { filesIn, GUIDE } from './guide-files.js';

const ROOT = join(__dirname, '../..');
const EXAMPLES = join(ROOT, 'test/extensions');
/** Inside the checkout, so that packages are found. `test/e2e/extension-outside.spec.ts` compiles and runs the files with the package. */
const PROJECT = join(ROOT, 'test/output/extending');
const FILES = filesIn(GUIDE);
/** Files of the example that its author does not write, and the one for readers of this repository. */
const NOT_SHOWN = ['generated.ts', 'README.md', 'tipping.e2e.spec.ts'];

/** Names in its prose that are of Nest, pnpm, or of the reader. */
const OF_OTHERS = [
  ...[
    'AcmeWallet',
    'Args',
    'CompanyMail',
    'ExchangePrice',
    'Gift',
    'Global',
    'OfficeHours',
    'RawBody',
    'Retry',
    'ServiceUnavailableException',
  ],
  ...['TipInput', 'Token', 'ignoredBuiltDependencies', 'nodeLinker', 'onApplicationBootstrap'],
];

/** A file of test/extensions as the guide shows it. */
function shown(path: string): string {
  const text = readFileSync(join(EXAMPLES, path), 'utf8');
  const ofPackage = text
    .replaceAll("'../../../src/index.js'", "'sluice'")
    .replaceAll("'../../../src/testing/index.js'", "'sluice/testing'");
  return `${path.endsWith('.graphql') ? '#' : '//'} ${path}\n${ofPackage}`;
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(PROJECT, path)), { recursive: true });
  writeFileSync(join(PROJECT, path), text);
};

describe('docs/extending.md', () => {
  beforeAll(() => {
    for (const { path, text } of FILES) write(path, text);
    write('tipping/generated.ts', shown('tipping/generated.ts'));
    write('planted.ts', 'export const app = await createApp();\n');
  });
  afterAll(() => rmSync(PROJECT, { recursive: true, force: true }));

  it('shows every file of the example extension, and of the back end in memory, word for word', () => {
    const tipping = readdirSync(join(EXAMPLES, 'tipping'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !NOT_SHOWN.includes(entry.name))
      .map((entry) => relative(EXAMPLES, join(entry.parentPath, entry.name)));
    expect(tipping.length).toBeGreaterThan(9);
    for (const path of [...tipping, 'acme/acme.backend.ts'])
      expect(FILES.find((file) => file.path === path)).toEqual({ path, text: shown(path) });
  });

  it('has examples that compile, with all their imports', () => {
    const programs = FILES.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
    expect(programs).toEqual(expect.arrayContaining(['tipping/complete.ts', 'company-jwt.strategy.ts', 'tipping/paid.controller.ts']));
    const paths = { sluice: [join(ROOT, 'src/index.ts')], 'sluice/testing': [join(ROOT, 'src/testing/index.ts')] };
    const found = compile(PROJECT, [...programs, 'planted.ts'], { paths }, './tsconfig.json');
    expect(found.filter((message) => !message.startsWith('../'))).toEqual([
      expect.stringMatching(/^planted\.ts\(1,\d+\): error TS\d+: Cannot find name 'createApp'\.$/),
    ]);
  });

  it('explains every capability of a Lightning back end', () => {
    const [, table = ''] = /^\| capability \|.*\n\|---.*\n((?:\|.*\n)+)/m.exec(GUIDE) ?? [];
    const explained = [...table.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
    expect(explained).toEqual(Object.keys(LIGHTNING_CAPABILITIES));
  });

  it('has no example without the name of its file, and no file twice', () => {
    const paths = FILES.map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
    expect(() => filesIn('```ts\nawait createApp();\n```\n')).toThrow('A code block has no name of a file in its first line:');
  });

  it('names files of the package only', () => {
    const prose = GUIDE.replace(/^```[^]*?^```$/gm, '');
    const named = [...prose.matchAll(/(?<![\w/])(?:src|test|scripts|migrations|dist)\/[\w./-]*\w/g)].map(([path]) => path);
    expect(named).toEqual(expect.arrayContaining(['dist/src/edge/graphql/typed.d.ts']));
    const sourceOf = (path: string): string => path.replace(/^dist\//, '').replace(/\.d\.ts$/, '.ts');
    const isBuilt = (path: string): boolean => path.startsWith('dist/src') && existsSync(join(ROOT, sourceOf(path)));
    // Built by the project of the guide, not by Sluice.
    expect(named.filter((path) => !isBuilt(path))).toEqual(['dist/cli.js']);
  });

  it('names only what the package exports, its own files and the SDL have, and what is of others', () => {
    const reports = ['sluice', 'sluice-testing', 'sluice-client']
      .map((name) => readFileSync(join(ROOT, `docs/api-report/${name}.md`), 'utf8'))
      .join('\n');
    const exported = new Set(
      [...reports.matchAll(/^export .*?(?:class|interface|type|const|function) (\w+)|\bas (\w+) \}$/gm)].map(
        ([, name, alias]) => name ?? alias,
      ),
    );
    const known = [...FILES.map(({ text }) => text), SDL].join('\n');
    /** Names of a type or a class, and names in camel case, which are members too. */
    const unknownIn = (markdown: string): string[] => {
      const prose = markdown.replace(/^```[^]*?^```$/gm, '');
      const code = [...prose.matchAll(/`([^`]+)`/g)].map(([, span]) => span).join('\n');
      const names = new Set([...code.matchAll(/(?<![\w/'-])(?:[A-Z][a-z]\w*|[a-z]+[A-Z]\w*)/g)].map(([name]) => name));
      const isIn = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
      return [...names].filter((name) => !exported.has(name) && !isIn(known, name) && !(/^[a-z]/.test(name) && isIn(reports, name)));
    };
    expect(exported.size).toBeGreaterThan(300);
    expect(unknownIn('Inject `UserService`, `Batcher` or `jobs.taskOfNobody()`.')).toEqual(['Batcher', 'taskOfNobody']);
    expect(unknownIn(GUIDE).sort()).toEqual(OF_OTHERS);
  });

  it('links to existing files of the package', () => {
    const links = [...GUIDE.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((path) => !existsSync(join(ROOT, 'docs', path)))).toEqual([]);
  });
});
