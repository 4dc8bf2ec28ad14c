import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addressesIn,
  installedLicense,
  isFree,
  missingSiblings,
  ROOT,
  undecidedScripts,
  unfitFor,
  unfreeIn,
  type Lock,
  type LockedPackage,
} from './packages.js';

const lockOf = (packages: Record<string, LockedPackage>): Lock => ({ packages: { '': {}, ...packages } });
const nothingSaid = (): undefined => undefined;

describe.each(['.', 'test/client', 'bench'])('the packages of %s', (folder) => {
  const lock = JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')) as Lock;

  it('are resolved without the address of a registry', () => {
    expect(addressesIn(lock)).toEqual([]);
  });

  it('are available for every platform', () => {
    expect(missingSiblings(lock)).toEqual([]);
  });

  it('run no script when they are installed that package.json does not list', () => {
    const { allowScripts = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
      allowScripts?: Record<string, boolean>;
    };
    expect(undecidedScripts(lock, allowScripts)).toEqual([]);
    expect(readFileSync(join(ROOT, folder, '.npmrc'), 'utf8')).toContain('strict-allow-scripts=true');
  });

  it('run on the oldest Node that package.json permits', () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
    const [, oldest = ''] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
    expect(oldest).not.toBe('');
    expect(unfitFor(`${oldest}.0`, lock)).toEqual([]);
  });

  it('have permissive licences', () => {
    expect(unfreeIn(lock, (path) => installedLicense(join(ROOT, folder), path))).toEqual([]);
  });
});

describe('a lock file', () => {
  it('is refused with a registry’s address in it', () => {
    const lock = lockOf({
      'node_modules/a': { resolved: 'https://registry.example/a.tgz' },
      'node_modules/b': { resolved: '../b', link: true },
    });
    expect(addressesIn(lock)).toEqual(['node_modules/a names https://registry.example/a.tgz']);
  });

  it('is refused with an install script that is not listed', () => {
    const lock = lockOf({ 'node_modules/a': { hasInstallScript: true }, 'node_modules/b/node_modules/c': { hasInstallScript: true } });
    expect(undecidedScripts(lock, { a: false })).toEqual(['c runs a script when it is installed']);
  });

  it('is refused when a binary of another platform is missing', () => {
    const lock = lockOf({
      'node_modules/a': { optionalDependencies: { 'a-linux': '1', 'a-darwin': '1' } },
      'node_modules/a-linux': {},
      'node_modules/a/node_modules/b': { optionalDependencies: { 'b-own': '1', 'b-beside': '1', 'b-top': '1', 'b-hidden': '1' } },
      'node_modules/a/node_modules/b/node_modules/b-own': {},
      'node_modules/a/node_modules/b-beside': {},
      'node_modules/b-top': {},
      'node_modules/c/node_modules/b-hidden': {},
    });
    expect(missingSiblings(lock)).toEqual([
      'node_modules/a may need a-darwin, which has no entry',
      'node_modules/a/node_modules/b may need b-hidden, which has no entry',
    ]);
  });

  it('is refused when the project itself lacks an optional package', () => {
    const lock: Lock = { packages: { '': { optionalDependencies: { 'pg-linux': '1' } } } };
    expect(missingSiblings(lock)).toEqual(['the project may need pg-linux, which has no entry']);
  });

  it('is refused with a package of which npm would warn', () => {
    const lock = lockOf({
      'node_modules/new': { engines: { node: '>=22' } },
      'node_modules/newer': { engines: { node: '^20.20.0 || >=22.12' } },
      'node_modules/old': { engines: { node: '>=0.10.0' } },
      'node_modules/older': { engines: ['node >= 0.4'] },
      'node_modules/silent': {},
    });
    expect(unfitFor('20.19.0', lock)).toEqual(['node_modules/new wants Node >=22', 'node_modules/newer wants Node ^20.20.0 || >=22.12']);
  });

  it('is refused with a licence that demands more than attribution', () => {
    const lock = lockOf({
      'node_modules/a': { license: 'GPL-3.0-only' },
      'node_modules/b': { license: 'MPL-2.0' },
      'node_modules/c': { license: 'MPL-2.0', dev: true },
      'node_modules/d': { license: 'UNLICENSED' },
      'node_modules/e': {},
      'node_modules/f': { license: 'SEE LICENSE IN LICENSE.md' },
    });
    expect(unfreeIn(lock, nothingSaid)).toEqual([
      'node_modules/a is under GPL-3.0-only',
      'node_modules/b is under MPL-2.0',
      'node_modules/d is under UNLICENSED',
      'node_modules/e is under no licence',
      'node_modules/f is under SEE LICENSE IN LICENSE.md',
    ]);
  });
});

describe('a licence', () => {
  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND Apache-2.0', true],
    ['(MIT AND BSD-3-Clause)', true],
    ['MIT AND GPL-2.0-only', false],
    ['(MIT OR GPL-3.0) AND ISC', true],
    ['(AGPL-3.0 OR GPL-3.0) AND MIT', false],
    ['MIT AND (GPL-2.0 OR AGPL-3.0)', false],
    ['(MIT AND GPL-2.0) OR Apache-2.0', true],
    ['AGPL-3.0', false],
    ['', false],
  ])('%s: %s', (expression, free) => {
    expect(isFree(expression, false)).toBe(free);
  });

  describe('a licence that only the package itself states', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-packages-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const installed = (manifest: object, files: Record<string, string> = {}): string | undefined => {
      const own = mkdtempSync(join(folder, 'a-'));
      mkdirSync(join(own, 'a'));
      for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) }))
        writeFileSync(join(own, 'a', name), text);
      return installedLicense(own, 'a');
    };

    it('is read as it was recorded', () => {
      expect(installed({ license: 'ISC' })).toBe('ISC');
      expect(installed({ license: { type: 'ISC' } })).toBe('ISC');
      expect(installed({ licenses: [{ type: 'ISC' }] })).toBe('ISC');
      expect(installed({}, { 'Readme.md': '## License\nPermission is hereby granted, free of charge, to any person' })).toBe('MIT');
      expect(installed({}, { 'Readme.md': 'It pauses.', LICENSE: 'All rights reserved.' })).toBeUndefined();
    });
  });
});
