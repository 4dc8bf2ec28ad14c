import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './folder.js';

describe('makeFolder', () => {
  const home = mkdtempSync(join(tmpdir(), 'sluice-folder-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('creates a folder with its parents, and accepts an existing one', () => {
    const deep = join(home, 'a/b/c');
    for (let times = 0; times < 2; times++) makeFolder(deep);
    expect(statSync(deep).isDirectory()).toBe(true);
  });

  it('throws where it cannot create a folder, without endless retries', () => {
    expect(() => makeFolder('/proc/nope/deeper')).toThrow(/ENOENT|EROFS|EACCES/);
  });

  it('accepts a folder that another process creates at the same moment', async () => {
    const names = Array.from({ length: 2_000 }, (_, n) => join(home, 'race', String(n), 'x'));
    const program = `const { mkdirSync } = require('node:fs'); console.log(); for (const name of process.argv[1].split(' ')) mkdirSync(name, { recursive: true });`;
    const rivals = [0, 1].map(() => spawn(process.execPath, ['-e', program, names.join(' ')]));
    const gone = rivals.map((rival) => once(rival, 'exit'));
    await Promise.race(rivals.map((rival) => once(rival.stdout, 'data')));
    for (const name of names) makeFolder(name);
    await Promise.all(gone);
    expect(names.every((name) => statSync(name).isDirectory())).toBe(true);
  });
});
