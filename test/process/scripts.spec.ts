import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { eventually } from '../../src/testing/eventually.js';
import { isAlive } from '../support/postgres-lab.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The build needs it, and copies it too: it is a part of the package. */
const COMPILER_OPTIONS = 'src/testing/jest/typescript.cjs';

/** A small project with our scripts. Its folder is inside the checkout, so that Node finds the compiler without an installation there. */
function project(files: Readonly<Record<string, string>>): string {
  mkdirSync(join(ROOT, 'test/output'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'test/output/project-'));
  folders.push(folder);
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  for (const name of ['nest-cli.json', '.npmrc', COMPILER_OPTIONS]) cpSync(join(ROOT, name), join(folder, name));
  const manifest = { name: 'small', version: '1.0.0', type: 'module', engines: { node: '>=20.19' } };
  const lock = { name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { '': manifest } };
  write(folder, { 'package.json': JSON.stringify(manifest), 'package-lock.json': JSON.stringify(lock), ...files });
  return folder;
}

function run(folder: string, script: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(folder, 'scripts', script), ...args], { encoding: 'utf8' });
}

describe('the build', () => {
  const files = {
    'schema.graphql': 'type Query { ok: Boolean }',
    'src/main.ts': "import { answer } from './answer.js';\nconsole.log(answer, import.meta.url);\n",
    'src/answer.ts': 'const answer: number = 42;\nexport { answer };\n',
    'src/main.spec.ts': 'it("is no part of it", () => undefined);',
    'src/edge/page/style.css': 'body {}',
    'src/edge/page/notes.md': '# not an asset',
    'migrations/1-first.ts': 'export class First {}',
    'migrations/functions/first.sql': 'SELECT 1;',
  };

  it('compiles sources with maps and copies the assets that nest-cli.json names', () => {
    const folder = project(files);
    expect(run(folder, 'build.js')).toMatchObject({ status: 0, stdout: '' });
    const built = (readdirSync(join(folder, 'dist'), { recursive: true }) as string[]).filter((path) =>
      statSync(join(folder, 'dist', path)).isFile(),
    );
    expect(built.sort()).toEqual(
      [
        '.stamp',
        'bundle/main.js',
        'schema.graphql',
        'src/main.js',
        'src/main.js.map',
        'src/answer.js',
        'src/answer.js.map',
        'src/edge/page/style.css',
        COMPILER_OPTIONS,
      ]
        .concat(['migrations/1-first.js', 'migrations/1-first.js.map', 'migrations/functions/first.sql'])
        .sort(),
    );
    const compiled = readFileSync(join(folder, 'dist/src/answer.js'), 'utf8');
    expect(compiled).toMatch(/const answer = 42;[^]*\/\/# sourceMappingURL=answer\.js\.map\n$/);
    expect(JSON.parse(readFileSync(join(folder, 'dist/src/answer.js.map'), 'utf8'))).toMatchObject({ sources: ['../../src/answer.ts'] });
  });

  it('joins a program with the modules that it loads, each of which keeps its address', () => {
    const folder = project(files);
    run(folder, 'build.js');
    rmSync(join(folder, 'dist/src/answer.js'));
    const program = join(folder, 'dist/src/main.js');
    expect(run(folder, '../dist/bundle/main.js').stdout).toBe(`42 ${pathToFileURL(program).href}\n`);
  });

  it('gives a package in CommonJS that a program loads later the names that Node gives it', () => {
    const folder = project({
      'src/main.ts': `const { plainToInstance, default: all } = await import('class-transformer');
        console.log(typeof plainToInstance, all.plainToInstance === plainToInstance);`,
    });
    run(folder, 'build.js');
    for (const program of ['src', 'bundle']) expect(run(folder, `../dist/${program}/main.js`).stdout).toBe('function true\n');
  });

  it('keeps the names of classes that it renames, and names no function when a call makes it', () => {
    const folder = project({
      'src/main.ts': `import { Same } from './same.js';
        import { Same as Other } from './other.js';
        const made = () => { const arrow = () => made; return arrow.name; };
        console.log(Same.name, Other.name, Same.first().constructor.name, made());`,
      'src/same.ts': 'export class Same { static first() { return Same.one; } private static one = new Same(); }',
      'src/other.ts': 'export class Same {}',
    });
    run(folder, 'build.js');
    expect(run(folder, '../dist/bundle/main.js').stdout).toBe('Same Same Same \n');
  });

  it('deletes output without a source, and does not touch unchanged output', () => {
    const folder = project(files);
    run(folder, 'build.js');
    const before = statSync(join(folder, 'dist/src/answer.js')).mtimeMs;
    rmSync(join(folder, 'migrations/1-first.ts'));
    run(folder, 'build.js');
    expect(existsSync(join(folder, 'dist/migrations/1-first.js'))).toBe(false);
    expect(statSync(join(folder, 'dist/src/answer.js')).mtimeMs).toBe(before);
  });

  it('does nothing while the sources are the same, so that a start beside it does not build', () => {
    const folder = project(files);
    run(folder, 'build.js');
    const stamp = join(folder, 'dist/.stamp');
    const before = statSync(stamp).ino;
    expect(run(folder, 'build.js').stderr).toBe('The build is up to date.\n');
    expect(statSync(stamp).ino).toBe(before); // a stamp that was deleted and written again is another file
  });

  it('names every file that does not compile, and fails', () => {
    const folder = project({ ...files, 'src/one.ts': 'const = 1;', 'src/two.ts': 'class {' });
    const { status, stderr } = run(folder, 'build.js');
    expect(status).toBe(1);
    expect(stderr).toMatch(/one\.ts/);
    expect(stderr).toMatch(/two\.ts/);
    expect(existsSync(join(folder, 'dist/src/one.js'))).toBe(false);
    expect(existsSync(join(folder, 'dist/.stamp'))).toBe(false);
  });

  it('of this project starts: a command prints the version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(run(ROOT, 'sluice.js', '--version')).toMatchObject({ status: 0, stdout: `sluice ${version}\n` });
  });
});

describe('npm start', () => {
  const main = `process.once('SIGTERM', () => process.exit(7));
    console.log(JSON.stringify({ env: process.env.NODE_ENV, program: process.argv[1], args: process.argv.slice(2) }));
    setInterval(() => undefined, 1000);`;

  it('installs and builds only when needed, and then becomes the program itself, with its signals and exit code', async () => {
    const folder = project({ 'src/main.ts': main });
    for (const said of [/Installing the run-time packages [^]*^Built 4 files in \d+ ms\.$/m, /^$/]) {
      const start = spawn(process.execPath, [join(folder, 'scripts/start.js'), 'one', 'two']);
      let [stdout, stderr] = ['', ''];
      start.stdout.on('data', (text) => (stdout += text));
      start.stderr.on('data', (text) => (stderr += text));
      const program = join(folder, 'dist/bundle/main.js');
      await eventually(() => stdout.endsWith('\n'));
      expect(JSON.parse(stdout)).toEqual({ env: 'production', program, args: ['one', 'two'] });
      start.kill('SIGTERM');
      expect(await once(start, 'exit')).toEqual([7, null]);
      expect(stderr).toMatch(said);
    }
  });

  it('builds again when a source has changed', () => {
    const folder = project({ 'src/main.ts': 'console.log(1)' });
    expect(run(folder, 'start.js').stdout).toBe('1\n');
    write(folder, { 'src/main.ts': 'console.log(2)' });
    expect(run(folder, 'start.js').stdout).toBe('2\n');
  });

  it('refuses an old Node in one sentence', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' }); import(process.argv[1])`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', old, join(ROOT, 'scripts/start.js')], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Sluice needs Node 20\.19 or newer/);
  });
});

describe('npm run generate', () => {
  const STEPS = ['codegen', 'test', 'tables', 'api-report', 'planted', 'schema-check'];
  const SAYS = "console.log('ran', process.argv[1].split('/').pop(), ...process.argv.slice(2), process.env.EXAMPLES ?? '-');";

  it('runs every generator after those whose output it reads, and ends at the first one that fails', () => {
    const folder = project(Object.fromEntries(STEPS.map((step) => [`scripts/${step}.js`, SAYS])));
    const ran = (): [number | null, string[]] => {
      const { status, stdout } = run(folder, 'generate.js');
      return [status, stdout.split('\n').filter((line) => line.startsWith('ran '))];
    };
    const examples = 'ran test.js test/e2e/api-examples.spec.ts 1';
    const all = ['ran codegen.js -', examples, 'ran tables.js -', 'ran api-report.js -', 'ran planted.js -'];
    expect(ran()).toEqual([0, [...all, 'ran schema-check.js --accept-additions -']]);
    write(folder, { 'scripts/tables.js': `${SAYS} process.exit(3);` });
    expect(ran()).toEqual([1, all.slice(0, 3)]);
  });

  it('covers every file that CONTRIBUTING.md says is generated', () => {
    const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const [, table = ''] = /## Never edited by hand\n([^]*?)\n## /.exec(text) ?? [];
    const others = table.split('\n').filter((row) => row.startsWith('| ') && !row.includes('npm run generate'));
    expect(others.map((row) => row.split(' | ')[0])).toEqual([
      '| what',
      '| `package-lock.json`',
      expect.stringContaining('migration'),
      '| `dist/`',
    ]);
  });
});

describe('npm run dev', () => {
  // A watch of tsc that begins on a busy machine may miss every change; a second one does not.
  jest.retryTimes(2, { logErrorsBeforeRetry: true });

  it('reports a type error and its correction while the server runs, and ends as a whole', async () => {
    const running = 'console.log(`server ${process.pid}`); setInterval(() => undefined, 1000);';
    const compilerOptions = { target: 'ES2023', module: 'NodeNext', strict: true, types: ['node'], rootDir: '.' };
    const folder = project({
      'src/main.ts': running,
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    });
    const dev = spawn(process.execPath, [join(folder, 'scripts/dev.js')], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const ended = once(dev, 'close');
    let said = '';
    dev.stdout.on('data', (text) => (said += text));
    dev.stderr.on('data', (text) => (said += text));
    const since = (mark: number): string => said.slice(mark);
    /** Saves a file, and again with another text while nothing happens: tsc may miss a change that is made while it begins to watch. */
    const save = async (text: string, isSeen: () => boolean): Promise<void> => {
      let savedAt = -Infinity;
      await eventually(() => {
        if (Date.now() - savedAt > 5_000) {
          savedAt = Date.now();
          write(folder, { 'src/amount.ts': `${text}// saved at ${savedAt}\n` });
        }
        return isSeen();
      });
    };
    const serverOf = (text: string): number => Number(/^server (\d+)$/m.exec(text)?.[1] ?? 0);
    try {
      await eventually(() => /^server \d+$/m.test(said) && /Found 0 errors\./.test(said));
      let mark = said.length;
      await save(
        "export const amount: number = 'much';\n",
        () => /src\/amount\.ts[^]*TS2322[^]*Found 1 error\./.test(since(mark)) && serverOf(since(mark)) > 0,
      );
      const server = serverOf(since(mark));
      expect(isAlive(server)).toBe(true);
      mark = said.length;
      await save('export const amount: number = 21;\n', () => /Found 0 errors\./.test(since(mark)));
      dev.kill('SIGTERM');
      // Its output closes only when every process that writes to it has ended.
      expect(await ended).toEqual([0, null]);
    } finally {
      if (dev.pid !== undefined && dev.exitCode === null) process.kill(-dev.pid, 'SIGKILL');
    }
  });
});

describe('the installed packages', () => {
  const lock = {
    '': {},
    'node_modules/pg': { version: '8.0.0' },
    'node_modules/jest': { version: '30.0.0', dev: true },
    'node_modules/for-here': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
    'node_modules/for-elsewhere': { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['mips'] },
  };
  /** Runs in a process of its own, because the script is ESM that locates itself by import.meta. */
  const missing = (installed: object, dev: boolean): string => {
    const ask = `import('${join(ROOT, 'scripts/install.js')}').then((m) => console.log(m.firstMissing(...JSON.parse(process.argv[1])) ?? 'nothing'))`;
    return execFileSync(process.execPath, ['-e', ask, JSON.stringify([lock, installed, dev])], { encoding: 'utf8' }).trim();
  };
  const runtime = { 'node_modules/pg': { version: '8.0.0' }, 'node_modules/for-here': { version: '1.0.0' } };

  it('are compared with the lock file, package by package', () => {
    expect(missing(runtime, false)).toBe('nothing');
    expect(missing(runtime, true)).toBe('node_modules/jest');
    expect(missing({ ...runtime, 'node_modules/pg': { version: '7.0.0' } }, false)).toBe('node_modules/pg');
    expect(missing({ 'node_modules/pg': { version: '8.0.0' } }, false)).toBe('node_modules/for-here');
  });
});

describe('a failed install', () => {
  const manifest = {
    name: 'small',
    version: '1.0.0',
    type: 'module',
    engines: { node: '>=20.19' },
    dependencies: { 'left-pad': '1.3.0' },
  };
  const packages = { '': manifest, 'node_modules/left-pad': { version: '1.3.0' } };
  /** A project that lacks a package. */
  const WANTING = {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({ name: 'small', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  };
  const STRANGER = 65_534;
  /** Our scripts in a folder that its user may only read. */
  function asAStranger(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-read-only-'));
    folders.push(folder, `${folder}-cache`);
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    write(folder, { 'package.json': '{"name":"small","version":"1.0.0","type":"module"}', ...files });
    for (const path of ['node_modules', '']) if (existsSync(join(folder, path))) chmodSync(join(folder, path), 0o555);
    return folder;
  }
  afterEach(() => folders.forEach((folder) => spawnSync('chmod', ['-R', 'u+w', folder])));
  const installAsAStranger = (folder: string): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, ['-e', `import('${folder}/scripts/install.js').then((it) => it.ensureInstalled({ dev: false }))`], {
      encoding: 'utf8',
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        npm_config_cache: `${folder}-cache`,
        npm_config_registry: 'http://127.0.0.1:9',
      },
      ...(process.getuid?.() === 0 && { uid: STRANGER, gid: STRANGER }),
    });

  it('without a network prints one sentence with what to do, also where npm itself is silent', () => {
    const folder = project({ 'src/main.ts': 'console.log(1)' });
    write(folder, WANTING);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/start.js')], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        npm_config_registry: 'http://127.0.0.1:9',
        npm_config_fetch_retries: '0',
        npm_config_loglevel: 'silent',
        npm_config_cache: join(folder, 'cache'),
      },
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^Installing the run-time packages /),
      expect.stringMatching(
        /^The packages could not be downloaded \(ECONNREFUSED\): connect this machine to the network, .* and run the command again\.$/,
      ),
    ]);
  });

  it('in a read-only folder names the folder', () => {
    const folder = asAStranger(WANTING);
    const { status, stderr } = installAsAStranger(folder);
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^Installing the run-time packages /),
      `The packages could not be installed: this user cannot write ${folder}/node_modules (EACCES). Make that folder writable, or run the command as the user who owns it.`,
    ]);
  });

  it('is not attempted in a complete read-only folder', () => {
    const folder = asAStranger({ 'package-lock.json': '{"packages":{}}', 'node_modules/.package-lock.json': '{"packages":{}}' });
    expect(installAsAStranger(folder)).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('npm test', () => {
  /** Runs a suite of its own, in a project where nothing needs to be installed. */
  function suite(files: Readonly<Record<string, string>>): { status: number | null; lines: string[] } {
    const config = { testMatch: ['**/*.spec.cjs'], transform: {}, reporters: ['<rootDir>/scripts/test-reporter.cjs'], watchman: false };
    const nothing = { 'package-lock.json': '{"packages":{}}', 'node_modules/.package-lock.json': '{"packages":{}}' };
    const client = Object.fromEntries(Object.entries(nothing).map(([path, text]) => [`test/client/${path}`, text]));
    const folder = project({ 'jest.config.cjs': `module.exports = ${JSON.stringify(config)}`, ...nothing, ...client, ...files });
    const { status, stdout } = run(folder, 'test.js');
    return { status, lines: stdout.trim().split('\n') };
  }
  const passing = "it('passes', () => undefined);";

  it('fails with a failing test, and counts a file that cannot be loaded and a source that does not compile', () => {
    const { status, lines } = suite({
      'a.spec.cjs': `${passing} it('fails', () => { throw new Error('no'); });`,
      'b.spec.cjs': "require('./nowhere');",
      'src/main.ts': 'const = 1;',
    });
    expect(lines.at(-1)).toBe('Tests: 1 passed, 3 failed');
    expect(status).toBe(1);
  });

  it('names skipped tests', () => {
    const { status, lines } = suite({ 'a.spec.cjs': `${passing} describe('in a browser', () => it.skip('signs up', () => undefined));` });
    expect(lines.slice(-2)).toEqual(['Skipped: in a browser signs up', 'Tests: 1 passed, 0 failed, 1 skipped']);
    expect(status).toBe(0);
  });

  it('succeeds when all passed, and lists the ten slowest of more files, the slowest first', () => {
    const names = [...'abcdefghijkl'].map((letter) => `${letter}.spec.cjs`);
    const { status, lines } = suite(Object.fromEntries(names.map((name) => [name, passing])));
    expect([status, lines.at(-1)]).toEqual([0, 'Tests: 12 passed, 0 failed']);
    const list = lines.slice(lines.indexOf('The slowest of 12 files:') + 1, -1).map((line) => line.trim().split(/ s +/));
    expect(new Set(list.map(([, name]) => name)).size).toBe(10);
    expect(names).toEqual(expect.arrayContaining(list.map(([, name]) => name)));
    const seconds = list.map(([time]) => Number(time));
    expect(seconds).toEqual([...seconds].sort((one, other) => other - one));
  });

  it('fails when no test ran', () => {
    const onlySkipped = suite({ 'a.spec.cjs': "it.skip('later', () => undefined);" });
    expect(onlySkipped.lines.at(-1)).toBe('Tests: 0 passed, 0 failed, 1 skipped');
    expect(onlySkipped.status).toBe(1);
  });
});
